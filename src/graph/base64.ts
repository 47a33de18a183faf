/**
 * @file Bytes as text and back (RFC 4648, with padding), for tensors inside JSON and keys.
 */
const ALPHABET = new TextEncoder().encode('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/');
const PAD = 0x3d;

const VALUES = new Int16Array(256).fill(-1);
ALPHABET.forEach((code, value) => (VALUES[code] = value));

export function toBase64(bytes: Uint8Array): string {
  const text = new Uint8Array(Math.ceil(bytes.length / 3) * 4).fill(PAD);
  let at = 0;
  for (let i = 0; i < bytes.length; i += 3) {
    const [a, b, c] = [bytes[i], bytes[i + 1], bytes[i + 2]];
    text[at] = ALPHABET[a >> 2]!;
    text[at + 1] = ALPHABET[((a & 3) << 4) | ((b ?? 0) >> 4)]!;
    if (b !== undefined) text[at + 2] = ALPHABET[((b & 15) << 2) | ((c ?? 0) >> 6)]!;
    if (c !== undefined) text[at + 3] = ALPHABET[c & 63]!;
    at += 4;
  }
  return new TextDecoder().decode(text);
}

/** The bytes, or undefined for a text that is not their one encoding: no white space, full padding, unused bits zero. */
export function fromBase64(text: string): Uint8Array | undefined {
  if (text.length % 4 !== 0) return undefined;
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0;
  const bytes = new Uint8Array((text.length / 4) * 3 - padding);
  const end = text.length - padding;
  let [buffer, bits, at] = [0, 0, 0];
  for (let i = 0; i < end; i++) {
    const code = text.charCodeAt(i);
    const value = code < 256 ? VALUES[code] : -1;
    if (value < 0) return undefined;
    buffer = ((buffer << 6) | value) & 0xfff;
    bits += 6;
    if (bits >= 8) {
      bits -= 8;
      bytes[at++] = (buffer >> bits) & 0xff;
    }
  }
  return (buffer & ((1 << bits) - 1)) === 0 ? bytes : undefined;
}

/** The elements' memory, row-major. */
export const bytesOf = (array: ArrayBufferView): Uint8Array => new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
