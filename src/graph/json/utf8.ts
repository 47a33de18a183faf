/**
 * @file UTF-8 as RFC 3629 has it: no overlong forms, no surrogates, nothing above U+10FFFF.
 */

const isIn = (byte: number | undefined, low: number, high: number): boolean => byte !== undefined && byte >= low && byte <= high;

/** Bytes of the character at `at`: 1 to 4, or 0 where none begins. */
export function sequenceLength(bytes: Uint8Array, at: number, end: number): number {
  if (at >= end) return 0;
  const lead = bytes[at];
  if (lead < 0x80) return 1;
  if (lead < 0xc2 || lead > 0xf4) return 0;
  const length = lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
  if (at + length > end) return 0;
  // Only the second byte's range depends on the lead.
  const low = lead === 0xe0 ? 0xa0 : lead === 0xf0 ? 0x90 : 0x80;
  const high = lead === 0xed ? 0x9f : lead === 0xf4 ? 0x8f : 0xbf;
  if (!isIn(bytes[at + 1], low, high)) return 0;
  for (let i = at + 2; i < at + length; i++) if (!isIn(bytes[i], 0x80, 0xbf)) return 0;
  return length;
}

/** The code point of a sequence that `sequenceLength` has found good. */
export function codePointAt(bytes: Uint8Array, at: number, length: number): number {
  const lead = bytes[at];
  let code = length === 1 ? lead : lead & (0x7f >> length);
  for (let i = at + 1; i < at + length; i++) code = (code << 6) | (bytes[i] & 0x3f);
  return code;
}
