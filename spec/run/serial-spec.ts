/** @file One signal at a time: what comes in between waits its turn, wherever it comes from (S3). */
import { expect } from 'chai';
import { map, Subject, zip } from 'rxjs';
import { add, graph, input, mul, named, run, sum, tensor, type Middleware, type Tensor } from '../../src/index.js';
import { liveMemory } from '../../src/run/arena.js';
import { only, probing } from '../support/middleware.js';

/** s = Σ x², y = s + 1, in two steps that nothing fuses. */
const g = graph({ x: input([2]) }, ({ x }) => ({ y: add(named('s', sum(mul(x, x))), 1) }));
const feeds = { a: { x: tensor([1, 1]) }, b: { x: tensor([2, 2]) } };

describe('middleware and re-entrance', () => {
  it('may feed the source: that feed waits until the frame before it is done', () => {
    const log: string[] = [];
    const source = new Subject<{ x: Tensor }>();
    const feeding = only(
      's',
      probing((_, { index }) => {
        if (index === 0) source.next(feeds.b);
      }),
    );
    source
      .pipe(run(g, { level: 'none', use: [probing(({ op }, { index }) => log.push(`${op} ${index}`)), feeding] }))
      .subscribe(({ y }) => log.push(String(y.toArray())));
    source.next(feeds.a);
    expect(log).to.deep.equal(['mul 0', 'sum 0', 'add 0', '3', 'mul 1', 'sum 1', 'add 1', '9']);
  });

  it('may hold frames until somebody lets them go, even the consumer: outputs do not nest, and keep their order', () => {
    const gate = new Subject<void>();
    const held: Middleware = only('s', (step) => (frames$) => zip(frames$.pipe(step), gate).pipe(map(([frame]) => frame)));
    const log: unknown[] = [];
    const source = new Subject<{ x: Tensor }>();
    source.pipe(run(g, { use: [held] })).subscribe({
      next: ({ y }) => {
        log.push(['begin', y.toArray()]);
        if (log.length < 4) gate.next();
        log.push('end');
      },
      complete: () => log.push('complete'),
    });
    for (const feed of [feeds.a, feeds.b, feeds.a]) source.next(feed);
    gate.next();
    gate.next();
    source.complete();
    expect(log).to.deep.equal([['begin', 3], 'end', ['begin', 9], 'end', ['begin', 3], 'end', 'complete']);
    expect(liveMemory().frames).to.equal(0);
  });
});
