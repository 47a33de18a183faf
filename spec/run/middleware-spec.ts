/** @file Middleware wraps steps: what it may do, and what happens to one that misbehaves. */
import { expect } from 'chai';
import { concatMap, filter, map, mergeMap, NEVER, Observable, of, take, tap, throwError } from 'rxjs';
import { add, assign, einsum, graph, input, mul, named, run, sum, tensor, valueOf, type Middleware } from '../../src/index.js';
import { liveMemory } from '../../src/run/arena.js';
import { marbles } from '../support/marbles.js';
import { exponentialBackoff, failing, finalizing, memo, only, probing, retrying } from '../support/middleware.js';

/** s = Σ x², y = s + 1, in two steps that nothing fuses. */
const g = graph({ x: input([2]) }, ({ x }) => ({ y: add(named('s', sum(mul(x, x))), 1) }));
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
      ['mul', 'sum', 'add'].flatMap((op) => [
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
    of(feeds.a)
      .pipe(run(g, { level: 'none', use }))
      .subscribe();
    expect(seen).to.deep.equal([
      ['mul', 0, 3, 'js', 'y'],
      ['sum', 1, 3, 'js', 'y'],
      ['add', 2, 3, 'js', 'y'],
    ]);
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

  describe('that misbehaves', () => {
    const wrongs: readonly (readonly [string, Middleware, string])[] = [
      [
        'throws when it wraps',
        () => {
          throw new Error('no');
        },
        'E_CONSUMER',
      ],
      [
        'throws when its operator is applied',
        () => () => {
          throw new Error('no');
        },
        'E_CONSUMER',
      ],
      [
        'throws at a frame',
        () =>
          map(() => {
            throw new Error('no');
          }),
        'E_CONSUMER',
      ],
      [
        'throws undefined',
        () =>
          map(() => {
            throw undefined;
          }),
        'E_CONSUMER',
      ],
      ['errors when subscribed to', () => () => throwError(() => 'no'), 'E_CONSUMER'],
      ['returns nothing', () => undefined as never, 'E_CONSUMER'],
      ['returns an operator that returns nothing', () => () => undefined as never, 'E_CONSUMER'],
      [
        'passes on something else',
        (step) => (frames$) =>
          frames$.pipe(
            step,
            map(() => 7 as never),
          ),
        'E_CONSUMER',
      ],
      [
        'passes on nothing',
        (step) => (frames$) =>
          frames$.pipe(
            step,
            map(() => null as never),
          ),
        'E_CONSUMER',
      ],
      ['forgets to run its step', () => (frames$) => frames$, 'E_CONSUMER'],
      ['assigns another shape', (_step, node) => map((frame) => assign(frame, node.id, tensor([1, 2, 3]))), 'E_SHAPE'],
      [
        'assigns another dtype',
        (_step, node) => map((frame) => assign(frame, node.id, tensor(1, { dtype: 'int32' }))),
        'E_DTYPE',
      ],
      [
        'reads a value before it exists',
        (step, node) => (frames$) =>
          frames$.pipe(
            tap((frame) => void valueOf(frame, node.id)),
            step,
          ),
        'E_GRAPH',
      ],
    ];
    for (const [what, middleware, code] of wrongs)
      it(
        `ends the run with ${code} and the node when it ${what} (S16)`,
        marbles(({ cold, expectObservable, flush }) => {
          const feeds$ = cold('a|', feeds);
          expectObservable(feeds$.pipe(run(g, { use: [only('s', middleware)] }))).toBe('#', {}, { code, nodeId: 2 });
          flush();
          expect(feeds$.subscriptions.every(({ unsubscribedFrame }) => unsubscribedFrame === 0)).to.equal(true);
          expect(liveMemory().frames).to.equal(0);
        }),
      );

    it(
      'is found out when it forgets its step later than at the first frame',
      marbles(({ cold, expectObservable }) => {
        const forgetful = only('s', (step) => concatMap((frame) => (frame.index < 2 ? of(frame).pipe(step) : of(frame))));

        expectObservable(cold('aba|', feeds).pipe(run(g, { use: [forgetful] }))).toBe('ab#', outputs, {
          code: 'E_CONSUMER',
          nodeId: 2,
        });
      }),
    );

    it(
      'ends the run with E_STALE when it passes a frame on twice',
      marbles(({ cold, expectObservable }) => {
        const stutter = only(
          's',
          (step) => (frames$) =>
            frames$.pipe(
              step,
              mergeMap((frame) => of(frame, frame)),
            ),
        );

        expectObservable(cold('a|', feeds).pipe(run(g, { use: [stutter] }))).toBe('(a#)', outputs, {
          code: 'E_STALE',
          nodeId: 2,
        });
      }),
    );

    it(
      'leaves other runs of the same graph alone (S16)',
      marbles(({ cold, expectObservable }) => {
        expectObservable(cold('ab|', feeds).pipe(run(g, { use: [failing('s', 1)] }))).toBe(
          '#',
          {},
          { code: 'E_CONSUMER', nodeId: 2 },
        );
        expectObservable(cold('ab|', feeds).pipe(run(g))).toBe('ab|', outputs);
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
    'that never starts keeps the run silent, and lets it be unsubscribed from',
    marbles(({ cold, expectObservable, expectSubscriptions, flush }) => {
      const feeds$ = cold('a--|', feeds);
      let ended = 0;
      const use = [
        only(
          's',
          finalizing(() => ended++),
        ),
        only('s', () => (frames$) => new Observable((s) => frames$.subscribe(() => s.add(NEVER.subscribe())))),
      ];
      expectObservable(feeds$.pipe(run(g, { use })), '^-----!').toBe('-------');
      expectSubscriptions(feeds$.subscriptions).toBe('^--!');
      flush();
      expect([ended, liveMemory().frames]).to.deep.equal([1, 0]);
    }),
  );

  it('sees einsum, too, as one node', () => {
    const ops: string[] = [];
    const product = graph({ a: input([2, 2]), b: input([2, 2]) }, ({ a, b }) => ({ y: einsum('ij,jk->ik', a, b) }));
    of({
      a: [
        [1, 0],
        [0, 1],
      ],
      b: [
        [1, 2],
        [3, 4],
      ],
    })
      .pipe(run(product, { use: [probing(({ op }) => ops.push(op))] }))
      .subscribe();
    expect(ops).to.deep.equal(['einsum']);
  });
});
