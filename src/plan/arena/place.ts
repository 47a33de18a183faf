/**
 * @file Offsets of blocks in one arena, so that blocks that live at the same time never overlap.
 */
import type { Sizes } from './blocks.js';
import type { Fit } from './fit.js';
import { freeRanges } from './free-ranges.js';

export interface Placement {
  readonly offsets: Float64Array;
  /** Of the whole arena. */
  readonly bytes: number;
}

/** Free ranges that a walk in time may have: with more, looking for one would make it quadratic. */
const MOST_FREE = 512;

/** A walk in order of execution: each block takes a free range, as the fit says, or the end. Undefined where too many are free. */
export function placeInTime({ bytes, born, dies }: Sizes, fit: Fit): Placement | undefined {
  const offsets = new Float64Array(bytes.length);
  const free = freeRanges();
  const byEnd = Int32Array.from(bytes.keys()).sort((a, b) => dies[a] - dies[b] || a - b);
  // What is joined has another size, and exact fit looks for the same one.
  const neighbours = fit.name === 'exactFit' ? 'apart' : 'joined';
  let [top, most, released] = [0, 0, 0];
  for (let block = 0; block < bytes.length; block++) {
    for (; dies[byEnd[released]] < born[block]; released++) {
      const dead = byEnd[released];
      free.put({ offset: offsets[dead], bytes: fit.sized(bytes[dead]) }, neighbours);
    }
    if (free.ranges.length > MOST_FREE) return undefined;
    const size = fit.sized(bytes[block]);
    let offset = free.take(fit, size);
    if (offset === undefined) {
      // What is free at the end need not be passed over.
      const last = neighbours === 'joined' ? free.takeEnding(top) : undefined;
      offset = last?.offset ?? top;
      top = offset + size;
    }
    offsets[block] = offset;
    most = Math.max(most, top);
  }
  return { offsets, bytes: most };
}

/** Blocks that are placed by size: each is compared with all that are placed, so more of them would take too long. */
export const MOST_BY_SIZE = 2_000;

/** How long a block lives, both ends included. */
const span = ({ born, dies }: Sizes, block: number): number => dies[block] - born[block] + 1;

/**
 * The largest first, each in the smallest gap between those that live at the same time.
 *
 * Pisarchyk and Lee, Efficient Memory Management for Deep Neural Net Inference, 2020: greedy by size.
 */
export const placeBySize = (sizes: Sizes): Placement => placeByRank(sizes, (block) => sizes.bytes[block]);

/** The same by size and time: a small block that lives long is in the way of more. */
export const placeByArea = (sizes: Sizes): Placement => placeByRank(sizes, (block) => sizes.bytes[block] * span(sizes, block));

/** The same by time alone. */
export const placeBySpan = (sizes: Sizes): Placement => placeByRank(sizes, (block) => span(sizes, block));

/** Those of high rank first. Of equal rank those that live longer. */
function placeByRank(sizes: Sizes, rank: (block: number) => number): Placement {
  const { bytes, born, dies } = sizes;
  const offsets = new Float64Array(bytes.length);
  const placed: number[] = []; // in order of their offsets
  let most = 0;
  for (const block of Int32Array.from(bytes.keys()).sort((a, b) => rank(b) - rank(a) || span(sizes, b) - span(sizes, a))) {
    let [end, best, smallest] = [0, -1, Infinity];
    for (const other of placed) {
      if (born[other] > dies[block] || dies[other] < born[block]) continue;
      const gap = offsets[other] - end;
      if (gap >= bytes[block] && gap < smallest) [best, smallest] = [end, gap];
      end = Math.max(end, offsets[other] + bytes[other]);
    }
    const offset = best < 0 ? end : best;
    offsets[block] = offset;
    most = Math.max(most, offset + bytes[block]);
    let at = placed.length;
    while (at > 0 && offsets[placed[at - 1]] > offset) at--;
    placed.splice(at, 0, block);
  }
  return { offsets, bytes: most };
}
