/**
 * @file `calibrate`: what kernels of a backend cost on this machine, as weights for plans of fusions.
 *
 * Each weight is the least of several rounds over the same kernel: whatever else the machine does only adds to a time. What moving
 * bytes takes is measured first, near the processor and far from it; an operation costs what its kernel takes beyond that.
 */
import type { Backend } from '../backends/index.js';
import { lowerElementwise } from '../codegen/lower/elementwise.js';
import { lower, type Work } from '../codegen/lower.js';
import { fault } from '../errors/index.js';
import { matmul } from '../ops/einsum/matmul.js';
import { readJob } from '../ops/evaluate.js';
import type { Job } from '../ops/evaluate/job.js';
import type { AnyOp } from '../ops/op.js';
import { s, type Scalar } from '../ops/scalar.js';
import { sum } from '../ops/reduce/index.js';
import { exp } from '../ops/unary/index.js';
import { totalOf, nodeWork } from '../plan/cost.js';
import { ACCESS_BYTES, moving, type FusionCostModel, type WorkKind } from '../plan/fusionCosts.js';
import { full } from '../tensor/fill.js';
import { rowMajorStrides } from '../tensor/shape.js';
import { clockOf, type ClockOptions } from './clock.js';
import { timeRuns } from './time-runs.js';

const NANOSECONDS = 1e6;
/** Elements that every cache holds with their copies, those that none does, and sizes between. */
const [NEAR, BETWEEN, FAR] = [2 ** 16, [2 ** 19, 2 ** 20, 2 ** 21, 2 ** 22], 2 ** 23];
const [SOME, SIDE] = [2 ** 17, 128];
/** Bytes that are copied in one round, so that small sizes are copied often. */
const ROUND = 2 ** 26;

interface Probe {
  readonly kind: WorkKind;
  readonly op: AnyOp;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly shapes: readonly (readonly number[])[];
  /** Runs in one round. */
  readonly runs: number;
}

/** Kinds that an op shows by itself. An instruction is hidden by what it waits for, unless there are many: see `MIX`. */
const probes = (): readonly Probe[] => [
  { kind: 'function', op: exp.definition, shapes: [[SOME]], runs: 4 },
  { kind: 'fold', op: sum.definition, params: { axis: [1] }, shapes: [[SOME / 512, 512]], runs: 8 },
  {
    kind: 'contraction',
    op: matmul.definition,
    shapes: [
      [SIDE, SIDE],
      [SIDE, SIDE],
    ],
    runs: 2,
  },
];

/** Ops that are met one after another, and divisions, each rounded as in a fused group. */
const MIX: readonly ((x: Scalar) => Scalar)[] = [(x) => s.mul(x, x), s.neg, (x) => s.mul(x, 0.5), (x) => s.add(x, 1), (x) => s.max(x, 0), (x) => s.mul(x, 2), (x) => s.sub(x, 0.25), s.abs]; // prettier-ignore
const DIVISIONS = Array.from({ length: 4 }, () => (x: Scalar) => s.div(0.5, x));
const inTurn = (steps: readonly ((x: Scalar) => Scalar)[]) => (x: Scalar) => steps.reduce((y, step) => s.roundTo('float32', step(y)), x); // prettier-ignore

/**
 * Measures kernels of a backend, and gives what they cost in nanoseconds: a cost model for `fusionPlanner`, `fuse`, `fusionCost`,
 * `optimize` and `analyze`. Takes a second or two, in which it computes on the calling thread, and 64 MiB of the backend's memory.
 *
 * ```ts
 * const costs = await calibrate({ backend: js() });
 * [costs.launch > 0, costs.memoryAccess > 0, costs.computeOf.contraction >= 0] // => [true, true, true]
 * const g = graph({ x: input([1000]) }, ({ x }) => ({ y: relu(neg(x)) }));
 * const { separate, fused } = fusionCost(g, [1, 2], { costs }); // nanoseconds
 * separate > fused // => true
 * ```
 *
 * @param options the backend, and a clock of milliseconds, `performance.now` by default: it alone decides what is measured
 * @throws EinstreamError E_ARGUMENT, as a rejection, for a clock that is no function, or that stands still while kernels run; what the
 *   backend throws
 */
