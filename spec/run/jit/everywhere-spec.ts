/** @file Tiers under middleware, in live and in training: wherever runs are more than feeds and outputs. */
import { expect } from 'chai';
import { from, map, of, queueScheduler, Subject } from 'rxjs';
import {
  add,
  backendOf,
  backpropagate,
  context,
  einsum,
  evaluateSync,
  exp,
  gradient,
  graph,
  input,
  jit,
  js,
  live,
  mul,
  param,
  relu,
  run,
  sgd,
  sub,
  sum,
  taping,
  tanh,
  tensor,
  train,
  wasm,
  type Graph,
  type Middleware,
  type Tensor,
} from '../../../src/index.js';
import { differenceOf } from '../../../src/testing/conformance/difference.js';
import { codeKit } from '../../support/codeKit.js';
import { watch } from '../../support/watch.js';

/** Three steps: one kernel where they are joined. */
const chain = graph({ x: input(['n']) }, ({ x }) => ({ y: relu(tanh(exp(x))) })) as Graph;
const feeds = (n: number): { readonly x: Tensor } => ({ x: tensor([n / 8, -n / 16]) });

describe('jit where runs are more than feeds and outputs (F035)', () => {
  const inners = [
    ['js', () => Promise.resolve(js())],
    ['wasm', () => wasm()],
  ] as const;
  const line = graph({ x: input(['n', 2]), t: input(['n']), w: param(tensor([0, 0])) }, ({ x, t, w }) => {
    const error = sub(einsum('ni,i->n', x, w), t);
    return { loss: sum(mul(error, error)) };
  });
  for (const [name, make] of inners) {
    it(`gives middleware the same steps before and after, on ${name}`, async () => {
      const backend = jit(await make(), { hotPathThreshold: 3 });
      const seen: string[] = [];
      const noting: Middleware = (step, node) => (frames$) =>
        frames$.pipe(
          step,
          map((frame) => (seen.push(`${node.op} ${backendOf(frame).name}`), frame)),
        );
      of(...[1, 2, 3, 4, 5].map(feeds))
        .pipe(run(chain, { backend, use: [noting], level: 'none' }))
        .subscribe();
      const steps = (by: string) => ['exp', 'tanh', 'relu'].map((op) => `${op} ${by}`);
      const [cold, hot] = [steps('js'), steps(name)];
      expect(seen).to.deep.equal([...cold, ...cold, ...cold, ...hot, ...hot]);
    });

    it(`goes on in live without a glitch, on ${name}`, async () => {
      const backend = jit(await make(), { hotPathThreshold: 3, profilingWindow: 2, adaptive: false });
      const two = graph({ x: input([2]), w: input([2]) }, ({ x, w }) => ({ y: add(exp(x), w), z: relu(w) }));
      const x = new Subject<number[]>();
      const seen = watch(live(two, { x, w: of([1, -1]) }, { backend, scheduler: queueScheduler }));
      for (let n = 0; n < 12; n++) {
        x.next([n, 0]);
        // The same elements again are no news, also where another program takes over.
        x.next([n, 0]);
      }
      expect(seen.error).to.equal(undefined);
      expect(seen.values).to.have.length(12);
      seen.values.forEach(({ y, z }, n) => {
        expect(differenceOf(y, tensor([Math.exp(n) + 1, 0]), 1e-6)).to.equal(undefined);
        expect(z, 'an output that did not change is the same tensor').to.equal(seen.values[0].z);
      });
      expect(backend.stats().compilations).to.equal(1);
    });

    it(`trains, differentiates and tapes, on ${name}`, async () => {
      const backend = jit(await make(), { hotPathThreshold: 3, profilingWindow: 2, adaptive: false });
      const batch = { x: [[1, 2], [3, 5]], t: [5, 13] }; // prettier-ignore
      const losses = async (by: typeof backend | ReturnType<typeof js>): Promise<number[]> => {
        const got: number[] = [];
        const batches$ = from(Array.from({ length: 20 }, () => batch));
        await new Promise<void>((complete, error) =>
          batches$
            .pipe(train(line, { loss: 'loss', optimizer: sgd({ rate: 0.01 }), backend: by }))
            .subscribe({ next: ({ loss }) => void got.push(Number(loss)), complete, error }),
        );
        return got;
      };
      const [got, want] = [await losses(backend), await losses(js())];
      expect(got).to.have.length(20);
      got.forEach((loss, n) => expect(loss).to.be.closeTo(want[n], 1e-4 * Math.abs(want[n])));
      expect(backend.stats().cacheHits).to.be.greaterThan(5);

      const back = gradient(line, { of: 'loss', wrt: ['w'] });
      const taped: Tensor[] = [];
      for (let n = 0; n < 8; n++) {
        const direct = evaluateSync(back, batch, { backend });
        expect(direct.w.toArray()).to.deep.equal(evaluateSync(back, batch, { backend: js() }).w.toArray());
      }
      from(Array.from({ length: 8 }, () => batch))
        .pipe(run(line, { backend, use: [taping()] }), backpropagate({ of: 'loss' }))
        .subscribe((gradients) => void taped.push(gradients['w']));
      const wanted = evaluateSync(back, batch, { backend: js() }).w.toArray();
      expect(taped.map((each) => each.toArray())).to.deep.equal(Array(8).fill(wanted));
    });
  }

  it('works with steps apart, a context, borrowed outputs and kept values', () => {
    const backend = jit(codeKit().backend, { hotPathThreshold: 2, profilingWindow: 2 });
    const named = graph({ x: input(['n']) }, ({ x }) => ({ y: relu(tanh(exp(x))), h: exp(x) })) as Graph;
    for (const options of [{ compose: 'separate' }, { outputs: 'borrow' }, { keep: ['h'] }, { context: context() }] as const) {
      const got: number[][] = [];
      from([1, 2, 3, 4, 5, 6].map(feeds))
        .pipe(run(named, { backend, ...options }))
        .subscribe(({ y }) => void got.push([...(y.toArray() as number[])]));
      const want = [1, 2, 3, 4, 5, 6].map((n) => evaluateSync(named, feeds(n), { backend: js() })['y'].toArray());
      expect(got, Object.keys(options).join()).to.deep.equal(want);
    }
  });
});
