/** @file Flows that are joined wait for each other within their credits, and never for ever (S14). */
import { expect } from 'chai';
import fc from 'fast-check';
import { map, Subject } from 'rxjs';
import { EinstreamError, fromObservable, join, pulled, toObservable } from '../../../src/index.js';
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