export async function calibrate(
  options: ClockOptions & { readonly backend: Backend },
): Promise<FusionCostModel & Required<Pick<FusionCostModel, 'computeOf'>>> {
  const { backend } = options;
  const now = clockOf(options);
  const time = async (job: Pick<Job, 'inputs' | 'shape' | 'dtype'>, work: Work, runs: number): Promise<number> =>
    (await timeRuns(backend, job, work, runs, now)) * NANOSECONDS;
  const launch = await time(...over(1), 2000);
  /** Nanoseconds of an access where so many elements are copied. */
  const accessOf = async (count: number): Promise<number> =>
    Math.max(0, (await time(...over(count), ROUND / (2 * ACCESS_BYTES * count))) - launch) / (2 * count);
  const memoryAccess = await accessOf(FAR);
  if (!(memoryAccess > 0))
    throw fault('E_ARGUMENT', { place: 'clock', rule: 'it must go on while kernels run', actual: `${launch} ns for one element, no more for ${FAR}` }); // prettier-ignore
  const cacheAccess = Math.min(memoryAccess, await accessOf(NEAR));
  let cached = NEAR;
  // Nearer to what the cache takes than to what memory does.
  for (const count of BETWEEN) if ((await accessOf(count)) <= (cacheAccess + memoryAccess) / 2) cached = count;
  const costs = { memoryAccess, cacheAccess, cacheBytes: 2 * ACCESS_BYTES * cached, compute: 0, launch, bandwidth: (ACCESS_BYTES * 1e9) / memoryAccess }; // prettier-ignore
  const beyond = (spent: number, bytes: number, operations: number): number =>
    Math.max(0, spent - launch - moving(bytes, costs)) / operations;
  const onElements = async (steps: readonly ((x: Scalar) => Scalar)[]): Promise<number> =>
    beyond(await time(...over(SOME, inTurn(steps)), 8), 2 * ACCESS_BYTES * SOME, steps.length * SOME);
  const found = { elementwise: await onElements(MIX), division: await onElements(DIVISIONS), function: 0, fold: 0, contraction: 0, movement: 0 }; // prettier-ignore
  for (const { kind, op, params, shapes, runs } of probes()) {
    const job = readJob(op, shapes.map((shape) => full(shape, 0.5)), params ?? {}); // prettier-ignore
    const lowered = lower({ op, params: job.params, inputs: job.inputs, output: job, partialSums: backend.capabilities.partialSums }); // prettier-ignore
    const { operations, memory } = nodeWork({ op: op.name, params: job.params }, job.inputs, job);
    found[kind] = beyond(await time(job, lowered as Work, runs), memory, totalOf(operations));
  }
  return Object.freeze({ ...costs, compute: found.elementwise, computeOf: Object.freeze(found) });
}

/** A kernel that moves elements, and does nothing else unless it is told to. */
function over(
  count: number,
  value: (x: Scalar) => Scalar = (x) => x,
): [job: Pick<Job, 'inputs' | 'shape' | 'dtype'>, work: Work] {
  const [shape, dtype] = [[count], 'float32' as const];
  const ir = lowerElementwise({ inputs: [{ shape, dtype, strides: rowMajorStrides(shape) }], output: { shape, dtype } }, value); // prettier-ignore
  const calls = [{ ir, inputs: [{ of: 'input', index: 0 }], output: { of: 'output' } }] as const;
  return [
    { inputs: [full(shape, 0.5) as Job['inputs'][number]], shape, dtype },
    { kind: 'kernels', calls, temporaries: [] },
  ];
}
