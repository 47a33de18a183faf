/** @file Progress as a stream: when it speaks, and what it says. */
import { expect } from 'chai';
import { of, Subject } from 'rxjs';
import { context, graph, input, mul, progress, run, type Progress } from '../../src/index.js';
import { failing } from '../support/middleware.js';
import { thrownBy } from '../support/thrownBy.js';

const g = graph({ x: input([]) }, ({ x }) => ({ y: mul(x, 2) }));

/** A report whose clock goes on by hand, and what it has said. */
function watched() {
  let at = 0;
  const { hook, progress$ } = progress({ clock: () => at });
  const seen: Progress[] = [];
  progress$.subscribe((each) => seen.push(each));
  return { hook, seen, pass: (ms: number) => (at += ms) };
}

describe('progress', () => {
  it('tells phases and feeds of a run, in order, ends at 1, and never falls', () => {
    const { hook, seen, pass } = watched();
    const feeds = new Subject<{ x: number }>();
    feeds.pipe(run(g, { context: context({ hooks: [hook], total: 4 }) })).subscribe();
    for (let x = 0; x < 4; x++) {
      pass(10);
      feeds.next({ x });
    }
    feeds.complete();

    expect(seen.map(({ phase, frames }) => `${phase} ${frames}`)).to.deep.equal([
      'GraphLoad 0',
      'Preparing 0',
      ...[0, 1, 2, 3].flatMap((k) => [`Execution ${k}`, `Waiting ${k + 1}`]),
      'Complete 4',
    ]);
    const fractions = seen.map((each) => each.progress);
    expect(fractions).to.deep.equal([...fractions].sort((a, b) => a - b));
    expect(fractions.at(-1)).to.equal(1);
  });

  it('knows the pace, and how long the rest takes at this pace', () => {
    const { hook, seen, pass } = watched();
    const feeds = new Subject<{ x: number }>();
    feeds.pipe(run(g, { context: context({ hooks: [hook], total: 4 }) })).subscribe();
    expect(seen.at(-1)).to.include({ framesPerSecond: 0, remainingMs: undefined });
    pass(250);
    feeds.next({ x: 1 });

    const last = seen.at(-1)!;
    expect(last).to.include({ elapsedMs: 250, framesPerSecond: 4 });
    // One of four feeds, and completing counts as one more piece of work.
    expect(last.remainingMs).to.be.closeTo(250 * 4, 1e-9);
  });

  it('tells of failure and of cancelling, and keeps runs apart', () => {
    const { hook, seen } = watched();
    const ctx = context({ hooks: [hook] });
    of({ x: 1 })
      .pipe(run(g, { context: ctx, use: [failing('y', 1)] }))
      .subscribe({ error: () => undefined });
    new Subject<{ x: number }>()
      .pipe(run(g, { context: ctx }))
      .subscribe()
      .unsubscribe();

    expect(
      seen.filter(({ phase }) => /Failed|Cancelled/.test(phase)).map(({ run: number, phase }) => [number, phase]),
    ).to.deep.equal([
      [1, 'Failed'],
      [2, 'Cancelled'],
    ]);
  });

  it('refuses a clock that is none', () => {
    expect(thrownBy(() => progress({ clock: 3 as never }))).to.include({ code: 'E_ARGUMENT' });
  });
});
