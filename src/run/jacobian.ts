/**
 * @file The whole matrix of slopes, row by row: forward once, then the way back once for each element of the output.
 */
import { concatMap, from, map, type OperatorFunction } from 'rxjs';
import { targetsOf, requireFloating } from '../autodiff/targets.js';
import { readName, wayBack } from '../autodiff/way-back.js';
import { freezeGraph } from '../graph/builder.js';
import type { Graph, Names } from '../graph/graph.js';
import { inferTypes } from '../graph/shapes.js';
import { throwIfBroken } from '../graph/validate/validate.js';
import { arrayOf } from '../tensor/dtype.js';
import { numElements } from '../tensor/shape.js';
import { tensorOver, type Tensor } from '../tensor/tensor.js';
import { evaluate, evaluateSync } from './evaluate.js';
import type { Feeds, Outputs } from './feeds.js';
import { readSettings, type RunOptions } from './options.js';

/** What is differentiated by what, and how it is run. */
export interface JacobianOptions extends Omit<RunOptions, 'keep' | 'outputs' | 'use' | 'compose'> {
  readonly of: string;
  readonly wrt: readonly string[];
}

/**
 * From feeds to Jacobians: for each of `wrt` the slopes of every element of `of` by every element of it, of shape
 * [...shape of `of`, ...shape of the variable].
 *
 * ```ts
 * const g = graph({ x: input([2]) }, ({ x }) => ({ y: mul(x, sum(x)) }));
 * of({ x: [1, 2] }).pipe(jacobian(g, { of: 'y', wrt: ['x'] }), map(({ x }) => x.toArray())) // => [[[4, 1], [2, 5]]]
 * ```
 *
 * Costs the forward pass and one way back for each element of `of`.
 *
 * @throws EinstreamError as `gradient` at the call; as `run` on the stream
 */
export function jacobian<I extends Names>(
  graph: Graph<I>,
  { of, wrt, ...options }: JacobianOptions,
): OperatorFunction<Feeds<I>, Outputs> {
  readSettings(options);
  throwIfBroken(graph);
  const [target] = targetsOf(graph, 'of', of);
  const variables = targetsOf(graph, 'wrt', wrt);
  const types = inferTypes(graph);
  requireFloating('what is differentiated', target, types[target.id]!);
  for (const each of variables) requireFloating('what is differentiated by', each, types[each.id]!);
  const back = wayBack(graph, [target], variables);
  const ids = [...new Set([...back.reads, target.id, ...variables.map(({ id }) => id)])];
  const forward = freezeGraph({ ...graph, outputs: ids.map((id) => ({ name: readName(id), id })) }) as Graph;

  function* rows(feeds: Feeds): Generator<readonly [Graph, Feeds], Outputs, Outputs> {
    const values = yield [forward, feeds];
    const y = values[readName(target.id)];
    const reads = Object.fromEntries(back.reads.map((id) => [readName(id), values[readName(id)]]));
    const result = variables.map(({ id }) => emptyRows(y, values[readName(id)]));
    for (let row = 0; row < y.size; row++) {
      const slopes = yield [back.graph, { ...reads, [`${target.name}.cotangent`]: unit(y, row) }];
      variables.forEach(({ name }, k) =>
        (result[k].data as Float64Array).set(slopes[name].data as Float64Array, row * slopes[name].size),
      );
    }
    return Object.assign(Object.create(null) as Outputs, Object.fromEntries(variables.map(({ name }, k) => [name, result[k]])));
  }
  return options.backend?.capabilities.asynchronous === true
    ? concatMap((feeds) => from(driveLater(rows(feeds), options)))
    : map((feeds) => drive(rows(feeds), options));
}

type Rows = Generator<readonly [Graph, Feeds], Outputs, Outputs>;

function drive(rows: Rows, options: RunOptions): Outputs {
  let step = rows.next();
  while (step.done !== true) step = rows.next(evaluateSync(...step.value, options));
  return step.value;
}

async function driveLater(rows: Rows, options: RunOptions): Promise<Outputs> {
  let step = rows.next();
  while (step.done !== true) step = rows.next(await evaluate(...step.value, options));
  return step.value;
}

function emptyRows(y: Tensor, { dtype, shape }: Tensor): Tensor {
  const whole = [...y.shape, ...shape];
  return tensorOver(new (arrayOf(dtype))(numElements(whole)), dtype, whole);
}

function unit({ dtype, shape, size }: Tensor, at: number): Tensor {
  const elements = new (arrayOf(dtype))(size);
  elements[at] = 1;
  return tensorOver(elements, dtype, shape);
}
