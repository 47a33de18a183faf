/** @file Middleware wraps steps: what it may do, and what happens to one that misbehaves. */
import { expect } from 'chai';
import { filter, map, mergeMap, NEVER, of, take, tap } from 'rxjs';
import {
  add,
  assign,
  graph,
  input,
  js,
  mul,
  named,
  run,
  einsum,
  tensor,
  valueOf,
  type Middleware,
  retrying,
  exponentialBackoff,
} from '../../src/index.js';
import { liveMemory } from '../../src/run/arena.js';
import { marbles } from '../support/marbles.js';
import { failing, finalizing, memo, only, probing } from '../support/middleware.js';

/** s = Σ x², y = s + 1, in two steps that nothing fuses. */
const g = graph({ x: input([2]) }, ({ x }) => ({ y: add(named('s', einsum('i->', mul(x, x))), 1) }));
const [ones, twos] = [tensor([1, 1]), tensor([2, 2])];
const feeds = { a: { x: ones }, b: { x: twos } };
const outputs = { a: { y: tensor(3) }, b: { y: tensor(9) } };

describe('middleware', () => {
  it(
    'retries a failed node without resubscribing to the feed',
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const feeds$ = cold(' a|', feeds);
      const subs = '        ^!';
      const expected = '    6ms (a|)'; //  0 ms fails, +2 ms fails, +4 ms succeeds

      expectObservable(
        feeds$.pipe(run(g, { use: [retrying({ count: 3, delay: exponentialBackoff(2) }), failing('s', 2)] })),
      ).toBe(expected, outputs);
      expectSubscriptions(feeds$.subscriptions).toBe(subs);
    }),
  );

  it(
    'gives up after its last attempt with the error and the node',
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const feeds$ = cold(' a----|', feeds);
      const subs = '        ^--!';
      const expected = '    ---#'; //  0 ms fails, +1 ms fails, +2 ms fails

      expectObservable(
        feeds$.pipe(run(g, { use: [retrying({ count: 2, delay: exponentialBackoff(1) }), failing('s', 9)] })),
      ).toBe(expected, {}, { code: 'E_CONSUMER', nodeId: 2 });
      expectSubscriptions(feeds$.subscriptions).toBe(subs);
    }),
  );

  it(
    'retries 20,000 times without growing the stack, as every attempt comes from a timer (F6)',
    marbles(({ cold, expectObservable }) => {
      const use = [retrying({ count: 20_000, delay: () => 0 }), failing('s', 20_000)];

      expectObservable(cold('a|', feeds).pipe(run(g, { use }))).toBe('a|', outputs);
    }),
  );

  it(
    'stops retrying when unsubscribed',
    marbles(({ cold, expectObservable, expectSubscriptions, flush }) => {
      const feeds$ = cold('      a---------', feeds);
      const subs = '             ^---!';
      let attempts = 0;
      const counted = only(
        's',
        probing(() => attempts++),
      );
      const use = [retrying({ count: 99, delay: () => 3 }), failing('y', 99), counted];

      expectObservable(feeds$.pipe(run(g, { use })), subs).toBe('-----');
      expectSubscriptions(feeds$.subscriptions).toBe(subs);
      flush();
      expect([attempts, liveMemory().frames]).to.deep.equal([1, 0]);
    }),
  );

  it(
    'remembers values from frame to frame, each subscriber for itself',
    marbles(({ cold, expectObservable, flush }) => {
      let computed = 0;
      const use = [
        only('s', memo()),
        only(
          's',
          probing(() => computed++),
        ),
      ];
      const outputs$ = cold('aabb|', feeds).pipe(run(g, { level: 'none', use: [only('mul_1', memo()), ...use] }));

      expectObservable(outputs$).toBe('aabb|', outputs);
      expectObservable(outputs$).toBe('aabb|', outputs);
      flush();
      expect(computed).to.equal(4); //  2 subscribers × 2 different feeds
    }),
  );

  it('wraps the first outermost, and sees each node once in the order of execution', () => {
    const log: string[] = [];
    const named2 =
      (name: string): Middleware =>
      (step, node) =>
      (frames$) =>
        frames$.pipe(
          tap(() => log.push(`${name} before ${node.op}`)),
          step,
          tap(() => log.push(`${name} after ${node.op}`)),
        );
    of(feeds.a)
      .pipe(run(g, { level: 'none', use: [named2('outer'), named2('inner')] }))
      .subscribe();
    expect(log).to.deep.equal(
      ['mul', 'einsum', 'add'].flatMap((op) => [
        `outer before ${op}`,
        `inner before ${op}`,
        `inner after ${op}`,
        `outer after ${op}`,
      ]),
    );
  });

  it('knows the graph, the backend, the position and the number of steps', () => {
    const seen: unknown[] = [];
    const use: Middleware[] = [
      (step, node, { graph, backend, position, count }) => {
        seen.push([node.op, position, count, backend.name, graph.outputs[0].name]);
        return step;
      },
    ];
    for (const options of [{}, { backend: js() }])
      of(feeds.a)
        .pipe(run(g, { level: 'none', use, ...options }))
        .subscribe();
    const known = (name: string) => [
      ['mul', 0, 3, name, 'y'],
      ['einsum', 1, 3, name, 'y'],
      ['add', 2, 3, name, 'y'],
    ];
    expect(seen).to.deep.equal([...known('default'), ...known('js')]);
  });

  it('may replace a step by a value of its own', () => {
    const seen: unknown[] = [];
    const use = [only('s', (_step, node) => map((frame) => assign(frame, node.id, tensor(41))))];
    of(feeds.a, feeds.b)
      .pipe(run(g, { use }))
      .subscribe(({ y }) => seen.push(y.toArray()));
    expect(seen).to.deep.equal([42, 42]);
  });

  it('may keep the values that it reads for good', () => {
    const kept: { at: number; t: ReturnType<typeof valueOf> }[] = [];
    const use = [probing((node, frame) => kept.push({ at: frame.index, t: valueOf(frame, node.id) }))];
    of(feeds.a, feeds.b, feeds.a)
      .pipe(run(g, { level: 'none', use }))
      .subscribe();
    expect(kept.map(({ at, t }) => [at, t.toArray()])).to.deep.equal(
      [0, 1, 2].flatMap((at) => {
        const [square, total] = at === 1 ? [4, 8] : [1, 2];
        return [
          [at, [square, square]],
          [at, total],
          [at, total + 1],
        ];
      }),
    );
  });

  it(
    'may drop frames and may end the run: arenas go home at the end',
    marbles(({ cold, expectObservable, expectSubscriptions, flush }) => {
      const feeds$ = cold(' abab----|', feeds);
      const subs = '        ^--!';
      const expected = '    -b-(b|)';
      const use = [
        only(
          's',
          (step) => (frames$) =>
            frames$.pipe(
              step,
              filter(({ index }) => index % 2 === 1),
            ),
        ),
        only('y', (step) => (frames$) => frames$.pipe(step, take(2))),
      ];

      expectObservable(feeds$.pipe(run(g, { use }))).toBe(expected, outputs);
      expectSubscriptions(feeds$.subscriptions).toBe(subs);
      flush();
      expect(liveMemory().frames).to.equal(0);
    }),
  );

  it(
    'that never answers keeps the run silent, and lets it be unsubscribed from',
    marbles(({ cold, expectObservable, expectSubscriptions, flush }) => {
      const feeds$ = cold('a--|', feeds);
      let ended = 0;
      const use = [
        only(
          's',
          finalizing(() => ended++),
        ),
        only('s', () => mergeMap(() => NEVER)),
      ];
      expectObservable(feeds$.pipe(run(g, { use })), '^-----!').toBe('-------');
      expectSubscriptions(feeds$.subscriptions).toBe('^--!');
      flush();
      expect([ended, liveMemory().frames]).to.deep.equal([1, 0]);
    }),
  );
});
