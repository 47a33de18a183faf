/** @file Flows that are joined wait for each other within their credits, and never for ever (S14). */
import { expect } from 'chai';
import fc from 'fast-check';
import { map, Observable, Subject, take } from 'rxjs';
import { EinstreamError, fork, fromObservable, join, pulled, through, toObservable, type Flow } from '../../../src/index.js';
import { anyDag, buildDag } from '../../support/anyDag.js';
import { probed } from '../../support/flow-probe.js';
import { marbles } from '../../support/marbles.js';
import { propertyRuns, propertySeed } from '../../support/property.js';
import { expectNothingUncaught } from '../../support/uncaught.js';
import { watch } from '../../support/watch.js';

describe('join', () => {
  expectNothingUncaught();

  it('pairs the items of flows by position, and ends with the shortest; the others are cancelled', () => {
    let closed = 0;
    const naturals = {
      *[Symbol.iterator]() {
        try {
          for (let n = 0; ; n++) yield n;
        } finally {
          closed++;
        }
      },
    };
    const all = watch(toObservable(join({ n: pulled(naturals), letter: pulled('ab') })));
    expect(all.values.map((record) => ({ ...record }))).to.deep.equal([
      { n: 0, letter: 'a' },
      { n: 1, letter: 'b' },
    ]);
    expect([all.isComplete, closed]).to.deep.equal([true, 1]);
  });

  it('keeps names that every object inherits', () => {
    const names = JSON.parse('{ "__proto__": 1, "toString": 2 }') as Record<string, number>;
    const flows = Object.fromEntries(Object.entries(names).map(([name, value]) => [name, pulled([value])]));
    const [record] = watch(toObservable(join(flows))).values;
    expect(Object.entries(record)).to.deep.equal(Object.entries(names));
  });

  it('refuses to join nothing, what is no flow, and credits that are none', () => {
    for (const wrong of [() => join({}), () => join({ a: 3 } as never), () => join({ a: pulled([]) }, { credits: 0 })])
      expect(wrong).to.throw(EinstreamError).with.property('code', 'E_ARGUMENT');
  });

  it(
    'gives a record when its last item is there',
    marbles(({ hot, expectObservable, expectSubscriptions }) => {
      const a$ = hot('  a-b---c|');
      const aSubs = '   ^------!';
      const b$ = hot('  ---xy---z|');
      const bSubs = '   ^-------!';
      const expected = '---pq---(r|)';

      const kept = { policy: 'error', size: 9 } as const;
      const pairs$ = toObservable(join({ a: fromObservable(a$, kept), b: fromObservable(b$, kept) }));
      expectObservable(pairs$.pipe(map(({ a, b }) => a + b))).toBe(expected, { p: 'ax', q: 'by', r: 'cz' });
      expectSubscriptions(a$.subscriptions).toBe(aSubs);
      expectSubscriptions(b$.subscriptions).toBe(bSubs);
    }),
  );

  for (const credits of [1, 3])
    it(`lets a fast input be ahead by ${credits} at most, while the other is a thousand times slower (S14)`, () => {
      const slow = new Subject<string>();
      let pulls = 0;
      const fast = {
        *[Symbol.iterator]() {
          for (;;) yield pulls++;
        },
      };
      const inputs = { fast: pulled(fast), slow: fromObservable(slow, { policy: 'error', size: 0 }) };
      const probe = probed(join(inputs, { credits }));
      probe.edge().grant(100);
      for (let k = 1; k <= 10; k++) {
        expect(pulls).to.equal(k - 1 + credits);
        slow.next('item');
        expect(probe.values).to.have.length(k);
      }
      probe.edge().cancel();
      expect(slow.observed).to.equal(false);
    });

  it('gives the records before an error of an input, then that error, and cancels the others', () => {
    const error = new Error('mine');
    const bad = {
      *[Symbol.iterator]() {
        yield* [1, 2];
        throw error;
      },
    };
    const other = new Subject<number>();
    const probe = probed(join({ bad: pulled(bad), other: fromObservable(other, { policy: 'error', size: 9 }) }));
    probe.edge().grant(9);
    for (let k = 0; k < 3; k++) other.next(k);
    expect([probe.values.length, probe.error(), other.observed]).to.deep.equal([2, error, false]);
  });

  const DAGS = propertyRuns(150, 5_000, 100_000);
  it(`never stands still at credit 1, in ${DAGS.toLocaleString('en')} random graphs with slow and failing branches (S14)`, () => {
    let [complete, failed, forks] = [0, 0, 0];
    fc.assert(
      fc.property(anyDag(7), fc.infiniteStream(fc.nat(999)), (dag, dice) => {
        const { flow, seen, tasks } = buildDag(dag);
        const all = watch(toObservable(flow));
        while (tasks.later.length + tasks.last.length > 0) {
          const list = tasks.later.length > 0 ? tasks.later : tasks.last;
          list.splice(dice.next().value % list.length, 1)[0]();
        }
        const first = Math.min(...dag.nodes.map(({ failsAt }) => failsAt ?? Infinity));
        const fails = first < dag.items;
        expect([all.isComplete, all.error !== undefined, seen.open]).to.deep.equal([!fails, fails, 0]);
        expect(all.values).to.have.length(Math.min(first, dag.items));
        if (fails) failed++;
        else complete++;
        if (dag.nodes.some(({ inputs }) => inputs.length > 1)) forks++;
      }),
      { numRuns: DAGS, seed: propertySeed() },
    );
    expect(Math.min(complete, failed, forks)).to.be.greaterThan(0);
  });
});

