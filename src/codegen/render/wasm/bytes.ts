/**
 * @file Bytes of WebAssembly: integers in LEB128, floats in IEEE 754, vectors with their length.
 *
 * Source: WebAssembly Core Specification 2.0, chapter 5 (binary format).
 */

/** Code as nested lists of bytes, flattened once at the end: an expression is built from its parts without copying. */
export type Code = number | readonly Code[];

/** Unsigned LEB128 of an integer from 0 to 2³² − 1. */
export function u32(value: number): readonly number[] {
  const bytes: number[] = [];
  let rest = value >>> 0;
  do {
    const low = rest & 0x7f;
    rest >>>= 7;
    bytes.push(rest === 0 ? low : low | 0x80);
  } while (rest !== 0);
  return bytes;
}

/** Signed LEB128 of an int32. */
export function s32(value: number): readonly number[] {
  const bytes: number[] = [];
  let rest = value | 0;
  for (;;) {
    const low = rest & 0x7f;
    rest >>= 7;
    const isLast = (rest === 0 && (low & 0x40) === 0) || (rest === -1 && (low & 0x40) !== 0);
    bytes.push(isLast ? low : low | 0x80);
    if (isLast) return bytes;
  }
}

const view = new DataView(new ArrayBuffer(8));
const four = (at: number): readonly number[] => [0, 1, 2, 3].map((k) => view.getUint8(at + k));

export function f32Bytes(value: number): readonly number[] {
  view.setFloat32(0, value, true);
  return four(0);
}

export function f64Bytes(value: number): readonly number[] {
  view.setFloat64(0, value, true);
  return [...four(0), ...four(4)];
}

export function i32Bytes(value: number): readonly number[] {
  view.setInt32(0, value, true);
  return four(0);
}

/** Names of exports and imports: engine-made, ASCII. */
export const nameBytes = (text: string): readonly number[] => [
  ...u32(text.length),
  ...Array.from(text, (letter) => letter.charCodeAt(0)),
];

/** Appends nested code to `bytes`, without recursion over its length. */
export function flatten(code: Code, bytes: number[]): void {
  if (typeof code === 'number') bytes.push(code);
  else
    for (const part of code)
      if (typeof part === 'number') bytes.push(part);
      else flatten(part, bytes);
}

/** Bytes that nested code is, once flattened. */
export function lengthOf(code: Code): number {
  if (typeof code === 'number') return 1;
  let length = 0;
  for (const part of code) length += typeof part === 'number' ? 1 : lengthOf(part);
  return length;
}

/** A list with its count in front. */
export const vector = (items: readonly Code[]): Code => [u32(items.length), items];

/** A piece of code with its length in bytes in front. */
export const sized = (code: Code): Code => [u32(lengthOf(code)), code];
