/** @file Gradients of a strategy: the same numbers, held, computed again, recorded, or added up (F082). */
import { expect } from 'chai';
import { firstValueFrom, from, of, toArray } from 'rxjs';
import {
  evaluateSync,
  gradient,
  graph,
  input,
  js,
  matmul,
  mean,
  mul,
  named,
  ones,
  param,
  square,
  sub,
  sum,
  tanh,
  tensor,
  withStrategy,
  type ExecutionMode,
  type Graph,
  type GraphSymbol,
  type GradientStrategy,
} from '../../../src/index.js';
import { counting } from '../../support/countingBackend.js';
import { isLarge } from '../../support/property.js';
import { differentBits } from '../../support/sameBits.js';
import { thrownBy } from '../../support/thrownBy.js';
import { weighed } from '../../support/weighed.js';

const layers = graph({ x: input([10, 20]), w: param(ones([20, 20])) }, ({ x, w }) => {
  let y: GraphSymbol = x;
  for (let at = 0; at < 9; at++) y = named(`h${at}`, tanh(matmul(y, mul(w, 0.05))));
  return { y: sum(y) };
}) as Graph;
const feeds = { x: Array.from({ length: 10 }, (_, i) => Array.from({ length: 20 }, (__, k) => ((i * 7 + k) % 11) / 11)) };
const asked = { of: 'y', wrt: ['x', 'w'] };
const wanted = evaluateSync(gradient(layers, asked), feeds, { backend: js() });

const MODES: readonly ExecutionMode[] = isLarge() ? ['graph', 'eager', 'jit', 'lazy', 'hybrid'] : ['graph', 'jit'];
const HOW: readonly GradientStrategy[] = ['eager', 'full', { checkpointed: { interval: 4 } }, { accumulated: { steps: 1 } }];

describe('the gradient of a strategy (F082)', () => {
  it('changes no bit of gradients on js, in any mode', async () => {
    for (const how of HOW)
      for (const mode of MODES) {
        if (how === 'eager' && mode === 'lazy') continue;
        const got = await withStrategy(layers, { mode, gradient: how }, { run: { backend: js() } })
          .gradient(asked)
          .evaluate(feeds);
        for (const name of ['x', 'w'])
          expect(differentBits(got[name], wanted[name]), `${mode} ${JSON.stringify(how)} ${name}`).to.equal(undefined);
      }
  });

  it("'none' has none", () => {
    const error = thrownBy(() => withStrategy(layers, 'inference').gradient(asked));
    expect([error.code, /gradient: 'full'/.test(error.message)]).to.deep.equal(['E_ARGUMENT', true]);
  });

  it("'eager' runs forward as it is, node by node, then back over the record; 'full' runs one graph", async () => {
    const kernels = async (how: GradientStrategy): Promise<readonly [number, string]> => {
      const { backend, taken } = counting();
      const going = withStrategy(layers, { mode: 'graph', gradient: how }, { run: { backend } }).gradient(asked);
      await going.evaluate(feeds);
      return [taken(), going.graph.outputs.map(({ name }) => name).join()];
    };
    const [[recorded, forward], [full, backward]] = [await kernels('eager'), await kernels('full')];
    expect([forward, backward]).to.deep.equal(['y', 'x,w']);
    expect(recorded).to.be.greaterThan(full);
    const error = thrownBy(() => withStrategy(layers, 'debug').gradient({ ...asked, value: true }));
    expect(error.message).to.contain('gradients alone');
  });

  it('checkpointed computes values again, and lowers the measured peak, the less the more it keeps', async () => {
    const measured = async (how: GradientStrategy): Promise<readonly [number, number]> => {
      const { backend, taken } = weighed();
      const counted = counting(backend);
      const run = { backend: counted.backend, level: 'none' } as const;
      await withStrategy(layers, { gradient: how }, { run }).gradient(asked).evaluate(feeds);
      return [taken(), counted.taken()];
    };
    const [fullBytes, fullRuns] = await measured('full');
    const [fourBytes, fourRuns] = await measured({ checkpointed: { interval: 4 } });
    const [oneBytes, oneRuns] = await measured({ checkpointed: { interval: 1 } });
    expect(fourBytes).to.be.lessThan(0.75 * fullBytes);
    expect(fourRuns).to.be.greaterThan(fullRuns);
    expect([oneBytes, oneRuns]).to.deep.equal([fullBytes, fullRuns]);
  });

  it('accumulated gives the mean of so many feeds, which is the gradient of one batch of them all', async () => {
    const model = graph({ x: input(['n']), t: input(['n']), w: param(tensor(0.5)) }, ({ x, t, w }) => ({
      loss: mean(square(sub(mul(x, w), t))),
    })) as Graph;
    const batches = [1, 2, 3, 4, 5].map((k) => ({ x: [k, k + 1], t: [1, 2] }));
    const going = withStrategy(model, { gradient: { accumulated: { steps: 2 } } }).gradient({ of: 'loss', wrt: ['w'] });
    const found = await firstValueFrom(from(batches).pipe(going.run(), toArray()));
    const one = gradient(model, { of: 'loss', wrt: ['w'] });
    const whole = (some: typeof batches) =>
      evaluateSync(one, { x: some.flatMap(({ x }) => x), t: some.flatMap(({ t }) => t) }).w.toArray();
    expect(found.map(({ w }) => w.toArray())).to.deep.equal([whole(batches.slice(0, 2)), whole(batches.slice(2, 4)), whole(batches.slice(4))]); // prettier-ignore
  });

  it('gives values beside gradients where it is asked, and can be stopped', async () => {
    const going = withStrategy(layers, 'training', { run: { backend: js() } }).gradient({ ...asked, value: true });
    const outputs = await firstValueFrom(of(feeds).pipe(going.run()));
    expect(Object.keys(outputs)).to.deep.equal(['y', 'x', 'w']);
    expect(outputs.y.toArray()).to.equal(evaluateSync(layers, feeds, { backend: js() }).y.toArray());
    const reason = new Error('no more');
    const stopped = await going.evaluate(feeds, { signal: AbortSignal.abort(reason) }).then(() => undefined, (error: unknown) => error); // prettier-ignore
    expect(stopped).to.equal(reason);
  });
});
