/** @file Faults that users reported of streams elsewhere: each with its input, on what does the same work here. */
import { expect } from 'chai';
import { concatMap, from, interval, map, merge, of, Subject, tap, timer, type Observable } from 'rxjs';
import {
  chunk,
  consume,
  EinstreamError,
  evaluateSync,
  fork,
  fromObservable,
  graph,
  input,
  live,
  mul,
  named,
  parallel,
  pulled,
  retrying,
  run,
  serialSubject,
  toAsyncIterable,
  toObservable,
  window,
  type Runner,
} from '../../src/index.js';
import { virtually } from '../support/marbles.js';
import { failingFor } from '../support/middleware.js';
import { expectNothingUncaught } from '../support/uncaught.js';
import { watch } from '../support/watch.js';
import { readFamily } from './corpus.js';

interface Bug {
  readonly id: string;
  readonly area: string;
  readonly symptom: string;
}

const doubled = graph({ x: input([]) }, ({ x }) => ({ y: named('y', mul(x, 2)) }));
const numbers = (count: number): number[] => Array.from({ length: count }, (_, k) => k);
const sorted = (values: readonly number[]): number[] => [...values].sort((a, b) => a - b);

/** Two consumers of one source, in each way that there is to share one. */
const SHARED: Readonly<Record<string, (ticks$: Observable<number>) => readonly Observable<unknown>[]>> = {
  fork: (ticks$) => fork(fromObservable(ticks$, { policy: 'latest' }), 2).map(toObservable),
  live: (ticks$) => [live(doubled, { x: ticks$.pipe(map((x) => evaluateSync(doubled, { x }).y)) })],
  run: (ticks$) => [ticks$.pipe(map((x) => ({ x })), run(doubled))], // prettier-ignore
};

const CHECKS: Readonly<Record<string, () => void | Promise<void>>> = {
  'bug-079': () => {
    for (const [how, shared] of Object.entries(SHARED))
      virtually(({ flush }) => {
        let ticks = 0;
        let atLeaving = NaN;
        const reading = merge(...shared(interval(5).pipe(tap(() => ticks++)))).subscribe();
        timer(22).subscribe(() => {
          reading.unsubscribe();
          atLeaving = ticks;
        });
        timer(82).subscribe();
        flush();
        expect([atLeaving, ticks], how).to.deep.equal([4, 4]);
      });
  },
  'bug-082': () => {
    let finished = 0;
    const answer = (feeds: { readonly x: number }) => evaluateSync(doubled, feeds);
    const over = {
      run: () =>
        concatMap(
          (feeds: { readonly x: number }) =>
          (feeds.x < 10 ? timer(5) : of(0)).pipe(map(() => answer(feeds)), tap({ finalize: () => finished++ })), // prettier-ignore
        ),
    } as unknown as Runner;
    virtually(({ flush }) => {
      const seen = watch(from(numbers(600).map((x) => ({ x }))).pipe(parallel(doubled, { concurrency: 10, over })));
      flush();
      expect(seen.values.map(({ outputs }) => outputs!.y.toArray())).to.deep.equal(numbers(600).map((x) => 2 * x));
      expect([finished, seen.isComplete]).to.deep.equal([600, true]);
    });
  },
  'bug-083': () => {
    for (const rows$ of [new Subject<{ x: number[] }>(), serialSubject<{ x: number[] }>()]) {
      const [seen, pushed]: [number[], number[]] = [[], []];
      const push = (value: number): void => {
        pushed.push(value);
        rows$.next({ x: [value] });
      };
      let isEnding = false;
      rows$.pipe(chunk({ count: 2 })).subscribe(({ feeds: { x } }) => {
        for (const value of (x as number[][]).flat()) {
          seen.push(value);
          if (value < 40 && !isEnding) push(100 + value);
        }
      });
      for (const k of numbers(40)) push(k);
      isEnding = true;
      rows$.complete();
      expect(pushed.length).to.be.greaterThan(70);
      expect(sorted(seen)).to.deep.equal(sorted(pushed));
    }
  },
  'bug-084': () => {
    const records = numbers(10).map((value) => ({ kind: 'record', time: 20 * value, value }) as const);
    for (const kind of [{ tumbling: { sizeMs: 100 } }, { hopping: { sizeMs: 100, everyMs: 100 } }, { count: { size: 3 } }]) {
      const { values } = watch(from(records).pipe(window<number>(kind)));
      expect(sorted(values.flatMap((each) => each.values)), JSON.stringify(kind)).to.deep.equal(numbers(10));
    }
  },
  'bug-085': () => {
    const boom = new Error('boom');
    let tries = 0;
    const failing = failingFor('y', () => ++tries > 0, boom);
    const policy = { count: 20_000, delay: () => 0 };
    virtually(({ flush }) => {
      const use = [retrying(policy), failing];
      const seen = watch(of({ x: 1 }).pipe(run(doubled, { use })));
      flush();
      expect(tries).to.equal(20_001);
      expect((seen.error as EinstreamError).cause).to.equal(boom);
    });
  },
  'bug-087': async () => {
    const boom = new Error('boom');
    let produced = 0;
    function* source() {
      for (const k of [1, 2, 3]) yield (produced++, k);
    }
    const throwing = (): never => {
      throw boom;
    };
    const seen = watch(toObservable(pulled(source())).pipe(consume(throwing)));
    expect([produced, (seen.error as EinstreamError).code, (seen.error as EinstreamError).cause]).to.deep.equal([1, 'E_CONSUMER', boom]); // prettier-ignore
    produced = 0;
    const reading = (async () => {
      for await (const _ of toAsyncIterable(pulled(source()))) throwing();
    })();
    expect(await reading.catch((error: unknown) => error)).to.equal(boom);
    expect(produced).to.equal(1);
  },
  'bug-089': () => {
    const boom = new Error('boom');
    const values$ = serialSubject<number>();
    const throwing = watch(
      values$.pipe(
        consume(() => {
          throw boom;
        }),
      ),
    );
    const good = watch(values$.pipe(consume(() => undefined)));
    for (const value of [1, 2]) values$.next(value);
    expect(good.values).to.deep.equal([1, 2]);
    expect([(throwing.error as EinstreamError).code, throwing.values]).to.deep.equal(['E_CONSUMER', []]);
  },
};

const bugs = (readFamily('bugs') as readonly Bug[]).filter(({ area }) => area === 'stream');

describe('a fault reported of streams', () => {
  expectNothingUncaught();
  for (const { id, symptom } of bugs) it(`is not made: ${symptom} (${id})`, () => CHECKS[id]());
});
