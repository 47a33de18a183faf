/**
 * @file Two lines that show where in a text the fault is: the text, and `^` under the faulty part.
 *
 * Only the line of the text that holds the fault is shown, and of a long one only the neighbourhood.
 */
import type { Caret } from './diagnostic.js';
import { singleLine } from './escape.js';

/** Terminal columns shown on either side of the fault, and of the fault itself. */
const MARGIN = 40;

interface Cells {
  readonly text: string;
  readonly width: number;
}

const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}/u;

function widthOf(character: string): number {
  if (/^\p{M}$/u.test(character)) return 0;
  return WIDE.test(character) ? 2 : 1;
}

/** Shows characters of a list until the margin is full. */
function fill(characters: readonly string[]): Cells & { readonly isCut: boolean } {
  let width = 0;
  let text = '';
  for (const character of characters) {
    const shown = singleLine(character);
    const columns = shown === character ? widthOf(character) : shown.length;
    if (width + columns > MARGIN) return { text, width, isCut: true };
    width += columns;
    text += shown;
  }
  return { text, width, isCut: false };
}

/** As `fill`, from the right end. */
function fillBack(characters: readonly string[]): Cells {
  let start = characters.length;
  let width = 0;
  while (start > 0) {
    const next = fill([characters[start - 1]]).width;
    if (width + next > MARGIN) break;
    width += next;
    start--;
  }
  const shown = fill(characters.slice(start));
  return start === 0 ? shown : { text: `…${shown.text}`, width: shown.width + 1 };
}

const clamp = (value: number, low: number, high: number): number =>
  Math.min(Math.max(Number.isFinite(value) ? Math.trunc(value) : low, low), high);
const splitsPair = (text: string, at: number): boolean => /^[\ud800-\udbff][\udc00-\udfff]$/.test(text.slice(at - 1, at + 1));

/** The text line and the caret line, without indentation. */
export function caretLines(caret: Caret): readonly [string, string] {
  const text = String(caret.text);
  const given = clamp(caret.at, 0, text.length);
  const at = given > 0 && splitsPair(text, given) ? given - 1 : given;
  const lineStart = at === 0 ? 0 : text.lastIndexOf('\n', at - 1) + 1;
  const nextBreak = text.indexOf('\n', at);
  const lineEnd = nextBreak === -1 ? text.length : nextBreak;
  const asked = clamp(given + clamp(caret.length, 1, text.length), at, lineEnd);
  const end = splitsPair(text, asked) ? asked + 1 : asked;

  // A margin of combining marks alone could be long, so the slices are bounded too.
  const before = fillBack([...text.slice(Math.max(lineStart, at - 8 * MARGIN), at)]);
  const marked = fill([...text.slice(at, Math.min(end, at + 8 * MARGIN))]);
  const after = marked.isCut ? { text: '…' } : fill([...text.slice(end, Math.min(lineEnd, end + 8 * MARGIN))]);
  const rest = 'isCut' in after && after.isCut ? '…' : '';
  return [
    `${before.text}${marked.text}${after.text}${rest}`,
    `${' '.repeat(before.width)}${'^'.repeat(Math.max(1, marked.width))}`,
  ];
}
