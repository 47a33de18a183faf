/**
 * @file Free ranges in order of their offsets: cut when one is taken, joined with their neighbours on demand.
 */
import type { ByteRange, Fit } from './fit.js';

export interface FreeRanges {
  readonly ranges: readonly ByteRange[];
  /** The offset of a range of `bytes`, cut from the one that the fit chooses; undefined where none will do. */
  readonly take: (fit: Fit, bytes: number) => number | undefined;
  /** A range is free again. `joined` makes one of it and the free ranges beside it. */
  readonly put: (range: ByteRange, neighbours: 'joined' | 'apart') => void;
  /** Takes the range out that ends at `end`, if there is one. */
  readonly takeEnding: (end: number) => ByteRange | undefined;
  /** Joins all that are side by side; gives how many became part of another. */
  readonly join: () => number;
}

export function freeRanges(): FreeRanges {
  const ranges: ByteRange[] = [];
  /** Index of the first range that does not lie before `offset`. */
  const after = (offset: number): number => {
    let low = 0;
    for (let high = ranges.length; low < high;) {
      const middle = (low + high) >>> 1;
      if (ranges[middle].offset < offset) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  return {
    ranges,
    take(fit, bytes) {
      const at = fit.choose(ranges, bytes);
      if (at < 0) return undefined;
      const { offset, bytes: held } = ranges[at];
      if (held === bytes) ranges.splice(at, 1);
      else ranges[at] = { offset: offset + bytes, bytes: held - bytes };
      return offset;
    },
    put(range, neighbours) {
      const at = after(range.offset);
      if (neighbours === 'apart') return void ranges.splice(at, 0, range);
      const before = at > 0 && endOf(ranges[at - 1]) === range.offset ? ranges[at - 1] : undefined;
      const behind = at < ranges.length && endOf(range) === ranges[at].offset ? ranges[at] : undefined;
      const offset = before?.offset ?? range.offset;
      const end = behind === undefined ? endOf(range) : endOf(behind);
      const from = before === undefined ? at : at - 1;
      const replaced = (before === undefined ? 0 : 1) + (behind === undefined ? 0 : 1);
      ranges.splice(from, replaced, { offset, bytes: end - offset });
    },
    takeEnding(end) {
      const at = after(end) - 1;
      return at >= 0 && endOf(ranges[at]) === end ? ranges.splice(at, 1)[0] : undefined;
    },
    join() {
      const before = ranges.length;
      const apart = ranges.splice(0);
      for (const range of apart) {
        const last = ranges.at(-1);
        if (last !== undefined && endOf(last) === range.offset)
          ranges[ranges.length - 1] = { offset: last.offset, bytes: last.bytes + range.bytes };
        else ranges.push(range);
      }
      return before - ranges.length;
    },
  };
}

const endOf = ({ offset, bytes }: ByteRange): number => offset + bytes;
