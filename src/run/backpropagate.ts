/**
 * @file From outputs that were recorded to gradients: an operator that runs the way back, and nothing forward.
 */
import { concatMap, defer, from, map, type OperatorFunction } from 'rxjs';
import { requireFloating, targetsOf, type Target } from '../autodiff/targets.js';
import { readName, wayBack, type WayBack } from '../autodiff/way-back.js';
import { describeValue, fault } from '../errors/index.js';
import type { Graph } from '../graph/graph.js';
import { keysOf } from '../graph/keys.js';
import { inferTypes } from '../graph/shapes.js';
import { isFloating, type ComputedDType } from '../tensor/dtype.js';
import { ones } from '../tensor/index.js';
import { formatShape, sameShape } from '../tensor/shape.js';
import type { Tensor } from '../tensor/tensor.js';
import { evaluate, evaluateSync } from './evaluate.js';
import type { Outputs } from './feeds.js';
import type { RunOptions } from './options.js';
import { tapeOfOutputs } from './tapes.js';

/** What `backpropagate` is asked for. */
export interface BackpropagateOptions extends Pick<RunOptions, 'backend' | 'level' | 'fallback'> {
  /** The output that is differentiated, or several: their gradients add. */
  readonly of: string | readonly string[];
  /** By which: all floating-point inputs and params by default. */
  readonly wrt?: readonly string[];
  /** What the elements of each output weigh: `'ones'`, or tensors by name. Needed where an output is no scalar. */
  readonly seed?: 'ones' | Readonly<Record<string, Tensor>>;
}

interface Way extends WayBack {
  readonly of: readonly Target[];
}

/**
 * From outputs that `taping` recorded to gradients by name, one record for each. The way back is a graph of its own, compiled once.
 *
 * ```ts
 * const g = graph({ x: input([3]) }, ({ x }) => ({ y: exp(x) }));
 * of({ x: [0, 0, 1] }).pipe(run(g, { use: [taping()] }), backpropagate({ of: 'y', seed: 'ones' }), map(({ x }) => x.toArray())) // => [[1, 1, 2.718282]]
 * ```
 *
 * @throws EinstreamError on the stream: E_GRADIENT for outputs that nothing recorded, for a target that is no scalar where no seed
 *   is given and for an op without a rule; E_ARGUMENT for unknown names; E_SHAPE for a seed that does not fit
 */
export function backpropagate(options: BackpropagateOptions): OperatorFunction<Outputs, Outputs> {
  const { backend, level, fallback } = options;
  const run = { backend, level, fallback };
  const ways = new WeakMap<Graph, Way>();
  const prepared = (outputs: Outputs): readonly [Graph, Readonly<Record<string, Tensor>>] => {
    const tape = tapeOfOutputs(outputs);
    if (tape === undefined) throw unrecorded(outputs);
    let way = ways.get(tape.graph);
    if (way === undefined) ways.set(tape.graph, (way = wayFor(tape.graph, options)));
    const feeds: Record<string, Tensor> = {};
    for (const id of way.reads) feeds[readName(id)] = tape.values.get(id)!;
    for (const { name } of way.of) feeds[`${name}.cotangent`] = seedOf(name, outputs[name], options.seed);
    return [way.graph, feeds];
  };
  return backend?.capabilities.asynchronous === true
    ? concatMap((outputs) => defer(() => from(evaluate(...prepared(outputs), run))))
    : map((outputs) => evaluateSync(...prepared(outputs), run));
}

function wayFor(graph: Graph, options: BackpropagateOptions): Way {
  const types = inferTypes(graph);
  const isReal = (id: number): boolean => types[id]!.dtype === undefined || isFloating(types[id]!.dtype);
  const of = targetsOf(graph, 'of', options.of);
  for (const each of of) requireFloating('what is differentiated', each, types[each.id]!);
  const wrt = targetsOf(graph, 'wrt', options.wrt ?? graph.inputs.filter(isReal).map((id) => keysOf(graph)[id]!));
  return { ...wayBack(graph, of, wrt), of };
}

function seedOf(name: string, value: Tensor | undefined, seed: BackpropagateOptions['seed']): Tensor {
  if (value === undefined)
    throw fault('E_ARGUMENT', { place: 'backpropagate', rule: '`of` must name an output', actual: JSON.stringify(name) });
  const { shape, dtype, size } = value;
  if (typeof seed === 'object') {
    const own = Object.hasOwn(seed, name) ? seed[name] : undefined;
    if (own !== undefined && sameShape(own.shape, shape)) return own;
    throw fault('E_SHAPE', {
      place: name,
      rule: 'a seed must have the shape of its output',
      expected: formatShape(shape),
      actual: own === undefined ? 'none' : formatShape(own.shape),
    });
  }
  if (seed === 'ones' || size === 1) return ones(shape, { dtype: dtype as ComputedDType });
  throw fault('E_GRADIENT', {
    place: name,
    rule: 'an output that is no scalar needs a seed: what each of its elements weighs',
    actual: `shape ${formatShape(shape)}`,
    hint: "seed: 'ones', or tensors by name",
  });
}

const unrecorded = (outputs: unknown) =>
  fault('E_GRADIENT', {
    place: 'backpropagate',
    rule: 'the outputs must have been recorded',
    actual: describeValue(outputs),
    hint: 'run the graph with { use: [taping()] }, and pass its outputs on as they are',
  });
