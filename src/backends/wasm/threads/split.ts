/**
 * @file A kernel as parts that give its own bits: stretches of one written axis, each computed by the same code.
 *
 * Which code computes an element, and in which order it adds, must not depend on the part that the element lies in. So a
 * part has its whole's key, and a stretch of the last written axis begins where no group of vectors or rows is torn apart.
 */
import { cutAlong, cuttable } from '../../../codegen/cut.js';
import type { KernelIR } from '../../../codegen/ir.js';
import type { WasmKernel } from '../../../codegen/render/wasm/kernel.js';
import { repeatedWork, workOf } from './work.js';

export interface Part {
  readonly ir: KernelIR;
  readonly kernel: WasmKernel;
}

/** Nanoseconds of work below which a kernel stays on one thread, and that a part has at least. */
export interface Worth {
  readonly kernel: number;
  readonly part: number;
}

/** To wake a thread takes some 50 microseconds. */
export const WORTH: Worth = { kernel: 60_000, part: 25_000 };
/** Parts for each thread: whoever is late finds fewer left. */
const EACH = 4;
/** The longest part may be longer than the mean by so much. */
const UNEVEN = 1.3;
/** What all parts repeat may be this share of the work. */
const REPEATED = 0.08;

/** Lengths that parts are multiples of, the best first: 96 is whole vectors, rows of a block and lines of memory. */
const GRAINS = { last: [96, 32, 16], other: [96, 32, 16, 4, 1] } as const;

/** Undefined where a kernel is better left whole. `render` must be what made `whole` of `ir`. */
export function split(
  ir: KernelIR,
  whole: WasmKernel,
  render: (ir: KernelIR) => WasmKernel,
  { threads, worth }: { readonly threads: number; readonly worth: Worth },
): readonly Part[] | undefined {
  const work = workOf(ir);
  if (work < worth.kernel) return undefined;
  const most = Math.floor(work / worth.part);
  for (const { axis, repeated, grains } of candidates(ir, work)) {
    const limit = Math.min(most, Math.max(threads, isShort(ir, axis) ? 0 : (REPEATED * work) / repeated));
    for (const count of counts(threads, limit)) {
      const ends = endsOf(ir.extents[axis], count, grains);
      const parts = ends === undefined ? undefined : partsOf(ir, axis, ends, render);
      if (parts?.every(({ kernel }) => kernel.key === whole.key && kernel.words.length === whole.words.length)) return parts;
    }
  }
  return undefined;
}

/** The axes along which least is repeated come first, of equal ones the outermost. */
function candidates(ir: KernelIR, work: number) {
  const axes = cuttable(ir);
  const last = axes.at(-1);
  const all = axes.map((axis) => ({
    axis,
    repeated: repeatedWork(ir, axis),
    grains: axis === last ? GRAINS.last : GRAINS.other,
  }));
  const rank = ({ repeated }: (typeof all)[number]): number => (repeated < REPEATED * REPEATED * work ? 0 : repeated);
  return all.sort((a, b) => rank(a) - rank(b));
}

/** A fold whose operands lie side by side along the axis: its parts would be read in short stretches. */
const isShort = (ir: KernelIR, axis: number): boolean =>
  ir.kind === 'nest' && ir.folds.length > 0 && ir.inputs.some(({ strides }) => strides[axis] === 1);

/** How many parts to try, the best number first: as many for each thread, at most `most`. */
function counts(threads: number, most: number): readonly number[] {
  const each = Math.min(EACH, Math.floor(most / threads));
  const even = Array.from({ length: each }, (_, k) => (each - k) * threads);
  const fewer = Math.min(Math.floor(most), threads - 1);
  return fewer > 1 ? [...even, fewer] : even;
}

/** Where each part ends; undefined where parts would be too uneven. */
function endsOf(extent: number, count: number, grains: readonly number[]): readonly number[] | undefined {
  for (const grain of grains) {
    const ends = Array.from({ length: count }, (_, k) =>
      k + 1 === count ? extent : Math.round(((k + 1) * extent) / count / grain) * grain,
    );
    const lengths = ends.map((end, k) => end - (k === 0 ? 0 : ends[k - 1]));
    if (Math.min(...lengths) > 0 && Math.max(...lengths) <= (UNEVEN * extent) / count) return ends;
  }
  return undefined;
}

function partsOf(ir: KernelIR, axis: number, ends: readonly number[], render: (ir: KernelIR) => WasmKernel): readonly Part[] {
  // Parts of one length differ in offsets alone, which no kernel's words hold.
  const known = new Map<number, WasmKernel>();
  return ends.map((end, k) => {
    const from = k === 0 ? 0 : ends[k - 1];
    const part = cutAlong(ir, axis, from, end);
    let kernel = known.get(end - from);
    if (kernel === undefined) known.set(end - from, (kernel = render(part)));
    return { ir: part, kernel };
  });
}
