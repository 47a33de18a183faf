/**
 * @file `vectorized`: the items of a batch in one run, where the graph treats rows alike.
 */
import { concatMap, defer, from, of, toArray, type Observable, type OperatorFunction } from 'rxjs';
import { EinstreamError, fault, type Diagnostic } from '../../errors/index.js';
import type { Graph, Names } from '../../graph/graph.js';
import { nameOf, nodesOf } from '../../graph/graph.js';
import { slice } from '../../ops/movement/index.js';
import type { Feeds, Outputs } from '../../run/feeds.js';
import type { RunOptions } from '../../run/options.js';
import { run } from '../../run/run.js';
import { range } from '../../tensor/index.js';
import { consumerFailed } from '../demand/failures.js';
import { mergeResults, rowsIn } from '../chunk/rows.js';
import { checkKnown } from '../options.js';
import { reasonAgainst } from './rowwise.js';

/** What happens where items cannot be stacked. */
export interface VectorizedOptions {
  /** `'single'` (default) runs the items of such a batch one by one, and `onDiagnostic` hears why, once for each reason; `'never'` is an error. */
  readonly fallback?: 'single' | 'never';
  readonly onDiagnostic?: (diagnostic: Diagnostic) => void;
  /** How the graph runs: backend, level, middleware. */
  readonly run?: RunOptions;
}

const PLACE = 'vectorized';

/**
 * Runs each batch of items as one: their rows are joined along axis 0, each kernel runs once, and the rows of the outputs are handed
 * out again, as views. Each item may have several rows.
 *
 * That is right where each row of an output depends on the same row of the inputs alone, which is decided from the graph: all inputs have
 * an open axis in front, of one name, and no op works across it. Params are shared, so an item that feeds one is run alone.
 *
 * ```ts
 * const g = graph({ x: input(['n', 2]) }, ({ x }) => ({ y: sum(x, { axis: 1 }) }));
 * const batch = [{ x: [[1, 2]] }, { x: [[3, 4], [5, 6]] }];
 * of(batch).pipe(vectorized(g), map((items) => items.map(({ y }) => y.toArray()))) // => [[[3], [7, 11]]]
 * ```
 *
 * @throws EinstreamError E_ARGUMENT for wrong options, and with `fallback: 'never'` for a graph that works across rows, at the call, or for a
 *   batch that does not fit together, on the stream; what `run` throws
 */
export function vectorized<I extends Names, O extends Names>(
  graph: Graph<I, O>,
  options: VectorizedOptions = {},
): OperatorFunction<readonly Feeds<I>[], readonly Outputs<O>[]> {
  checkKnown(PLACE, options, ['fallback', 'onDiagnostic', 'run']);
  const { fallback = 'single', onDiagnostic } = options;
  if (fallback !== 'single' && fallback !== 'never')
    throw fault('E_ARGUMENT', { place: PLACE, rule: 'the option has a fixed set of values', expected: "'single' or 'never'", actual: String(fallback) }); // prettier-ignore
  if (options.run?.outputs === 'borrow')
    throw fault('E_ARGUMENT', {
      place: PLACE,
      rule: 'results that are handed out together cannot be lent',
      expected: "outputs: 'copy'",
    });
  const operator = run(graph, options.run);
  const general = reasonAgainst(graph);
  if (general !== undefined && fallback === 'never') throw refusal(general);
  const tell = (reason: string): void => {
    try {
      onDiagnostic?.({ ...refusal(reason).diagnostic, severity: 'info' });
    } catch (error) {
      throw consumerFailed('onDiagnostic', error);
    }
  };
  const params = new Set([...nodesOf(graph)].filter(({ op }) => op === 'param').map(nameOf));
  return (batches$) =>
    defer(() => {
      const told = new Set<string>();
      const single = (items: readonly Feeds<I>[], reason: string): Observable<readonly Outputs<O>[]> => {
        if (fallback === 'never') throw refusal(reason);
        if (!told.has(reason)) {
          told.add(reason);
          tell(reason);
        }
        return from(items).pipe(operator, toArray());
      };
      return batches$.pipe(
        concatMap((items) => {
          if (items.length === 0) return of([]);
          if (general !== undefined) return single(items, general);
          const joined = join(items, params);
          if ('reason' in joined) return single(items, joined.reason);
          return of(joined.feeds as Feeds<I>).pipe(
            operator,
            concatMap((outputs) => {
              const odd = Object.entries(outputs as Outputs).find(([, { shape }]) => shape[0] !== joined.rows);
              return odd === undefined ? of(handedOut(outputs, joined.counts)) : single(items, `output ${odd[0]} has other rows`);
            }),
          );
        }),
      );
    });
}

interface Joined {
  readonly feeds: Feeds;
  readonly counts: readonly number[];
  readonly rows: number;
}

/** All items as one, or why that cannot be. */
function join(items: readonly Feeds[], params: ReadonlySet<string>): Joined | { readonly reason: string } {
  const fed = items.flatMap((item) => Object.keys(item)).find((name) => params.has(name));
  if (fed !== undefined) return { reason: `an item feeds the param ${fed}, which all share` };
  try {
    const counts = items.map((item) => rowsIn(Object.entries(item)));
    return { feeds: mergeResults(items), counts, rows: counts.reduce((sum, count) => sum + count, 0) };
  } catch (error) {
    if (error instanceof EinstreamError) return { reason: error.message };
    throw error;
  }
}

function handedOut<O extends Names>(outputs: Outputs<O>, counts: readonly number[]): readonly Outputs<O>[] {
  let start = 0;
  return counts.map((count) => {
    const item = Object.create(null) as Record<string, unknown>;
    for (const [name, value] of Object.entries(outputs as Outputs)) item[name] = slice(value, range(start, start + count));
    start += count;
    return item as Outputs<O>;
  });
}

const refusal = (reason: string) =>
  fault('E_ARGUMENT', {
    place: PLACE,
    rule: 'items are joined where the graph treats rows alike',
    actual: reason,
    hint: "let them run one by one: { fallback: 'single' }",
  });
