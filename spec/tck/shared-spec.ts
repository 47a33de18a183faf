/** @file Runs that are shared, subscribed to late, or fed by their own consumers (S1, S2, S3, S4). */
import { expect } from 'chai';
import { ReplaySubject, share, Subject, type Observable } from 'rxjs';
import {
  add,
  graph,
  input,
  liveMemory,
  mul,
  run,
  serialSubject,
  tensor,
  type Outputs,
  type RunOptions,
  type Tensor,
} from '../../src/index.js';
import { probing } from '../support/middleware.js';
import { propertyRuns } from '../support/property.js';

const g = graph({ x: input([1]) }, ({ x }) => ({ y: mul(x, 10) }));
const feed = (k: number) => ({ x: [k] });
const elementOf = ({ data }: Tensor): number => Number(data[0]);
const ROUNDS = propertyRuns(20_000, 1_000_000, 1_000_000);
const ITEMS = propertyRuns(10_000, 200_000, 1_000_000);

/** What a subscriber hears: numbers, then the end. */
function hear(outputs$: Observable<Outputs>): unknown[] {
  const log: unknown[] = [];
  outputs$.subscribe({
    next: ({ y }) => log.push((y.toArray() as number[])[0]),
    error: (error: unknown) => log.push(error),
    complete: () => log.push('complete'),
  });
  return log;
}

