/**
 * @file The pipeline in parts: one operator for each node of the optimised graph, and the two ends.
 */
import type { OperatorFunction } from 'rxjs';
import type { Graph, Names, OpNode } from '../graph/graph.js';
import { admit as admitFeeds } from './admit.js';
import { emit as emitFrames } from './emit.js';
import type { Feeds, Outputs } from './feeds.js';
import type { Frame } from './frame.js';
import { readSettings, type RunOptions } from './options.js';
import type { Prepared } from './prepare.js';
import { composedSteps, preparedFor } from './run.js';
import type { Step } from './step.js';
import { carryTape } from './tapes.js';

const visible = (graph: Graph, options: RunOptions): Prepared => preparedFor(graph, options, readSettings(options), true);

/**
 * The steps of a run, in the order of execution: `feeds$.pipe(admit(g), …operators, emit(g))` is `run(g)` spelt out.
 * All three take the same options; middleware is applied once, so its state must belong to subscriptions, as it should.
 * RxJS loses values without an error in pipes of about 1,000 operators and more; `run` cuts them, a pipe by hand does not.
 *
 * ```ts
 * const g = graph({ x: input([2]) }, ({ x }) => ({ y: sum(relu(x)) }));
 * steps(g, { level: 'none' }).map(({ node }) => node.op) // => ['relu', 'sum']
 * ```
 *
 * @throws EinstreamError like `run`
 */
export function steps(graph: Graph, options: RunOptions = {}): readonly { readonly node: OpNode; readonly operator: Step }[] {
  return composedSteps(visible(graph, options), readSettings(options)).map(({ node, operator }) => ({ node, operator }));
}

/**
 * From feeds to frames: the first part of a run that is composed by hand from `steps`.
 *
 * ```ts
 * const g = graph({ x: input([2]) }, ({ x }) => ({ y: sum(relu(x)) }));
 * of({ x: [-1, 2] }).pipe(admit(g), ...steps(g).map(({ operator }) => operator), emit(g), map(({ y }) => y.toArray())) // => [2]
 * ```
 */
export const admit = <I extends Names>(graph: Graph<I>, options: RunOptions = {}): OperatorFunction<Feeds<I>, Frame> =>
  admitFeeds(visible(graph, options));

/**
 * From frames to outputs: the last part of a run that is composed by hand from `steps`.
 *
 * ```ts
 * const g = graph({ x: input([2]) }, ({ x }) => ({ y: x }));
 * of({ x: [1, 2] }).pipe(admit(g), emit(g), map(({ y }) => y.toArray())) // => [[1, 2]]
 * ```
 */
export const emit = <O extends Names>(graph: Graph<Names, O>, options: RunOptions = {}): OperatorFunction<Frame, Outputs<O>> =>
  emitFrames(visible(graph, options), { emitted: carryTape }) as OperatorFunction<Frame, Outputs<O>>;
