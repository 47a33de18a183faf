/**
 * @file An executor that executes nothing.
 */
import { executor, type Executor } from '../executor.js';
import { resultOf } from '../executor/execution.js';
import type { Names } from '../graph/graph.js';
import type { Outputs } from '../run/index.js';
import { nullBackend } from './null-backend.js';

const nothing = <O extends Names>() => resultOf<O>(Object.create(null) as Outputs<O>);

/**
 * An executor whose outputs are empty, whatever it is given: for tests of code that only has to call one.
 * It validates, infers shapes and tells capabilities as another does; for outputs of the right shapes see `nullBackend`.
 *
 * ```ts
 * const g = graph({ x: input([2]) }, ({ x }) => ({ y: relu(x) }));
 * dummyExecutor().execute(g, { x: [1, 2] }).length // => 0
 * ```
 */
export function dummyExecutor(): Executor {
  const real = executor({ backend: nullBackend() });
  return Object.freeze<Executor>({
    ...real,
    addHook(hook) {
      real.addHook(hook);
      return this;
    },
    execute: () => nothing(),
    executeAsync: <_ extends Names, O extends Names>() =>
      Object.assign(Promise.resolve(nothing<O>()), { cancel: () => undefined }),
  });
}
