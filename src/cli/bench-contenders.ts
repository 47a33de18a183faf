/**
 * @file One contender for each backend and level: what it computes, whether that is right, and what it costs by count.
 */
import type { Backend } from '../backends/index.js';
import type { Diagnostic } from '../errors/index.js';
import type { Graph } from '../graph/graph.js';
import { inferTypes } from '../graph/shapes.js';
import { wholeCost } from '../passes/graph-cost.js';
import type { Level } from '../passes/index.js';
import { compile } from '../run/compile/index.js';
import { computing } from '../run/computing.js';
import type { Outputs } from '../run/feeds.js';
import { isFloating } from '../tensor/dtype.js';
import { sameShape } from '../tensor/shape.js';
import type { Tensor } from '../tensor/tensor.js';
import type { BackendName } from './bench-options.js';
import type { Contender } from './benching.js';

type Feeds = Readonly<Record<string, Tensor>>;

export interface BenchContender extends Contender {
  readonly backend: BackendName;
  readonly level: Level;
  /** Kernels of a frame, the bytes that they read and write, and those that it holds. */
  readonly kernels: number;
  readonly movedBytes: number;
  readonly heldBytes: number;
  /** Largest distance from what `js` gives at `none`, as a part of the largest number of the output. */
  readonly offBy: number;
}

export interface Contending {
  readonly graph: Graph;
  readonly feeds: Feeds;
  readonly level: Level;
  readonly name: BackendName;
  readonly backend: Backend;
  /** What is right. */
  readonly want: Outputs;
  readonly onDiagnostic: (diagnostic: Diagnostic) => void;
}

/** @throws EinstreamError what a run does */
export function benchContender({ graph, feeds, level, name, backend, want, onDiagnostic }: Contending): BenchContender {
  const shapes = Object.fromEntries(Object.entries(feeds).map(([key, { shape }]) => [key, shape]));
  const compiled = compile(graph, { level, backend, shapes });
  const cost = wholeCost(compiled.graph, inferTypes(compiled.graph));
  const compute = computing(graph, { level, backend, outputs: 'borrow', onDiagnostic });
  const first = compute(feeds);
  const offBy = Math.max(0, ...Object.entries(want).map(([key, value]) => distance(first.outputs[key], value)));
  first.giveBack();
  return {
    backend: name,
    level,
    kernels: cost?.kernels ?? NaN,
    movedBytes: cost?.bytes ?? NaN,
    heldBytes: compiled.statistics.memoryBytes ?? NaN,
    offBy,
    frame: () => compute(feeds).giveBack(),
  };
}

/** What backends and levels may be apart: they round in another order. */
export const ALLOWED = 1e-4;

/** Largest difference as a part of the largest finite number; Infinity where shapes, whole numbers or what is not finite differ. */
export function distance(got: Tensor, want: Tensor): number {
  if (got.dtype !== want.dtype || !sameShape(got.shape, want.shape)) return Infinity;
  const [a, b] = [got.data, want.data] as readonly Float64Array[];
  let [most, largest] = [0, 0];
  for (let i = 0; i < b.length; i++) {
    if (Number.isFinite(b[i])) largest = Math.max(largest, Math.abs(b[i]));
    if (a[i] === b[i] || (Number.isNaN(a[i]) && Number.isNaN(b[i]))) continue;
    if (!isFloating(want.dtype) || !Number.isFinite(a[i] - b[i])) return Infinity;
    most = Math.max(most, Math.abs(a[i] - b[i]));
  }
  return most === 0 ? 0 : most / largest;
}
