/**
 * @file As much of the Protocol Buffers wire format as a model needs: https://protobuf.dev/programming-guides/encoding
 */

/** An encoded field, or several. */
export type Field = Uint8Array;

const utf8 = new TextEncoder();

export function joined(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((total, { length }) => total + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** Seven bits a byte, the lowest first; a negative number as its 64-bit complement. */
function varint(value: number): Uint8Array {
  const bytes: number[] = [];
  let rest = BigInt.asUintN(64, BigInt(value));
  while (rest > 127n) {
    bytes.push(Number(rest & 127n) | 128);
    rest >>= 7n;
  }
  return Uint8Array.from([...bytes, Number(rest)]);
}

/** A field that holds an integer. */
export const integer = (number: number, value: number): Field => joined([varint(number << 3), varint(value)]);

/** A field that holds bytes: raw ones, a text, or an embedded message made of fields. */
export function bytes(number: number, value: Uint8Array | string | readonly Field[]): Field {
  const content = typeof value === 'string' ? utf8.encode(value) : value instanceof Uint8Array ? value : joined(value);
  return joined([varint((number << 3) | 2), varint(content.length), content]);
}
