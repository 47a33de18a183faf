/**
 * @file The bytes around a saved state, the same in every version: what it is, its version, a header, tensors, a checksum.
 *
 *     'einstate' · version · bytes of the header · header (JSON) · elements, each tensor from a multiple of 8 on · CRC-32C
 *
 * Numbers are unsigned, of 32 bits, little-endian, as elements are. The checksum is of all bytes before it.
 */
import { fault } from '../../errors/index.js';
import { crc32c } from './crc32c.js';

const MAGIC = new TextEncoder().encode('einstate');
const START = MAGIC.length + 8;
const CHECKSUM = 4;
/** The version that is written. */
export const VERSION = 1;

export const aligned = (at: number): number => Math.ceil(at / 8) * 8;

/** Made, not thrown. */
export const corrupt = (rule: string, expected?: string, actual?: string, cause?: unknown) =>
  fault('E_CKPT_CORRUPT', {
    place: 'parseState',
    rule,
    expected,
    actual,
    cause,
    hint: 'go on from an earlier state',
  });

/** One array of bytes, written once. */
export function seal(header: string, body: readonly Uint8Array[]): Uint8Array {
  const head = new TextEncoder().encode(header);
  const from = aligned(START + head.length);
  const sealed = new Uint8Array(body.reduce((end, { length }) => aligned(end) + length, from) + CHECKSUM);
  const view = new DataView(sealed.buffer);
  sealed.set(MAGIC);
  view.setUint32(MAGIC.length, VERSION, true);
  view.setUint32(MAGIC.length + 4, head.length, true);
  sealed.set(head, START);
  let at = from;
  for (const bytes of body) {
    sealed.set(bytes, aligned(at));
    at = aligned(at) + bytes.length;
  }
  const end = sealed.length - CHECKSUM;
  view.setUint32(end, crc32c(sealed.subarray(0, end)), true);
  return sealed;
}

/** What was sealed: the header's bytes, and all up to the checksum, of which the elements begin at `from`. */
export interface Opened {
  readonly header: Uint8Array;
  readonly bytes: Uint8Array;
  readonly from: number;
}

/** @throws EinstreamError E_CKPT_CORRUPT for bytes that are damaged or no state, E_CKPT_VERSION for a version that is not known */
export function open(given: Uint8Array): Opened {
  const end = given.length - CHECKSUM;
  if (end < START) throw corrupt('a state has a head and a checksum', `at least ${START + CHECKSUM} bytes`, `${given.length}`);
  if (MAGIC.some((byte, at) => given[at] !== byte))
    throw corrupt('a state begins with its name', 'einstate', 'other bytes'); // prettier-ignore
  const view = new DataView(given.buffer, given.byteOffset, given.byteLength);
  const [noted, found] = [view.getUint32(end, true), crc32c(given.subarray(0, end))];
  if (noted !== found) throw corrupt('the checksum must be that of the bytes', hex(noted), hex(found));
  // Only now: a flipped bit of the version is damage, not another version.
  const version = view.getUint32(MAGIC.length, true);
  if (version !== VERSION)
    throw fault('E_CKPT_VERSION', {
      place: 'parseState',
      rule: 'the version of a state must be known',
      expected: String(VERSION),
      actual: String(version),
      hint: 'read it with the einstream that wrote it, or a newer one',
    });
  const length = view.getUint32(MAGIC.length + 4, true);
  const from = aligned(START + length);
  if (from > end) throw corrupt('the header must lie within the bytes', `at most ${end - START} bytes`, String(length));
  return { header: given.subarray(START, START + length), bytes: given.subarray(0, end), from };
}

const hex = (number: number): string => `0x${number.toString(16).padStart(8, '0')}`;
