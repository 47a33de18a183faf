/** @file Branches of a flow move in step. */
import { expect } from 'chai';
import { map, Observable, take } from 'rxjs';
import { EinstreamError, fork, fromObservable, join, pulled, through, toObservable, type Flow } from '../../../src/index.js';
import { probed } from '../../support/flow-probe.js';
import { expectNothingUncaught } from '../../support/uncaught.js';
import { watch } from '../../support/watch.js';

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
