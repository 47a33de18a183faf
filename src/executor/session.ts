/**
 * @file Forward, backward, gradients: the seed's way of working, over the operators that record and go back.
 *
 * What a forward pass recorded belongs to its outputs, so passes may be gone back over in any order.
 */
import type { OperatorFunction } from 'rxjs';
import { describeValue, fault } from '../errors/index.js';
import type { Graph, Names } from '../graph/graph.js';
import { inferTypes } from '../graph/shapes.js';
import { backpropagate, run, taping, type Feeds, type Outputs, type RunOptions } from '../run/index.js';
import { isFloating } from '../tensor/dtype.js';
import type { Tensor } from '../tensor/tensor.js';
import { resultOf, type Execution } from './execution.js';
import { only } from './only.js';

/** Forward and backward passes of an executor. */
export interface GradientSession {
  /**
   * Runs a graph, and records what the way back reads.
   *
   * @throws EinstreamError as `evaluateSync`
   */
  forward<I extends Names, O extends Names>(graph: Graph<I, O>, feeds: Feeds<I>): Execution<O>;
  /**
   * The gradients by every floating-point input and param, by name; zeros where no output depends on it. Also kept for `gradients()`.
   *
   * @param outputGrads what the elements of each output weigh: a list in the outputs' order, or by name. Outputs that are no
   *   floating-point numbers are left out of the record, and their place in the list is not read.
   * @throws EinstreamError E_GRADIENT for outputs that `forward` did not give; E_SHAPE for a gradient that does not fit its output;
   *   E_ARGUMENT for a list that is not as long as the outputs
   */
  backward(outputs: Execution, outputGrads: readonly Tensor[] | Readonly<Record<string, Tensor>>): Outputs;
  /** Those of the latest `backward`. @throws EinstreamError E_GRADIENT before the first */
  gradients(): Outputs;
  /** The seed's name for `gradients`. */
  get_gradients(): Outputs;
}

/** The way back of one graph, compiled once: `weights` are read at each pass. */
interface Back {
  readonly names: readonly string[];
  readonly weights: Record<string, Tensor>;
  readonly operator: OperatorFunction<Outputs, Outputs>;
}

export function gradientSession(settings: RunOptions): GradientSession {
  const graphs = new WeakMap<object, Graph>();
  const ways = new WeakMap<Graph, Back>();
  let latest: Outputs | undefined;
  const gradients = (): Outputs => {
    if (latest !== undefined) return latest;
    throw fault('E_GRADIENT', {
      place: 'gradients',
      rule: 'backward comes first',
      hint: 'executor.backward(outputs, gradients)',
    });
  };
  return {
    forward: <I extends Names, O extends Names>(graph: Graph<I, O>, feeds: Feeds<I>): Execution<O> => {
      requireSynchronous(settings);
      const outputs = resultOf(only(feeds, run(graph, { ...settings, use: [taping()] })));
      graphs.set(outputs, graph);
      return outputs;
    },
    backward(outputs, outputGrads) {
      const graph = graphs.get(outputs);
      if (graph === undefined)
        throw fault('E_GRADIENT', {
          place: 'backward',
          rule: 'the outputs must be those of a forward pass of this executor',
          actual: describeValue(outputs),
          hint: 'call executor.forward(graph, feeds) first, and pass what it gives',
        });
      let back = ways.get(graph);
      if (back === undefined) ways.set(graph, (back = backOf(graph, settings)));
      const given = weightsOf(graph, outputGrads);
      for (const name of back.names) back.weights[name] = given[name]!;
      return (latest = only(outputs.byName, back.operator));
    },
    gradients,
    get_gradients: gradients,
  };
}

function backOf(graph: Graph, { backend, level, fallback }: RunOptions): Back {
  const types = inferTypes(graph);
  const names = graph.outputs.filter(({ id }) => isFloating(types[id]?.dtype ?? 'float32')).map(({ name }) => name);
  const weights = Object.create(null) as Record<string, Tensor>;
  return { names, weights, operator: backpropagate({ of: names, seed: weights, backend, level, fallback }) };
}

function weightsOf({ outputs }: Graph, given: unknown): Readonly<Record<string, Tensor | undefined>> {
  if (!Array.isArray(given)) {
    if (typeof given === 'object' && given !== null) return given as Readonly<Record<string, Tensor>>;
    throw fault('E_ARGUMENT', {
      place: 'backward',
      rule: 'gradients of the outputs are a list, or a record by name',
      actual: describeValue(given),
    });
  }
  if (given.length !== outputs.length)
    throw fault('E_ARGUMENT', {
      place: 'backward',
      rule: 'each output has its gradient',
      expected: String(outputs.length),
      actual: String(given.length),
    });
  return Object.fromEntries(outputs.map(({ name }, at) => [name, given[at] as Tensor]));
}

function requireSynchronous({ backend }: RunOptions): void {
  if (backend?.capabilities.asynchronous === true)
    throw fault('E_ARGUMENT', {
      place: 'forward',
      rule: 'an asynchronous backend cannot answer at once',
      actual: `backend ${backend.name}`,
      hint: 'pipe feeds through run(graph, { use: [taping()] }) and backpropagate(…)',
    });
}
