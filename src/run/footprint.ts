/**
 * @file What one frame holds in all, from the plan that it runs by; more than is allowed is refused before any is allocated.
 */
import { fault, humanBytes, type EinstreamError } from '../errors/index.js';
import { liveBytes } from '../plan/arena/blocks.js';
import { byteSize, type DType } from '../tensor/dtype.js';
import { numElements, type Shape } from '../tensor/shape.js';
import type { FrameMemory } from './share.js';
import type { Typed } from './typed.js';

/** Bytes of a run, by what they are for. */
export interface Footprint {
  /** Feeds, params and constants. */
  readonly inputBytes: number;
  /** Outputs, as they leave. */
  readonly outputBytes: number;
  /** The arena, and what lies between the kernels of one node; without outputs, where these are lent. */
  readonly intermediateBytes: number;
  /** All of them together. */
  readonly peakBytes: number;
  /** Most bytes that live at one time: no plan takes less. */
  readonly lowerBoundBytes: number;
}

/** What a run without `memoryLimit` may hold. */
const LIMIT = 16 * 2 ** 30;

export const bytesOf = ({ shape, dtype }: { readonly shape: Shape; readonly dtype: DType }): number =>
  numElements(shape) * byteSize(dtype);

const total = (held: readonly { readonly shape: Shape; readonly dtype: DType }[]): number =>
  held.reduce((sum, each) => sum + bytesOf(each), 0);

export function footprint({ prepared, types, homes, works }: Typed, memory: FrameMemory): Footprint {
  const { inputs, constants, outputs, nodes, slots, borrows } = prepared;
  const { plans, buffers, blocks, bytes: arena } = memory;
  const inputBytes = total([...inputs, ...constants].map(({ slot }) => types[slot]));
  const bytes = [...blocks.bytes];
  const born = [...blocks.born];
  const dies = [...blocks.dies];
  const also = (held: number, from: number, to: number): number => {
    bytes.push(held);
    born.push(from);
    dies.push(to);
    return held;
  };
  const end = nodes.length;
  let [outputBytes, temporaryBytes] = [0, 0];
  const at = new Map(nodes.map(({ id }, position) => [slots[id], position]));
  const seen = new Set<number>();
  for (const { slot } of outputs) {
    const isFresh = plans[slot] !== undefined && buffers[slot] < 0;
    const home = isFresh || borrows ? homes[slot] : -1;
    if (home >= 0 && seen.has(home)) continue;
    seen.add(home);
    if (borrows) outputBytes += buffers[home] < 0 ? 0 : bytesOf(types[home]);
    else outputBytes += also(bytesOf(types[slot]), isFresh ? at.get(slot)! : end, end);
  }
  works.forEach(({ work }, position) => {
    if (work.kind === 'view') return;
    temporaryBytes += also(total(work.temporaries), position, position);
  });
  const intermediateBytes = arena + temporaryBytes - (borrows ? outputBytes : 0);
  const live = liveBytes({ bytes: Float64Array.from(bytes), born: Int32Array.from(born), dies: Int32Array.from(dies) });
  return {
    inputBytes,
    outputBytes,
    intermediateBytes,
    peakBytes: inputBytes + outputBytes + intermediateBytes,
    lowerBoundBytes: inputBytes + live,
  };
}

/** @throws EinstreamError E_OOM for more than `memoryLimit`, E_LIMIT for more than a run may hold that names none */
export function requireRoom({ peakBytes, inputBytes }: Footprint, memoryLimit: number | undefined): void {
  if (memoryLimit === undefined && peakBytes > LIMIT) throw tooLarge(peakBytes);
  if (memoryLimit === undefined || peakBytes <= memoryLimit) return;
  throw fault('E_OOM', {
    place: 'memoryLimit',
    rule: 'feeds, params, intermediate values and outputs of one frame must fit into the memory that is allowed',
    expected: `at most ${humanBytes(memoryLimit)} (${memoryLimit} bytes)`,
    actual: `${humanBytes(peakBytes)} (${peakBytes} bytes, of which ${inputBytes} are feeds and params)`,
    hint: 'recompute cheap values: rematerialise(graph, shapes, { memoryLimit }); use smaller batches, or raise the limit',
  });
}

const tooLarge = (bytes: number): EinstreamError =>
  fault('E_LIMIT', {
    place: 'memory',
    rule: 'what a run holds in all is limited where it names no memoryLimit',
    expected: `at most ${humanBytes(LIMIT)}`,
    actual: humanBytes(bytes),
    hint: 'use smaller batches, or allow more with memoryLimit',
  });
