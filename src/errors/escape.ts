/**
 * @file Text of users inside our messages: shortened, on one line, without control characters.
 *
 * A name must not be able to forge a log line, colour a terminal, or end the quotes it stands in.
 */

// Controls, invisible format characters (bidirectional marks, zero-width, byte order mark, tags),
// line and paragraph separators, and (in a Unicode regular expression, lone ones only) surrogates.
const UNSAFE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

function escapeCharacter(character: string): string {
  const point = character.codePointAt(0)!;
  const hex = point.toString(16);
  return point > 0xffff ? `\\u{${hex}}` : `\\u${hex.padStart(4, '0')}`;
}

/** The text with every unsafe character written as `\uXXXX`. */
export const singleLine = (text: string): string => String(text).replace(UNSAFE, escapeCharacter);

const splitsPair = (text: string, at: number): boolean => /^[\ud800-\udbff][\udc00-\udfff]/.test(text.slice(at - 1, at + 1));

/** A user's text as it appears in a message: at most `limit` UTF-16 units of it, unsafe ones escaped. */
export function excerpt(text: string, limit = 80): string {
  const whole = String(text);
  if (whole.length <= limit) return singleLine(whole);
  const end = splitsPair(whole, limit) ? limit - 1 : limit;
  return singleLine(`${whole.slice(0, end)}… (${whole.length} characters)`);
}

/** A name in double quotes that it cannot leave. More than 120 characters of a name tell nobody anything. */
export const quoted = (name: string): string => `"${excerpt(name, 120).replace(/"|\\(?=\\*(?:"|$))/g, '\\$&')}"`;

/** One field of a printed diagnostic. Generous, but a text of a megabyte does not reach a log. */
export const field = (text: string): string => excerpt(text, 1_000);
