/**
 * @file Where intermediate values lie: which of them share a buffer, or at which offset of one arena each begins.
 */
import { overwritten, shareByKind, type BufferPlan, type Lifetimes } from '../memory.js';
import { blocksOf, liveBytes, type Sizes } from './blocks.js';
import { bestFit, firstFit, powerOfTwo } from './fit.js';
import { MOST_BY_SIZE, placeByArea, placeBySize, placeBySpan, placeInTime, type Placement } from './place.js';

/** How values are placed: `'auto'` takes what needs least, and buffers of one kind where that is as good. */
export const PLACEMENTS = ['auto', 'bestFit', 'firstFit', 'exactFit', 'powerOfTwo'] as const;
/** How a run places values in memory: see `RunOptions.placement`. */
export type PlacementName = (typeof PLACEMENTS)[number];

export interface MemoryPlan extends BufferPlan {
  /** Byte offset of each value in one arena; undefined where each buffer is a piece of memory of its own. */
  readonly offsets: Float64Array | undefined;
  /** Of all buffers, or of the arena. */
  readonly bytes: number;
  /** When there are how many bytes: values that are written over one another count once. */
  readonly blocks: Sizes;
}

export interface PlanningOptions {
  readonly placement: PlacementName;
  /** What a value takes in an arena: at least its bytes, and a multiple of what its elements must begin at. */
  readonly rounded: (bytes: number) => number;
  /** An arena may not be larger. */
  readonly most: number;
}

/** Buffers of fewer bytes are not worth an arena. */
const SMALL = 4096;

/** Of plans that are about as good, the one with separate buffers is taken: nothing in it is larger than a value. */
const WORTH = 0.95;

/**
 * Plans the memory of values, so that those that live at the same time never share any.
 *
 * A value dies after its last reader has run, so a reader writes over its own input only where `over` allows it.
 */
export function planMemory(lifetimes: Lifetimes, bytes: Float64Array, { placement, rounded, most }: PlanningOptions): MemoryPlan {
  const over = overwritten(lifetimes);
  const exact = sharedByKind(lifetimes, over, bytes);
  const { blockOf, ...blocks } = blocksOf({ ...lifetimes, bytes }, over);
  const separate: MemoryPlan = { ...exact, offsets: undefined, blocks };
  const isEnough = exact.bytes <= SMALL || exact.bytes * WORTH <= liveBytes(blocks);
  if (placement === 'exactFit' || (placement === 'auto' && isEnough)) return separate;
  const placed = place({ ...blocks, bytes: blocks.bytes.map(rounded) }, placement);
  if (placed === undefined || placed.bytes > most) return separate;
  if (placement === 'auto' && placed.bytes > exact.bytes * WORTH) return separate;
  return {
    buffers: blockOf,
    count: blocks.bytes.length,
    offsets: Float64Array.from(blockOf, (block) => placed.offsets[block]),
    bytes: placed.bytes,
    blocks,
  };
}

/** Undefined where there are too many values to look for more than equal sizes. */
function place(blocks: Sizes, placement: PlacementName): Placement | undefined {
  if (placement === 'powerOfTwo') return placeInTime(blocks, powerOfTwo(32));
  if (placement !== 'auto') return placeInTime(blocks, placement === 'firstFit' ? firstFit : bestFit);
  const enough = liveBytes(blocks) / WORTH;
  const byRank = blocks.bytes.length <= MOST_BY_SIZE ? [placeBySize, placeByArea, placeBySpan] : [];
  const inTime = [bestFit, firstFit].map((fit) => () => placeInTime(blocks, fit));
  let best: Placement | undefined;
  for (const attempt of [...byRank, ...inTime]) {
    if (best !== undefined && best.bytes <= enough) break;
    const found = attempt(blocks);
    if (found !== undefined && (best === undefined || found.bytes < best.bytes)) best = found;
  }
  return best;
}

function sharedByKind(lifetimes: Lifetimes, over: Int32Array, bytes: Float64Array): BufferPlan & { readonly bytes: number } {
  const plan = shareByKind(lifetimes, over);
  const held = new Float64Array(plan.count);
  plan.buffers.forEach((buffer, value) => (held[buffer] = bytes[value]));
  return { ...plan, bytes: held.reduce((sum, each) => sum + each, 0) };
}
