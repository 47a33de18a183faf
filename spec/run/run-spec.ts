/** @file `run` as an operator: pictures of values, errors, completion and unsubscription in virtual time. */
import { expect } from 'chai';
import { of, take } from 'rxjs';
import { add, einsum, EinstreamError, graph, input, mul, named, param, run, tensor } from '../../src/index.js';
import { liveMemory } from '../../src/run/arena.js';
import { marbles } from '../support/marbles.js';
import { failingFor, only, waiting } from '../support/middleware.js';

const doubled = graph({ x: input(['n']) }, ({ x }) => ({ y: mul(x, 2) }));
const y = (...elements: number[]) => ({ y: tensor(elements) });
const feeds = { a: { x: [1] }, b: { x: [2, 3] }, c: { x: [4] } };
const outputs = { a: y(2), b: y(4, 6), c: y(8) };
/** Two steps at every level, as the sum ends what is fused before it: s = Σ x², then y = s + 1. */
const twoSteps = graph({ x: input([2]) }, ({ x }) => ({ y: add(named('s', einsum('i->', mul(x, x))), 1) }));
const scalar = (element: number) => ({ y: tensor(element) });

describe('run', () => {
  it(
    'answers each feed in its own instant, in order, whatever its shape',
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const feeds$ = cold(' a-b--c-|', feeds);
      const subs = '        ^------!';
      const expected = '    a-b--c-|';

      expectObservable(feeds$.pipe(run(doubled))).toBe(expected, outputs);
      expectSubscriptions(feeds$.subscriptions).toBe(subs);
    }),
  );

  it(
    'gives feeds of one instant one output each',
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const feeds$ = cold(' --(abc|)', feeds);
      const subs = '        ^-!';
      const expected = '    --(abc|)';

      expectObservable(feeds$.pipe(run(doubled))).toBe(expected, outputs);
      expectSubscriptions(feeds$.subscriptions).toBe(subs);
    }),
  );

  it(
    'completes without a value when no feed comes (S13)',
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const feeds$ = cold<typeof feeds.a>(' ---|');
      const subs = '        ^--!';
      const expected = '    ---|';

      expectObservable(feeds$.pipe(run(doubled))).toBe(expected);
      expectSubscriptions(feeds$.subscriptions).toBe(subs);
    }),
  );

  it(
    'waits as long as its source does',
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const feeds$ = cold(' a------', feeds);
      const subs = '        ^------';
      const expected = '    a------';

      expectObservable(feeds$.pipe(run(doubled))).toBe(expected, outputs);
      expectSubscriptions(feeds$.subscriptions).toBe(subs);
    }),
  );

  it(
    'passes an error of the source on as it is, after the outputs before it',
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const feeds$ = cold(' a-#', feeds, 'my own');
      const subs = '        ^-!';
      const expected = '    a-#';

      expectObservable(feeds$.pipe(run(doubled))).toBe(expected, outputs, 'my own');
      expectSubscriptions(feeds$.subscriptions).toBe(subs);
    }),
  );

  for (const [what, feed] of [
    ['undefined', undefined],
    ['null', null],
    ['a number', 3],
    ['no input of that name', { z: [1] }],
    ['the wrong rank', { x: [[1]] }],
    ['no numbers', { x: ['one'] }],
  ] as const)
    it(
      `ends with E_FEED, and lets go of the source, when a feed is ${what} (S13)`,
      marbles(({ cold, expectObservable, expectSubscriptions }) => {
        const feeds$ = cold(' a-?-a-|', { ...feeds, '?': feed as never });
        const subs = '        ^-!';
        const expected = '    a-#';

        expectObservable(feeds$.pipe(run(doubled))).toBe(expected, outputs, {
          code: 'E_FEED',
          nodeId: what.startsWith('no') || what.startsWith('the') ? 0 : undefined,
        });
        expectSubscriptions(feeds$.subscriptions).toBe(subs);
      }),
    );

  it(
    'is silent after unsubscribing, and unsubscribes from its source in the same instant',
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const feeds$ = cold(' a-b--c-|', feeds);
      const subs = '        ^---!';
      const expected = '    a-b--';

      expectObservable(feeds$.pipe(run(doubled)), '^---!').toBe(expected, outputs);
      expectSubscriptions(feeds$.subscriptions).toBe(subs);
    }),
  );

  it(
    'stops with its consumer',
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const feeds$ = cold(' a-b--c-|', feeds);
      const subs = '        ^-!';
      const expected = '    a-(b|)';

      expectObservable(feeds$.pipe(run(doubled), take(2))).toBe(expected, outputs);
      expectSubscriptions(feeds$.subscriptions).toBe(subs);
    }),
  );

  it(
    'hears a hot source from the moment of subscribing, each subscriber for itself',
    marbles(({ hot, expectObservable, expectSubscriptions }) => {
      const feeds$ = hot('  -a-b--c-|', feeds);
      const outputs$ = feeds$.pipe(run(doubled));

      expectObservable(outputs$).toBe('      -a-b--c-|', outputs);
      expectObservable(outputs$, '--^').toBe('---b--c-|', outputs);
      expectObservable(outputs$, '^-!').toBe('-a-', outputs);
      expectSubscriptions(feeds$.subscriptions).toBe(['^-------!', '^-!', '--^-----!']);
    }),
  );

  it(
    'ends with the error of a node, which names it, and lets go of the source (S5)',
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const feeds$ = cold(' a-b-c-|', { a: { x: [1, 1] }, b: { x: [2, 2] }, c: { x: [3, 3] } });
      const subs = '        ^---!';
      const expected = '    a-b-#';
      const use = [failingFor('s', ({ index }) => index === 2)];

      expectObservable(feeds$.pipe(run(twoSteps, { use }))).toBe(
        expected,
        { a: scalar(3), b: scalar(9) },
        { code: 'E_CONSUMER', nodeId: 2 },
      );
      expectSubscriptions(feeds$.subscriptions).toBe(subs);
    }),
  );

  it(
    'drops what is on its way when another frame fails (S5)',
    marbles(({ cold, expectObservable, expectSubscriptions, flush }) => {
      const feeds$ = cold(' ab-------|', { a: { x: [1, 1] }, b: { x: [2, 2] } });
      const subs = '        ^--!';
      const expected = '    ---#'; //  "b" would leave at 6
      const use = [
        only(
          'y',
          waiting(() => 3),
        ),
        failingFor('y', ({ index }) => index === 0),
      ];

      expectObservable(feeds$.pipe(run(twoSteps, { use }))).toBe(expected, {}, { code: 'E_CONSUMER', nodeId: 4 });
      expectSubscriptions(feeds$.subscriptions).toBe(subs);
      flush();
      expect(liveMemory()).to.deep.equal({ frames: 0, bytes: 0 });
    }),
  );

  it(
    'lets several frames be on their way at once, each with its own values, and keeps their order',
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const feeds$ = cold(' abc|', { a: { x: [1, 1] }, b: { x: [2, 2] }, c: { x: [3, 3] } });
      const subs = '        ^--!';
      const expected = '    8ms a 4ms b 4ms (c|)'; //  3 ms in "s" and 5 ms in "y", where the next one waits its turn
      const use = [
        only(
          's',
          waiting(() => 3),
        ),
        only(
          'y',
          waiting(() => 5),
        ),
      ];

      expectObservable(feeds$.pipe(run(twoSteps, { use }))).toBe(expected, { a: scalar(3), b: scalar(9), c: scalar(19) });
      expectSubscriptions(feeds$.subscriptions).toBe(subs);
    }),
  );

  it(
    'holds nothing after unsubscribing with frames on their way',
    marbles(({ cold, expectObservable, flush }) => {
      const feeds$ = cold('abc------', { a: { x: [1, 1] }, b: { x: [2, 2] }, c: { x: [3, 3] } });
      const use = [
        only(
          's',
          waiting(() => 5),
        ),
      ];

      expectObservable(feeds$.pipe(run(twoSteps, { use })), '^---!').toBe('----');
      flush();
      expect(liveMemory()).to.deep.equal({ frames: 0, bytes: 0 });
    }),
  );

  it('throws at the call, not on the stream, for wrong options and a broken graph', () => {
    expect(() => run(doubled, { level: 'fast' as never })).to.throw(EinstreamError, /level/);
    expect(() => run(doubled, { keep: ['nothing'] })).to.throw(EinstreamError, /keep/);
    expect(() => run(doubled, { compose: 'joined' as never })).to.throw(EinstreamError, /compose/);
  });

  it('takes a param from the graph until a feed overrides it', () => {
    const seen: unknown[] = [];
    const g = graph({ x: input([2]), w: param(tensor([1, 10])) }, ({ x, w }) => ({ y: einsum('i,i->', x, w) }));
    of({ x: [1, 2] }, { x: [1, 2], w: [0, 1] }, { x: [1, 2] })
      .pipe(run(g))
      .subscribe((out) => seen.push(out.y.toArray()));
    expect(seen).to.deep.equal([21, 2, 21]);
  });
});
