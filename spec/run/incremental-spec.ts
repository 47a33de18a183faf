/** @file Incremental computation: only what lies below a change runs again, and versions never mix (B10). Kernel runs are counted. */
import { expect } from 'chai';
import fc from 'fast-check';
import { BehaviorSubject, queueScheduler } from 'rxjs';
import {
  add,
  evaluateSync,
  graph,
  input,
  live,
  logicalNot,
  mul,
  named,
  neg,
  param,
  relu,
  sub,
  sum,
  tensor,
  type Tensor,
} from '../../src/index.js';
import { counting } from '../support/countingBackend.js';
import { plain } from '../support/marbles.js';
import { propertyRuns, propertySeed } from '../support/property.js';
import { randomGraph } from '../support/random-graph.js';

describe('live, counted', () => {
  it('recomputes only nodes below what changed, at every level', () => {
    const g = graph({ x: input([2]), w: input([2]), v: param(tensor([1, 1])) }, ({ x: a, w: b, v }) => {
      const left = named('left', sum(mul(a, a))); //  of x alone
      const right = named('right', sum(mul(b, v))); // of w and v
      return { y: add(left, right) };
    });
    const { backend, taken } = counting();
    const [x$, w$, v$] = [new BehaviorSubject([1, 2]), new BehaviorSubject([3, 4]), new BehaviorSubject([1, 1])];
    const seen: unknown[] = [];
    const subscription = live(g, { x: x$, w: w$, v: v$ }, { backend, level: 'none', scheduler: queueScheduler }).subscribe(
      ({ y: out }) => seen.push(out.toArray()),
    );
    expect([seen.pop(), taken()]).to.deep.equal([12, 5]); //  all
    x$.next([2, 2]);
    expect([seen.pop(), taken()]).to.deep.equal([15, 3]); //  mul, sum, add
    w$.next([0, 4]);
    expect([seen.pop(), taken()]).to.deep.equal([12, 3]);
    v$.next([2, 1]);
    expect([seen.pop(), taken()]).to.deep.equal([undefined, 1]); //  0 · 2 is 0 still, so nothing goes on
    w$.next(w$.value);
    expect([seen.pop(), taken()]).to.deep.equal([undefined, 0]); //  the same tensor again
    subscription.unsubscribe();
  });

  it('stops at a node whose value has the same bits, and tells 0 from −0', () => {
    const g = graph({ x: input([2]) }, ({ x: a }) => ({ y: neg(named('r', sum(relu(a)))) }));
    const { backend, taken } = counting();
    const x$ = new BehaviorSubject([-1, 1]);
    const seen: unknown[] = [];
    live(g, { x: x$ }, { backend, level: 'none', scheduler: queueScheduler }).subscribe(({ y: out }) => seen.push(out.toArray()));
    taken();
    x$.next([-5, 1]); //  relu computes the same
    expect([seen.length, taken()]).to.deep.equal([1, 1]);
    const signs: unknown[] = [];
    const z$ = new BehaviorSubject([0]);
    live(
      graph({ x: input([1]) }, ({ x: a }) => ({ y: mul(a, 1) })),
      { x: z$ },
      { scheduler: queueScheduler },
    ).subscribe(({ y: out }) => signs.push((out.toArray() as number[])[0]));
    z$.next([-0]);
    z$.next([-0]);
    expect(signs).to.have.length(2);
    expect(Object.is(signs[1], -0)).to.equal(true);
  });

  it('gives an output that did not change as the same tensor', () => {
    const g = graph({ x: input([2]) }, ({ x }) => ({ positive: relu(x), negative: neg(x) }));
    const x$ = new BehaviorSubject([-1, 1]);
    const seen: Tensor[][] = [];
    live(g, { x: x$ }, { level: 'none', scheduler: queueScheduler }).subscribe(({ positive, negative }) =>
      seen.push([positive, negative]),
    );
    x$.next([-2, 1]);
    expect(seen.map((outputs) => outputs.map((t) => t.toArray()))).to.deep.equal([
      [
        [0, 1],
        [1, -1],
      ],
      [
        [0, 1],
        [2, -1],
      ],
    ]);
    expect([seen[1][0] === seen[0][0], seen[1][1] === seen[0][1]]).to.deep.equal([true, false]);
  });

  it('is free of glitches: a diamond never mixes an old branch with a new one', () => {
    const diamond = graph({ x: input([1]) }, ({ x: a }) => ({ y: sub(mul(a, 3), add(add(a, a), a)) }));
    const { backend, taken } = counting();
    const x$ = new BehaviorSubject([0]);
    const seen: unknown[] = [];
    live(diamond, { x: x$ }, { backend, level: 'none', scheduler: queueScheduler }).subscribe(({ y: out }) =>
      seen.push(out.toArray()),
    );
    taken();
    for (let k = 1; k <= 100; k++) x$.next([k]);
    expect(seen).to.deep.equal([[0]]); // 3x − (x + x + x) is 0 whenever both are of one moment
    expect(taken()).to.equal(400); // each of the four nodes once a change
  });

  it('gives for any graph and any changes what a new evaluation gives, with no more kernel runs (B10)', () => {
    fc.assert(
      fc.property(
        randomGraph({ maxMoves: 16 }),
        fc.array(fc.nat({ max: 9 }), { maxLength: 6 }),
        ({ graph: g, feeds }, changes) => {
          const names = Object.keys(feeds);
          if (names.length === 0) return;
          const sources = Object.fromEntries(names.map((name) => [name, new BehaviorSubject<Tensor>(feeds[name])]));
          const { backend, taken } = counting();
          let last: unknown;
          const subscription = live(g, sources, { backend, scheduler: queueScheduler }).subscribe((out) => (last = plain(out)));
          const all = taken();
          let current: Record<string, Tensor> = { ...feeds };
          for (const change of changes) {
            const name = names[change % names.length];
            current = { ...current, [name]: current[name].dtype === 'bool' ? logicalNot(current[name]) : neg(current[name]) };
            sources[name].next(current[name]);
            expect(taken()).to.be.at.most(all);
            expect(last).to.deep.equal(plain(evaluateSync(g, current)));
          }
          subscription.unsubscribe();
        },
      ),
      { seed: propertySeed(), numRuns: propertyRuns(100, 1_000, 10_000) },
    );
  });
});
