/** @file Independent items, several at once: never more than said, in order, each with its own failure (F013–F015). */
import { expect } from 'chai';
import fc from 'fast-check';
import { concatMap, from, map, mergeMap, Observable, of, timer, type OperatorFunction } from 'rxjs';
import {
  add,
  EinstreamError,
  einsum,
  environment,
  evaluateSync,
  graph,
  input,
  js,
  parallel,
  param,
  relu,
  runBatch,
  sum,
  tensor,
  type Outputs,
  type Runner,
} from '../../../src/index.js';
import { marbles, plain, virtually } from '../../support/marbles.js';
import { propertyRuns, propertySeed } from '../../support/property.js';
import { expectNothingUncaught } from '../../support/uncaught.js';
import { watch } from '../../support/watch.js';

const g = graph({ x: input([2]) }, ({ x }) => ({ y: sum(x), z: relu(x) }));
const codeOf = (error: unknown): unknown => (error instanceof EinstreamError ? error.code : error);
const item = (k: number) => ({ x: [k, 1] });

/** Runs that take as long as the first element says, and count. */
function slow(): Runner & { readonly peak: () => number } {
  let [running, peak] = [0, 0];
  const later = <T>(ms: number): OperatorFunction<T, T> => concatMap((value) => timer(ms).pipe(map(() => value)));
  return {
    peak: () => peak,
    run: ((_graph: unknown) => (feeds$: Observable<{ readonly x: readonly number[] }>) =>
      feeds$.pipe(
        mergeMap(({ x: [ms] }) => {
          peak = Math.max(peak, ++running);
          return of({ y: tensor(ms) }).pipe(later(ms), map((value) => (running--, value))); // prettier-ignore
        }),
      )) as never,
  };
}

describe('parallel (F014)', () => {
  expectNothingUncaught();

  it(
    'works on as many items at once as said, and keeps their order',
    marbles(({ hot, expectObservable, expectSubscriptions }) => {
      const items$ = hot(' (abcd|)', { a: item(5), b: item(2), c: item(4), d: item(1) });
      const subs = '       (^!)';
      const one = '        -----a-b---c(d|)';
      const two = '        -----(ab)(cd|)'; // a result keeps its place until those before it have left
      const names = map(({ index }: { readonly index: number }) => 'abcd'[index]);

      expectObservable(items$.pipe(parallel(g, { concurrency: 1, over: slow() }), names)).toBe(one);
      expectObservable(items$.pipe(parallel(g, { concurrency: 2, over: slow() }), names)).toBe(two);
      expectSubscriptions(items$.subscriptions).toBe([subs, subs]);
    }),
  );

  it('never has more in flight, whatever the items take, and gives each its result', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 9 }), { maxLength: 20 }),
        fc.integer({ min: 1, max: 6 }),
        (times, concurrency) => {
          const over = slow();
          virtually(({ flush }) => {
            const seen = watch(from(times.map(item)).pipe(parallel(g, { concurrency, over })));
            flush();
            expect(seen.values.map(({ index, outputs }) => [index, outputs!.y.toArray()])).to.deep.equal(
              times.map((ms, k) => [k, ms]),
            );
          });
          expect(over.peak()).to.equal(Math.min(concurrency, times.length));
        },
      ),
      { seed: propertySeed(), numRuns: propertyRuns(20, 300, 3000) },
    );
  });

  it('has as many in flight as there are processors by default', () => {
    const over = slow();
    virtually(({ flush }) => {
      watch(from(Array.from({ length: 40 }, () => item(3))).pipe(parallel(g, { over })));
      flush();
    });
    expect(over.peak()).to.equal(Math.min(40, environment().threads));
  });

  it('lets a failed item fail alone, with its index, or all with failFast', () => {
    const items = [item(1), { x: [1, 2, 3] }, item(2)];
    const alone = watch(from(items).pipe(parallel(g, { concurrency: 2 })));
    expect(alone.values.map(({ outputs, error }) => outputs?.y.toArray() ?? codeOf(error))).to.deep.equal([2, 'E_FEED', 3]);
    expect((alone.values[1].error as EinstreamError).diagnostic.context).to.include('in item 1 of the batch');
    const fast = watch(from(items).pipe(parallel(g, { concurrency: 1, failFast: true })));
    expect([fast.values.length, codeOf(fast.error)]).to.deep.equal([1, 'E_FEED']);
    expect((fast.error as EinstreamError).diagnostic.context).to.include('in item 1 of the batch');
  });

  it('passes what is not ours through, and says when a run gives nothing', () => {
    const error = new Error('mine');
    const runner = (give: Observable<never>): Runner => ({ run: () => () => give }) as never;
    const failing = new Observable<never>((subscriber) => subscriber.error(error));
    expect(watch(of(item(1)).pipe(parallel(g, { over: runner(failing) }))).values[0].error).to.equal(error);
    const silent = new Observable<never>((subscriber) => subscriber.complete());
    expect(codeOf(watch(of(item(1)).pipe(parallel(g, { over: runner(silent) }))).values[0].error)).to.equal('E_CONSUMER');
  });

  it('refuses wrong options at the call', () => {
    const wrong: readonly object[] = [{ concurrency: 0 }, { concurrency: Infinity }, { failFast: 'yes' }, { over: {} }, { over: slow(), run: {} }, { clock: 3 }, { run: { outputs: 'borrow' } }, { threads: 3 }]; // prettier-ignore
    for (const options of wrong)
      expect(() => parallel(g, options as never), JSON.stringify(options))
        .to.throw(EinstreamError)
        .with.property('code', 'E_ARGUMENT');
  });
});

