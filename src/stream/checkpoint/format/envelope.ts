/**
 * @file The bytes around what is kept, the same for every kind of it: what it is, its version, a header, tensors, a checksum.
 *
 *     magic (8 bytes) · version · bytes of the header · header (JSON) · elements, each tensor from a multiple of 8 on · CRC-32C
 *
 * Numbers are unsigned, of 32 bits, little-endian, as elements are. The checksum is of all bytes before it.
 */
import { fault } from '../../../errors/index.js';
import { crc32c } from './crc32c.js';

/** What is kept: a checkpoint, a training's state. */
export interface Kind {
  /** Eight letters, with which the bytes begin. */
  readonly magic: string;
  /** The version that is written, and the newest that is read. */
  readonly version: number;
  /** 'a state', for messages. */
  readonly name: string;
  /** The function that reads it. */
  readonly place: string;
}

const MAGIC = 8;
const START = MAGIC + 8;
const CHECKSUM = 4;

export const aligned = (at: number): number => Math.ceil(at / 8) * 8;

/** Made, not thrown. */
export const corrupt = (kind: Kind, rule: string, expected?: string, actual?: string, cause?: unknown) =>
  fault('E_CKPT_CORRUPT', {
    place: kind.place,
    rule,
    expected,
    actual,
    cause,
    hint: `go on from an earlier ${kind.name.replace(/^an? /, '')}`,
  });

/** Made, not thrown: what was asked for is whole, and newer than we are. */
export const unknownVersion = (kind: Kind, rule: string, expected: string, actual: string) =>
  fault('E_CKPT_VERSION', {
    place: kind.place,
    rule,
    expected,
    actual,
    hint: 'read it with the einstream that wrote it, or a newer one',
  });

/** One array of bytes, written once. */
export function seal({ magic, version }: Kind, header: string, body: readonly Uint8Array[]): Uint8Array {
  const head = new TextEncoder().encode(header);
  const from = aligned(START + head.length);
  const sealed = new Uint8Array(body.reduce((end, { length }) => aligned(end) + length, from) + CHECKSUM);
  const view = new DataView(sealed.buffer);
  sealed.set(new TextEncoder().encode(magic));
  view.setUint32(MAGIC, version, true);
  view.setUint32(MAGIC + 4, head.length, true);
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

/** @throws EinstreamError E_CKPT_CORRUPT for bytes that are damaged or of another kind, E_CKPT_VERSION for a version that is not known */
export function open(kind: Kind, given: Uint8Array): Opened {
  const end = given.length - CHECKSUM;
  if (end < START)
    throw corrupt(kind, `${kind.name} has a head and a checksum`, `at least ${START + CHECKSUM} bytes`, `${given.length}`);
  if (new TextEncoder().encode(kind.magic).some((byte, at) => given[at] !== byte))
    throw corrupt(kind, `${kind.name} begins with its name`, kind.magic, 'other bytes');
  const view = new DataView(given.buffer, given.byteOffset, given.byteLength);
  const [noted, found] = [view.getUint32(end, true), crc32c(given.subarray(0, end))];
  if (noted !== found) throw corrupt(kind, 'the checksum must be that of the bytes', hex(noted), hex(found));
  // Only now: a flipped bit of the version is damage, not another version.
  const version = view.getUint32(MAGIC, true);
  if (version !== kind.version)
    throw unknownVersion(kind, `the version of ${kind.name} must be known`, String(kind.version), String(version));
  const length = view.getUint32(MAGIC + 4, true);
  const from = aligned(START + length);
  if (from > end) throw corrupt(kind, 'the header must lie within the bytes', `at most ${end - START} bytes`, String(length));
  return { header: given.subarray(START, START + length), bytes: given.subarray(0, end), from };
}

const hex = (number: number): string => `0x${number.toString(16).padStart(8, '0')}`;
