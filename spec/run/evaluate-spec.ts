/** @file `evaluate` and `evaluateSync`: one feed, one answer, the same as on a stream. */
import { expect } from 'chai';
import fc from 'fast-check';
import { filter, of } from 'rxjs';
import {
  add,
  EinstreamError,
  evaluate,
  evaluateSync,
  graph,
  input,
  mul,
  named,
  param,
  run,
  einsum,
  tensor,
  type RunOptions,
  retrying,
} from '../../src/index.js';
import { liveMemory } from '../../src/run/arena.js';
import { byHand } from '../support/byHandBackend.js';
import { plain } from '../support/marbles.js';
import { failing, memo, probing } from '../support/middleware.js';
import { propertyRuns, propertySeed } from '../support/property.js';
import { randomGraph } from '../support/random-graph.js';

const g = graph({ x: input(['n']), w: param(tensor([2])) }, ({ x, w }) => ({ y: add(named('s', einsum('i->', mul(x, w))), 1) }));
const feeds = { x: [1, 2] };

/** The error that a promise rejects with. */
const rejection = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => expect.fail('it resolved'),
    (error: unknown) => error,
  );

describe('evaluateSync', () => {
  it('gives what a stream gives, bit for bit, for any graph', () => {
    fc.assert(
      fc.property(
        randomGraph(),
        fc.constantFrom<NonNullable<RunOptions['level']>>('none', 'basic', 'standard'),
        ({ graph: any, feeds: given }, level) => {
          let streamed: unknown;
          of(given)
            .pipe(run(any, { level }))
            .subscribe((outputs) => (streamed = plain(outputs)));
          expect(plain(evaluateSync(any, given, { level }))).to.deep.equal(streamed);
        },
      ),
      { seed: propertySeed(), numRuns: propertyRuns(30, 1_000, 10_000) },
    );
  });

  it('gives outputs in their order, on an object without a prototype, and kept values after them', () => {
    const outputs = evaluateSync(g, feeds, { keep: ['s'] });
    expect(Object.getPrototypeOf(outputs)).to.equal(null);
    expect(plain(outputs)).to.deep.equal(plain({ y: tensor(7), s: tensor(6) }));
  });

  it('gives tensors that later calls leave alone', () => {
    const first = evaluateSync(g, feeds);
    evaluateSync(g, { x: [5] });
    expect(first.y.toArray()).to.equal(7);
  });

  const refused: readonly (readonly [string, RunOptions, RegExp])[] = [
    ['an asynchronous backend', { backend: byHand().backend }, /by hand/],
    ['middleware', { use: [memo()] }, /middleware/],
    ['an option that is not there', { levels: 'none' } as never, /levels/],
  ];
  for (const [what, options, words] of refused)
    it(`refuses ${what}`, () => {
      expect(() => evaluateSync(g, feeds, options))
        .to.throw(EinstreamError, words)
        .with.property('code', 'E_ARGUMENT');
    });

  it('throws E_FEED for a feed that does not fit, and holds nothing', () => {
    expect(() => evaluateSync(g, { x: [[1]] }))
      .to.throw(EinstreamError)
      .with.property('code', 'E_FEED');
    expect(() => evaluateSync(g, {} as never))
      .to.throw(EinstreamError)
      .with.property('code', 'E_FEED');
    expect(liveMemory()).to.deep.equal({ frames: 0, bytes: 0 });
  });
});

describe('evaluate', () => {
  it('resolves to what evaluateSync gives', async () => {
    expect(plain(await evaluate(g, feeds))).to.deep.equal(plain(evaluateSync(g, feeds)));
  });

  it('waits for middleware', async () => {
    const seen: string[] = [];
    const use = [probing(({ op }) => seen.push(op)), retrying({ count: 2, delay: () => 0 }), failing('s', 1)];
    expect((await evaluate(g, feeds, { level: 'none', use })).y.toArray()).to.equal(7);
    expect(seen).to.deep.equal(['mul', 'einsum', 'add']);
  });

  it('waits for an asynchronous backend', async () => {
    const { backend, finish, waiting } = byHand();
    const answer = evaluate(g, feeds, { backend });
    expect(waiting()).to.equal(1);
    await finish();
    expect((await answer).y.toArray()).to.equal(7);
    expect(liveMemory()).to.deep.equal({ frames: 0, bytes: 0 });
  });

  it('rejects with the error of the stream', async () => {
    expect(await rejection(evaluate(g, { x: [[1]] })))
      .to.be.instanceOf(EinstreamError)
      .with.property('code', 'E_FEED');
    expect(await rejection(evaluate(g, feeds, { use: [failing('s', 1)] }))).to.include({ code: 'E_CONSUMER', nodeId: 3 });
  });

  it('rejects with E_CONSUMER, not with an error of RxJS, when middleware drops the frame', async () => {
    const dropping = await rejection(
      evaluate(g, feeds, {
        use: [
          (step) => (frames$) =>
            frames$.pipe(
              step,
              filter(() => false),
            ),
        ],
      }),
    );
    expect(dropping).to.be.instanceOf(EinstreamError).with.property('code', 'E_CONSUMER');
  });

  it('throws at the call for borrowed outputs, which nobody could read', () => {
    expect(() => evaluate(g, feeds, { outputs: 'borrow' })).to.throw(EinstreamError, /lend/);
  });
});
