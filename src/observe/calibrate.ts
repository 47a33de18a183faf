/**
 * @file `calibrate`: what kernels of a backend cost on this machine, as weights for plans of fusions.
 *
 * Each weight is the least of several rounds over the same kernel: whatever else the machine does only adds to a time. What moving
 * bytes takes is measured first; an operation costs what its kernel takes beyond that, which is nothing where memory is slower.
 */
import type { Backend } from '../backends/index.js';
import { lowerElementwise } from '../codegen/lower/elementwise.js';
import { lower, type Work } from '../codegen/lower.js';
import { fault } from '../errors/index.js';
import { add } from '../ops/binary/index.js';
import { matmul } from '../ops/einsum/matmul.js';
import { readJob } from '../ops/evaluate.js';
import type { Job } from '../ops/evaluate/job.js';
import type { AnyOp } from '../ops/op.js';
import { sum } from '../ops/reduce/index.js';
import { exp } from '../ops/unary/index.js';
import { nodeCost } from '../plan/cost.js';
import { ACCESS_BYTES, moving, type FusionCostModel, type WorkKind } from '../plan/fusionCosts.js';
import { full } from '../tensor/fill.js';
import { rowMajorStrides } from '../tensor/shape.js';
import { clockOf, type ClockOptions } from './clock.js';
import { timeRuns } from './time-runs.js';

const NANOSECONDS = 1e6;
/** Elements that no cache near the processor holds, and a few that any does. */
const [MANY, SIDE] = [2 ** 20, 128];

interface Probe {
  readonly kind: WorkKind;
  readonly op: AnyOp;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly shapes: readonly (readonly number[])[];
  /** Runs in one round. */
  readonly runs: number;
}

/** Of each kind what is met most, cheap and dear. */
const probes = (): readonly Probe[] => [
  { kind: 'elementwise', op: add.definition, shapes: [[MANY / 8], [MANY / 8]], runs: 16 },
  { kind: 'elementwise', op: exp.definition, shapes: [[MANY / 8]], runs: 4 },
  { kind: 'fold', op: sum.definition, params: { axis: [1] }, shapes: [[MANY / 1024, 512]], runs: 8 },
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

/**
 * Measures kernels of a backend, and gives what they cost in nanoseconds: a cost model for `fusionPlanner`, `fuse`, `fusionCost`,
 * `optimize` and `analyze`. Takes a few tenths of a second, in which it computes on the calling thread.
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
  const launch = await time(...copying(1), 2000);
  const copied = await time(...copying(MANY), 4);
  if (!(copied > launch))
    throw fault('E_ARGUMENT', { place: 'clock', rule: 'it must go on while kernels run', actual: `${copied} ns for ${MANY} elements, ${launch} ns for one` }); // prettier-ignore
  const memoryAccess = (copied - launch) / (2 * MANY);
  const costs = { memoryAccess, compute: 0, launch, bandwidth: (ACCESS_BYTES * 1e9) / memoryAccess };
  const found = new Map<WorkKind, number[]>();
  for (const { kind, op, params, shapes, runs } of probes()) {
    const job = readJob(op, shapes.map((shape) => full(shape, 0.5)), params ?? {}); // prettier-ignore
    const lowered = lower({ op, params: job.params, inputs: job.inputs, output: job, partialSums: backend.capabilities.partialSums }); // prettier-ignore
    const { compute, memory } = nodeCost({ op: op.name, params: job.params }, job.inputs, job);
    const spent = (await time(job, lowered as Work, runs)) - launch - moving(memory, costs);
    found.set(kind, [...(found.get(kind) ?? []), Math.max(0, spent) / compute]);
  }
  const of = (kind: WorkKind): number => found.get(kind)!.reduce((total, each) => total + each, 0) / found.get(kind)!.length;
  const computeOf = { elementwise: of('elementwise'), fold: of('fold'), contraction: of('contraction'), movement: 0 };
  return Object.freeze({ ...costs, compute: computeOf.elementwise, computeOf: Object.freeze(computeOf) });
}

/** A kernel that does nothing but move elements. */
function copying(count: number): [job: Pick<Job, 'inputs' | 'shape' | 'dtype'>, work: Work] {
  const [shape, dtype] = [[count], 'float32' as const];
  const ir = lowerElementwise({ inputs: [{ shape, dtype, strides: rowMajorStrides(shape) }], output: { shape, dtype } }, (x) => x); // prettier-ignore
  const calls = [{ ir, inputs: [{ of: 'input', index: 0 }], output: { of: 'output' } }] as const;
  return [
    { inputs: [full(shape, 0.5) as Job['inputs'][number]], shape, dtype },
    { kind: 'kernels', calls, temporaries: [] },
  ];
}
