/** @file Metrics: what is counted, and how time is told. */
import { expect } from 'chai';
import { from, map, of, Subject } from 'rxjs';
import { context, exp, graph, input, metrics, mul, run, sum, type Middleware } from '../../src/index.js';
import { failing } from '../support/middleware.js';
import { thrownBy } from '../support/thrownBy.js';

const g = graph({ x: input([2]) }, ({ x }) => ({ y: sum(exp(x)), z: mul(x, 2) }));
const feed = { x: [0, 1] };

describe('metrics', () => {
  it('counts runs by their ends, and feeds', () => {
    const { hook, read } = metrics();
    const ctx = context({ hooks: [hook] });
    from([feed, feed, feed])
      .pipe(run(g, { context: ctx }))
      .subscribe();
    of(feed)
      .pipe(run(g, { context: ctx, use: [failing('y', 1)], level: 'none' }))
      .subscribe({ error: () => undefined });
    new Subject<typeof feed>()
      .pipe(run(g, { context: ctx }))
      .subscribe()
      .unsubscribe();
    new Subject<typeof feed>().pipe(run(g, { context: ctx })).subscribe();

    expect(read()).to.deep.include({ runs: 4, completed: 1, failed: 1, cancelled: 1, frames: 3 });
  });

  it('adds up the time of each op, middleware included', () => {
    let at = 0;
    const { hook, read } = metrics({ clock: () => at });
    const slow: Middleware = (step, node) => (frames$) =>
      frames$.pipe(
        step,
        map((frame) => {
          at += node.op === 'sum' ? 5 : 2 + frame.index;
          return frame;
        }),
      );
    from([feed, feed])
      .pipe(run(g, { context: context({ hooks: [hook] }), use: [slow], level: 'none' }))
      .subscribe();

    expect(read().ops).to.deep.equal({
      exp: { count: 2, totalMs: 5, meanMs: 2.5, maxMs: 3 },
      sum: { count: 2, totalMs: 10, meanMs: 5, maxMs: 5 },
      mul: { count: 2, totalMs: 5, meanMs: 2.5, maxMs: 3 },
    });
  });

  it('forgets nodes that never finish, with their run', () => {
    const { hook, read } = metrics();
    of(feed)
      .pipe(run(g, { context: context({ hooks: [hook] }), use: [failing('y', 1)], level: 'none' }))
      .subscribe({ error: () => undefined });
    expect(read().ops).to.not.have.property('sum');
  });

  it('refuses a clock that is none', () => {
    expect(thrownBy(() => metrics({ clock: 3 as never }))).to.include({ code: 'E_ARGUMENT' });
  });
});