describe('runBatch (F013) (F015)', () => {
  expectNothingUncaught();
  const layer = graph({ x: input(['n', 3]), w: param(tensor([[1, 2], [0.1, -4], [7, 0.3]])) }, (all) => ({ y: relu(add(einsum('ni,io->no', all.x, all.w), 0.7)) })); // prettier-ignore

  it('gives N results as of N runs, in order, all outputs of each, bit for bit', async () => {
    const feeds = Array.from({ length: 9 }, (_, k) => ({ x: Array.from({ length: 1 + (k % 3) }, (__, j) => [k / 3, j / 7, Math.sin(k)]) })); // prettier-ignore
    const backend = js();
    for (const concurrency of [undefined, 1, 4]) {
      const { outputs, length, failures, isEmpty, itemTimesMs } = await runBatch(layer, feeds, { concurrency, run: { backend } });
      expect([length, isEmpty, failures, itemTimesMs.length]).to.deep.equal([9, false, [], 9]);
      expect(outputs.map((each) => plain({ ...each }))).to.deep.equal(feeds.map((each) => plain({ ...(evaluateSync(layer, each, { backend }) as Outputs) }))); // prettier-ignore
    }
    expect(Object.keys((await runBatch(g, [item(1)])).outputs[0]!)).to.deep.equal(['y', 'z']);
  });

  it('of nothing is nothing', async () => {
    const result = await runBatch(g, []);
    expect([result.length, result.isEmpty, [...result], result.failures]).to.deep.equal([0, true, [], []]);
  });

  it('lists failures by index, or rejects with the first', async () => {
    const feeds = [item(1), { x: [1] }, item(2), { x: 3 }] as never;
    const { failures, outputs } = await runBatch(g, feeds);
    expect(failures.map(({ index, error }) => [index, codeOf(error)])).to.deep.equal([
      [1, 'E_FEED'],
      [3, 'E_FEED'],
    ]);
    expect(outputs.map((each) => each?.y.toArray())).to.deep.equal([2, undefined, 3, undefined]);
    expect(codeOf(await runBatch(g, feeds, { failFast: true }).catch((error: unknown) => error))).to.equal('E_FEED');
    expect(codeOf(await runBatch(g, 3 as never).catch((error: unknown) => error))).to.equal('E_ARGUMENT');
  });

  it('measures the whole and each item by its clock, and iterates over its outputs', async () => {
    const times = [0, 1, 3, 10, 14, 20];
    const result = await runBatch(g, [item(1), item(2)], { clock: () => times.shift()! });
    expect([result.totalTimeMs, result.itemTimesMs]).to.deep.equal([20, [2, 4]]);
    expect([...result].map((each) => each!.y.toArray())).to.deep.equal([2, 3]);
  });
});
