/** @file Parts of one graph at the same time. */
import { expect } from 'chai';
import fc from 'fast-check';
import { concatMap, delay, map, of, type OperatorFunction } from 'rxjs';
import {
  add,
  evaluateSync,
  executorPool,
  full,
  graph,
  input,
  js,
  matmul,
  param,
  relu,
  run,
  runScheduled,
  sum,
  tensor,
  type Feeds,
  type Graph,
  type Middleware,
  type Outputs,
  type RunOptions,
  type Runner,
  type ScheduledStage,
  zeros,
  type Tensor,
} from '../../../src/index.js';
import { fault } from '../../../src/errors/index.js';
import { nameOf, nodeOf } from '../../../src/graph/graph.js';
import { buildPoolWorker } from '../../support/builtPool.js';
import { marbles } from '../../support/marbles.js';
import { propertyRuns, propertySeed } from '../../support/property.js';
import { randomGraph } from '../../support/random-graph.js';
import { differentBits } from '../../support/sameBits.js';
import { thrownBy } from '../../support/thrownBy.js';

const onJs = { backend: js() };

/** Runs graphs at once, and remembers which. */
const recording = (asked: Graph[] = []): Runner & { readonly asked: Graph[] } => ({
  asked,
  run: (g) => {
    asked.push(g);
    return run(g, onJs);
  },
});

/** Every way pays. */
const FREE = { perRequest: 0, perByte: 0 };
/** Only products do. */
const CHEAP = { perOperation: 0.2, perRequest: 1000, perByte: 0 };

/** Two chains of products that meet, behind one that both wait for. */
const branches = graph({ x: input([24, 24]), w: param(tensor(Array.from({ length: 24 * 24 }, (_, k) => (k % 7) / 7), { shape: [24, 24] })) }, ({ x, w }) => {
  const first = relu(matmul(x, w));
  const a = relu(matmul(relu(matmul(first, w)), w));
  const b = relu(matmul(relu(matmul(w, first)), first));
  return { y: add(a, b), s: sum(first) };
}); // prettier-ignore

const x = tensor(
  Array.from({ length: 24 * 24 }, (_, k) => (k % 5) - 2),
  { shape: [24, 24] },
);

/** The first element of the first feed. */
const first = (feeds: Feeds): number => Number((Object.values(feeds)[0] as Tensor).data[0]);

/** The first output, or the error, of an operator that answers at once. */
function only<A, B>(value: A, operator: OperatorFunction<A, B>): B {
  let given: B | undefined;
  let failure: unknown;
  of(value)
    .pipe(operator)
    .subscribe({ next: (each) => (given = each), error: (error: unknown) => (failure = error) });
  if (failure !== undefined) throw failure as Error;
  return given!;
}

