/**
 * @file The memory of a workspace: pieces that are added as it grows, each used from its start on.
 *
 * Addresses go through all pieces with a gap between two, so that ranges of different pieces are never neighbours.
 */
import { allocateArray } from '../../tensor/tensor.js';
import type { ByteRange } from '../arena/fit.js';

export interface Segment {
  readonly buffer: ArrayBufferLike;
  /** Address of its first byte. */
  readonly start: number;
  readonly bytes: number;
  /** Nothing from here on was ever lent. */
  top: number;
}

const GAP = 64;

export interface Segments {
  readonly all: readonly Segment[];
  /** Bytes of all of them. */
  readonly capacity: () => number;
  /** @throws EinstreamError E_OOM when the memory cannot be had */
  readonly grow: (bytes: number) => void;
  /** The address of bytes that were never lent; undefined where no piece has as many left. */
  readonly bump: (bytes: number) => number | undefined;
  readonly find: (address: number) => Segment;
  /** Lets go of a piece that nothing lies in. */
  readonly drop: (segment: Segment) => void;
}

export function segments(): Segments {
  const all: Segment[] = [];
  let [capacity, end] = [0, 0];
  return {
    all,
    capacity: () => capacity,
    grow(bytes) {
      all.push({ buffer: allocateArray(bytes, 'uint8').buffer, start: end, bytes, top: end });
      end += Math.ceil(bytes / GAP) * GAP + GAP; // addresses keep the alignment of the memory
      capacity += bytes;
    },
    bump(bytes) {
      const segment = all.find(({ start, bytes: held, top }) => top + bytes <= start + held);
      if (segment === undefined) return undefined;
      const address = segment.top;
      segment.top += bytes;
      return address;
    },
    find: (address) => all.findLast(({ start }) => start <= address)!,
    drop(segment) {
      all.splice(all.indexOf(segment), 1);
      capacity -= segment.bytes;
    },
  };
}

/** The range as bytes. */
export const bytesIn = ({ buffer, start }: Segment, { offset, bytes }: ByteRange): Uint8Array =>
  new Uint8Array(buffer, offset - start, bytes);
