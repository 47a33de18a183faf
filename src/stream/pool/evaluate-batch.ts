/**
 * @file `evaluateBatch`: many feeds, a few at a time, one promise.
 */
import type { Feeds, Outputs } from '../../run/index.js';
import type { Graph, Names } from '../../graph/graph.js';
import type { GraphExecutor } from './balance.js';
import { cancellable, type Cancellable } from '../../run/cancellable.js';
import { number } from './checks.js';
import { hereWith } from './here.js';
import { checkKnown } from '../options.js';

/** How `evaluateBatch` goes about it. */
export interface BatchOptions {
  /** Who computes: a pool, or this thread by default. */
  readonly executor?: Pick<GraphExecutor, 'evaluate'>;
  /** Most that are computed at the same time; 4 by default. */
  readonly concurrency?: number;
  readonly signal?: AbortSignal;
}

/**
 * Computes a graph for each of many feeds. The results are in the order of the feeds. The first failure cancels the rest, unless
 * `settle`: then each result says how it ended, as `Promise.allSettled` does.
 *
 * ```ts
 * const doubled = graph({ x: input([]) }, ({ x }) => ({ y: mul(x, 2) }));
 * const answers = await evaluateBatch(doubled, [{ x: 1 }, { x: 2 }, { x: 3 }], { concurrency: 2 });
 * answers.map(({ y }) => y.toArray()) // => [2, 4, 6]
 * const settled = await evaluateBatch(doubled, [{ x: 1 }, { x: [1, 2] }], { settle: true });
 * settled.map(({ status }) => status) // => ['fulfilled', 'rejected']
 * ```
 *
 * @throws EinstreamError E_ARGUMENT for wrong options, at the call
 */
export function evaluateBatch<I extends Names, O extends Names>(
  graph: Graph<I, O>,
  feeds: readonly Feeds<I>[],
  options: BatchOptions & { readonly settle: true },
): Cancellable<readonly PromiseSettledResult<Outputs<O>>[]>;
export function evaluateBatch<I extends Names, O extends Names>(
  graph: Graph<I, O>,
  feeds: readonly Feeds<I>[],
  options?: BatchOptions & { readonly settle?: false },
): Cancellable<readonly Outputs<O>[]>;
export function evaluateBatch(
  graph: Graph,
  feeds: readonly Feeds[],
  { executor = hereWith({}), concurrency = 4, signal, ...rest }: BatchOptions & { readonly settle?: boolean } = {},
): Cancellable<readonly unknown[]> {
  checkKnown('evaluateBatch', rest, ['settle']);
  const most = number('concurrency', concurrency, 1, 'integer');
  const isSettling = rest.settle === true;
  return cancellable((done, fail) => {
    const results: unknown[] = new Array<unknown>(feeds.length);
    const controller = new AbortController();
    let [next, left] = [0, feeds.length];
    let isOver = false;
    const stop = (reason: unknown): void => {
      if (isOver) return;
      isOver = true;
      fail(reason);
      controller.abort(reason);
    };
    const settled = (index: number, result: PromiseSettledResult<Outputs>): void => {
      if (isOver) return;
      results[index] = isSettling ? result : (result as PromiseFulfilledResult<Outputs>).value;
      if (--left > 0) return begin();
      isOver = true;
      done(results);
    };
    const begin = (): void => {
      if (isOver || next >= feeds.length) return;
      const index = next++;
      asked(() => executor.evaluate(graph, feeds[index], { signal: controller.signal })).then(
        (value) => settled(index, { status: 'fulfilled', value }),
        (reason: unknown) => (isSettling ? settled(index, { status: 'rejected', reason }) : stop(reason)),
      );
    };
    if (left === 0) done(results);
    for (let k = 0; k < most && k < feeds.length; k++) begin();
    return stop;
  }, signal);
}

/** What it throws at once is a rejection as any other. */
const asked = async (ask: () => Promise<Outputs>): Promise<Outputs> => ask();