describe('fork', () => {
  expectNothingUncaught();

  const endless = () => {
    const seen = { pulled: 0, opened: 0, closed: 0 };
    const source = {
      *[Symbol.iterator]() {
        seen.opened++;
        try {
          for (;;) yield seen.pulled++;
        } finally {
          seen.closed++;
        }
      },
    };
    return { seen, flow: pulled(source) };
  };

  it('refuses a count that is none', () => {
    for (const count of [0, -1, 1.5, Infinity])
      expect(() => fork(pulled([]), count))
        .to.throw(EinstreamError)
        .with.property('code', 'E_ARGUMENT');
  });

  it('begins with the last branch, and moves with the slowest', () => {
    const { seen, flow } = endless();
    const [a, b] = fork(flow, 2);
    const first = probed(a);
    first.edge().grant(5);
    expect([seen.opened, first.values]).to.deep.equal([0, []]);
    const second = probed(b);
    second.edge().grant(2);
    expect([first.values, second.values, seen.pulled]).to.deep.equal([[0, 1], [0, 1], 2]);
    second.edge().grant(9);
    expect([first.values.length, second.values.length, seen.pulled]).to.deep.equal([5, 5, 5]);
  });

  it('waits no more for a branch that has cancelled, and cancels with the last one (RS 3.14)', () => {
    const { seen, flow } = endless();
    const [a, b] = fork(flow, 2).map((branch) => probed(branch));
    a.edge().grant(4);
    b.edge().cancel();
    expect([a.values, b.values, seen.closed]).to.deep.equal([[0, 1, 2, 3], [], 0]);
    a.edge().cancel();
    expect(seen.closed).to.equal(1);
  });

  it('waits no more for one that leaves inside its own item, and gives that item to the others', () => {
    const { flow } = endless();
    const [leaving, staying] = fork(flow, 2);
    const left = probed(leaving, (kind, edge) => void (kind === 'next' && edge.cancel()));
    const stays = probed(staying);
    left.edge().grant(9);
    stays.edge().grant(3);
    expect([left.values, stays.values]).to.deep.equal([[0], [0, 1, 2]]);
  });

  it('opens the flow once for the first openings of all branches, once for the second ones', () => {
    const { seen, flow } = endless();
    const [a, b] = fork(flow, 2);
    const opened = [a, a, b, b].map((branch) => probed(branch));
    for (const { edge } of opened) edge().grant(2);
    expect([seen.opened, opened.map(({ values }) => values.length)]).to.deep.equal([2, [2, 2, 2, 2]]);
  });

  it('asks for everything when all branches do', () => {
    const branches = fork(pulled([1, 2, 3]), 3).map((branch) => probed(branch));
    for (const { edge } of branches) edge().grant(Infinity);
    for (const { values, log } of branches) expect([values, log.at(-1)]).to.deep.equal([[1, 2, 3], 'complete']);
  });

  it('tells all branches of an error, the same object', () => {
    const error = new Error('mine');
    const bad: Flow<number> = fromObservable(
      new Observable<number>((subscriber) => {
        subscriber.next(1);
        subscriber.error(error);
      }),
      { policy: 'error', size: 1 },
    );
    const [a, b] = fork(bad, 2).map((branch) => probed(branch));
    a.edge().grant(3);
    b.edge().grant(3);
    expect([a.values, b.values, a.error() === error, b.error() === error]).to.deep.equal([[1], [1], true, true]);
  });

  it('makes a diamond of which both sides are in step', () => {
    const [a, b] = fork(pulled([1, 2, 3]), 2);
    const double = through(map((x: number) => 2 * x), { credits: 1 })(a); // prettier-ignore
    const sums$ = toObservable(join({ a: double, b })).pipe(map(({ a, b }) => a + b));
    expect(watch(sums$.pipe(take(5))).values).to.deep.equal([3, 6, 9]);
  });
});
