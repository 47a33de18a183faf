/**
 * @file Text of users inside our messages: shortened, on one line, without control characters.
 *
 * A name must not be able to forge a log line or colour a terminal.
 */

// C0, DEL, C1, line and paragraph separators, bidirectional overrides, lone surrogates.
// eslint-disable-next-line no-control-regex
const UNSAFE = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

/** The text with every unsafe unit written as `\uXXXX`. */
export const singleLine = (text: string): string =>
  text.replace(UNSAFE, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** A user's text as it appears in a message: at most `limit` UTF-16 units, unsafe ones escaped. */
export const excerpt = (text: string, limit = 80): string =>
  singleLine(text.length > limit ? `${text.slice(0, limit)}… (${text.length} characters)` : text);