describe('runScheduled', () => {
  it('gives what run gives, bit for bit, on any graph and wherever its parts run', () => {
    fc.assert(
      fc.property(randomGraph(), fc.integer({ min: 1, max: 3 }), ({ graph: g, feeds }, workers) => {
        let expected: Outputs;
        try {
          expected = evaluateSync(g, feeds);
        } catch {
          return;
        }
        const got = only<Feeds, Outputs>(feeds, runScheduled(g, { over: recording(), workers, cost: { ...FREE, perOperation: 1 } }));
        expect(Object.keys(got)).to.deep.equal(Object.keys(expected));
        for (const [name, value] of Object.entries(expected)) expect(differentBits(got[name], value), name).to.equal(undefined);
      }),
      { numRuns: propertyRuns(30, 2_000, 20_000), seed: propertySeed() },
    ); // prettier-ignore
  });

  it('sends chains that do not wait for one another away together, and runs what they wait for, and what waits for them, here', () => {
    const over = recording();
    let stages: readonly ScheduledStage[] = [];
    const operator = runScheduled(branches, {
      over,
      workers: 2,
      cost: CHEAP,
      run: onJs,
      onPlan: (planned) => (stages = planned),
    });
    expect(stages.map(({ at, tasks }) => [at, tasks.length])).to.deep.equal([
      ['here', 1],
      ['there', 2],
      ['here', 1],
    ]);
    expect(over.asked).to.have.length(2);
    const { y, s } = only({ x }, operator);
    const expected = evaluateSync(branches, { x }, onJs);
    expect([differentBits(y, expected.y), differentBits(s, expected.s)]).to.deep.equal([undefined, undefined]);
  });

  it('keeps everything here where the way costs more than it saves', () => {
    const over = recording();
    const where: string[] = [];
    runScheduled(branches, { over, workers: 2, onPlan: (stages) => where.push(...stages.map(({ at }) => at)) });
    expect(where).to.deep.equal(['here']);
    expect(over.asked).to.deep.equal([]);
  });

  it('is run itself where nothing is worth the way: options of run hold, and nothing is copied between stages', () => {
    const seenBy = (operatorWith: (options: RunOptions) => OperatorFunction<Feeds, Outputs>) => {
      const seen: number[] = [];
      const noting: Middleware = (step, { id }) => (seen.push(id), step);
      const { y } = only({ x }, operatorWith({ ...onJs, use: [noting] }));
      return { seen, y };
    };
    const scheduled = seenBy((options) => runScheduled(branches, { over: recording(), workers: 2, run: options }) as never);
    const plain = seenBy((options) => run(branches, options) as never);
    expect(scheduled.seen).to.deep.equal(plain.seen);
    expect(differentBits(scheduled.y, plain.y)).to.equal(undefined);
    const plan: ScheduledStage[] = [];
    runScheduled(branches, { over: recording(), workers: 2, onPlan: (stages) => plan.push(...stages) });
    expect(plan.map(({ at, estimate: { taken, here } }) => [at, taken === here])).to.deep.equal([['here', true]]);
  });

  it('counts the bytes that would move against it', () => {
    const where = (perByte: number) => {
      const places: string[] = [];
      runScheduled(branches, { over: recording(), workers: 2, cost: { perRequest: 0, perByte }, onPlan: (stages) => places.push(...stages.map(({ at }) => at)) });
      return places;
    };
    expect(where(0)).to.include('there');
    expect(where(10)).to.deep.equal(['here']);
  }); // prettier-ignore

  it('sends a param that a feed overrides, and leaves the others where they are', () => {
    const fed: string[][] = [];
    const over: Runner = { run: (g) => (feeds$) => feeds$.pipe(map((feeds) => (fed.push(Object.keys(feeds)), feeds)), run(g)) };
    const operator = runScheduled(branches, { over, workers: 2, cost: CHEAP, run: onJs });
    only({ x }, operator);
    only({ x, w: x }, operator);
    expect(fed.map((names) => names.length)).to.deep.equal([1, 1, 2, 2]);
    const expected = evaluateSync(branches, { x, w: x }, onJs);
    expect(differentBits(only({ x, w: x }, operator).y, expected.y)).to.equal(undefined);
  }); // prettier-ignore

  it(
    'works on several feeds at once where it may, and gives their outputs in the order of the feeds',
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      // A worker that takes the longer the less it is fed.
      const over: Runner = {
        run: (g) => (feeds$) => feeds$.pipe(concatMap((feeds) => of(feeds).pipe(run(g), delay(3 - first(feeds))))),
      };
      const g = graph({ t: input([8, 8]) }, ({ t }) => ({ a: matmul(matmul(t, t), t), b: matmul(t, relu(t)) }));
      const feeds$ = cold('abc|        ', { a: { t: full([8, 8], 0) }, b: { t: full([8, 8], 1) }, c: { t: full([8, 8], 2) } });
      const subs = '       ^--!         ';
      const expected = '   ---(abc|)   ';

      expectObservable(feeds$.pipe(runScheduled(g, { over, workers: 2, cost: { ...FREE, perOperation: 1 }, concurrency: 3 }), map((_, k) => 'abc'[k]))).toBe(expected);
      expectSubscriptions(feeds$.subscriptions).toBe(subs);
    }),
  ); // prettier-ignore

  it('refuses feeds that do not fit before any part runs, naming the node of the whole graph', () => {
    const over = recording();
    const operator = runScheduled(graph({ x: input(['n', 3]), v: input([2, 3]) }, ({ x: a, v }) => ({ y: add(relu(a), v) })), { over, shapes: { x: [2, 3] } });
    const error = thrownBy(() => only({ x: zeros([4, 3]), v: zeros([2, 3]) }, operator));
    expect([error.code, error.nodeId]).to.deep.equal(['E_SHAPE', 3]);
  }); // prettier-ignore

  it('names a node that fails elsewhere by its place in the whole graph', () => {
    const over: Runner = {
      run: (g) => (feeds$) =>
        feeds$.pipe(
          map(() => {
            throw fault('E_KERNEL', { place: nameOf(nodeOf(g, g.size - 1)), nodeId: g.size - 1, rule: 'it fails' });
          }),
        ),
    };
    const error = thrownBy(() => only({ x }, runScheduled(branches, { over, workers: 2, cost: CHEAP })));
    expect(error.code).to.equal('E_KERNEL');
    expect(nameOf(nodeOf(branches, error.nodeId!))).to.equal(error.diagnostic.place);
  });

  it('refuses what cannot run anything, options that there are not, and costs that are none', () => {
    const asked = (options: unknown) => thrownBy(() => runScheduled(branches, options as never)).code;
    for (const options of [{}, { over: {} }, { over: recording(), level: 'none' }, { over: recording(), workers: 0 }, { over: recording(), concurrency: 0.5 }, { over: recording(), cost: { perOperation: 0 } }, { over: recording(), cost: { perByte: NaN } }, { over: recording(), cost: { perNode: 1 } }])
      expect(asked(options)).to.equal('E_ARGUMENT');
    const open = graph({ x: input(['n', 'n']) }, ({ x: each }) => ({ y: matmul(each, each) }));
    expect(thrownBy(() => runScheduled(open, { over: recording() })).code).to.equal('E_SHAPE');
  }); // prettier-ignore
});

describe('runScheduled over workers', function () {
  before(() => buildPoolWorker());

  it('gives what run gives, with both workers at work', async () => {
    const pool = await executorPool({ workers: 2, backend: 'js' });
    try {
      const outputs: Outputs[] = [];
      await of({ x }, { x: tensor([...x.data].reverse(), { shape: [24, 24] }) })
        .pipe(runScheduled(branches, { over: pool, workers: 2, cost: CHEAP, concurrency: 2 }))
        .forEach((each) => outputs.push(each));
      expect(outputs).to.have.length(2);
      const want = evaluateSync(branches, { x }).y.data;
      // Whoever computes a part may be another backend.
      outputs[0]['y'].data.forEach((value, k) => expect(value).to.be.closeTo(Number(want[k]), 1e-5 * Math.abs(Number(want[k]))));
      expect(pool.stats().workers.every(({ answered }) => answered > 0)).to.equal(true);
    } finally {
      await pool.close();
    }
  });
});