describe('a run', () => {
  const COUNT = 8;
  const all = Array.from({ length: COUNT }, (_, k) => 10 * k);

  it('that is cold starts anew for each subscriber, however late (S1, RS 1.10)', () => {
    const outputs$ = new Subject<{ x: number[] }>();
    const cold$ = outputs$.pipe(run(g));
    for (let late = 0; late <= COUNT; late++) {
      const heard = hear(cold$);
      outputs$.next(feed(late));
      expect(heard).to.deep.equal([10 * late]);
    }
  });

  const policies: readonly (readonly [string, number, (outputs$: Observable<Outputs>) => Observable<Outputs>])[] = [
    ['live: nothing of what was', 0, share()],
    ['with a replay of 3', 3, share({ connector: () => new ReplaySubject(3) })],
    ['with all of it replayed', COUNT, share({ connector: () => new ReplaySubject(Infinity) })],
  ];
  for (const [policy, replayed, sharing] of policies)
    it(`that is shared gives a late subscriber the same suffix, ${policy} (S1, RS 1.11)`, () => {
      for (let late = 0; late <= COUNT; late++) {
        const source = new Subject<{ x: number[] }>();
        let runs = 0;
        const outputs$ = source.pipe(run(g, { use: [probing(() => runs++)] }), sharing);
        const early = hear(outputs$);
        let heard: unknown[] = [];
        for (let k = 0; k <= COUNT; k++) {
          if (k === late) heard = hear(outputs$);
          if (k < COUNT) source.next(feed(k));
        }
        source.complete();
        const suffix = [...all.slice(Math.max(0, late - replayed)), 'complete'];
        expect([early, heard, runs], `late by ${late}`).to.deep.equal([[...all, 'complete'], suffix, COUNT]);
      }
    });

  for (const ends of ['complete', 'error'] as const)
    it(`that is shared for good and has ended (${ends}) tells every late subscriber the same end, once (S2)`, () => {
      const error = new Error('mine');
      const source = new Subject<{ x: number[] }>();
      const outputs$ = source.pipe(run(g), share({ resetOnComplete: false, resetOnError: false, resetOnRefCountZero: false }));
      const early = hear(outputs$);
      source.next(feed(1));
      if (ends === 'complete') source.complete();
      else source.error(error);
      const end = ends === 'complete' ? 'complete' : error;
      const late = [hear(outputs$), hear(outputs$)];
      expect([early, ...late]).to.deep.equal([[10, end], [end], [end]]);
      if (ends === 'error') for (const heard of late) expect(heard[0]).to.equal(error);
    });

  for (const ends of ['complete', 'error'] as const)
    it(`on a subject that has ended (${ends}) ends at once, with the same error (S2)`, () => {
      const error = new Error('mine');
      const source = new Subject<{ x: number[] }>();
      if (ends === 'complete') source.complete();
      else source.error(error);
      expect(hear(source.pipe(run(g)))).to.deep.equal([ends === 'complete' ? 'complete' : error]);
    });

  it('that is shared keeps order for all consumers when one of them feeds the source (S3)', () => {
    const source = new Subject<{ x: number[] }>();
    const outputs$ = source.pipe(run(g), share());
    let [violations, heard] = [0, 0];
    for (let consumer = 0; consumer < 3; consumer++) {
      let expected = 0;
      outputs$.subscribe(({ y }) => {
        const k = elementOf(y) / 10;
        if (k !== expected++) violations++;
        heard++;
        if (consumer === 0 && k + 1 < ITEMS) source.next(feed(k + 1));
      });
    }
    source.next(feed(0));
    expect([violations, heard]).to.deep.equal([0, 3 * ITEMS]);
  }).timeout(60_000);

  it('keeps order beside two others when they hang on a serial subject (S3, F7)', () => {
    const source = serialSubject<{ x: number[] }>();
    let [violations, heard] = [0, 0];
    for (let consumer = 0; consumer < 3; consumer++) {
      let expected = 0;
      source.pipe(run(g)).subscribe(({ y }) => {
        const k = elementOf(y) / 10;
        if (k !== expected++) violations++;
        heard++;
        if (consumer === 0 && k + 1 < ITEMS) source.next(feed(k + 1));
      });
    }
    source.next(feed(0));
    expect([violations, heard]).to.deep.equal([0, 3 * ITEMS]);
  }).timeout(60_000);

  const increment = graph({ x: input([1], { dtype: 'float64' }) }, ({ x }) => ({ y: add(x, 1) }));
  const loops: readonly (readonly [string, RunOptions, number])[] = [
    ['', {}, ROUNDS],
    [', with borrowed outputs', { outputs: 'borrow' }, ROUNDS / 4],
    [', step by step', { compose: 'separate' }, ROUNDS / 4],
    [', through middleware', { use: [probing(() => undefined)] }, ROUNDS / 4],
  ];
  for (const [how, options, rounds] of loops)
    it(`feeds itself ${rounds.toLocaleString('en')} times without growing the stack${how} (S4, RS 3.2, 3.3)`, () => {
      const source = new Subject<{ x: Tensor }>();
      let [depth, deepest, count, wrong] = [0, 0, 0, 0];
      source.pipe(run(increment, options)).subscribe(({ y }) => {
        deepest = Math.max(deepest, ++depth);
        count++;
        if (elementOf(y) !== count) wrong++;
        if (count < rounds) source.next({ x: options.outputs === 'borrow' ? tensor(Float64Array.of(elementOf(y))) : y });
        depth--;
      });
      source.next({ x: tensor(Float64Array.of(0)) });
      expect({ deepest, count, wrong, ...liveMemory() }).to.deep.equal({
        deepest: 1,
        count: rounds,
        wrong: 0,
        frames: 0,
        bytes: 0,
      });
    }).timeout(60_000);

  it('feeds another one that feeds it, without growing the stack (S4)', () => {
    const [ping, pong] = [new Subject<{ x: Tensor }>(), new Subject<{ x: Tensor }>()];
    let [depth, deepest, last] = [0, 0, 0];
    const rounds = ROUNDS / 4;
    for (const [from, to] of [
      [ping, pong],
      [pong, ping],
    ])
      from.pipe(run(increment)).subscribe(({ y }) => {
        deepest = Math.max(deepest, ++depth);
        last = elementOf(y);
        if (last < rounds) to.next({ x: y });
        depth--;
      });
    ping.next({ x: tensor(Float64Array.of(0)) });
    expect([deepest <= 2, last]).to.deep.equal([true, rounds]);
  }).timeout(60_000);
});
