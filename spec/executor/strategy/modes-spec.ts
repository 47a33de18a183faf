/** @file Modes: the same values in all, at other times and of other code (F080). */
import { expect } from 'chai';
import fc from 'fast-check';
import {
  add,
  evaluateSync,
  exp,
  graph,
  input,
  js,
  mul,
  neg,
  nodeCount,
  param,
  sin,
  sum,
  tanh,
  tensor,
  withStrategy,
  type ExecutionMode,
  type Graph,
  type Outputs,
} from '../../../src/index.js';
import { byHand } from '../../support/byHandBackend.js';
import { counting } from '../../support/countingBackend.js';
import { propertyRuns, propertySeed } from '../../support/property.js';
import { randomGraph } from '../../support/random-graph.js';
import { differentBits } from '../../support/sameBits.js';
import { thrownBy } from '../../support/thrownBy.js';

const MODES: readonly ExecutionMode[] = ['graph', 'eager', 'jit', 'lazy', 'hybrid'];

/** A part that both outputs need, and one of each. */
const two = graph({ x: input(['n']), w: param(tensor([2])) }, ({ x, w }) => {
  const shared = sum(exp(mul(x, w)));
  return { a: sin(shared), b: add(tanh(sum(neg(x))), shared), x };
}) as Graph;
const feeds = { x: [0, 1, 2] };
const want = evaluateSync(two, feeds, { backend: js() });

describe('the mode of a strategy (F080)', () => {
  it('changes no bit on js', async () => {
    for (const mode of MODES) {
      const { evaluate } = withStrategy(two, { mode }, mode === 'eager' ? {} : { run: { backend: js() } });
      for (let k = 0; k < 14; k++) {
        const got = await evaluate(feeds);
        for (const name of ['a', 'b', 'x']) expect(differentBits(got[name], want[name]), `${mode} ${name}`).to.equal(undefined);
      }
    }
  });

  it('changes no bit of random graphs', async () => {
    await fc.assert(
      fc.asyncProperty(randomGraph(), async ({ graph: g, feeds: given }) => {
        const wanted = evaluateSync(g, given, { backend: js() });
        for (const mode of MODES) {
          const got = await withStrategy(g, { mode }, { run: { backend: js() } }).evaluate(given);
          for (const [name, value] of Object.entries(wanted)) expect(differentBits(got[name], value), mode).to.equal(undefined);
        }
      }),
      { numRuns: propertyRuns(12, 300, 3000), seed: propertySeed() },
    );
  });

  it("'graph' compiles as a whole, before the first feed", async () => {
    const { backend, compiled } = counting();
    const planned = withStrategy(two, { mode: 'graph' }, { run: { backend } });
    expect(nodeCount(planned.graph)).to.be.lessThan(nodeCount(two));
    await planned.evaluate(feeds);
    const kernels = compiled.length;
    await planned.evaluate(feeds);
    expect(compiled.length).to.equal(kernels);
  });

  it("'eager' runs node by node at the call, and makes no code", async () => {
    const { backend, runs } = counting();
    const counted = withStrategy(two, { mode: 'eager' }, { run: { backend } });
    const answer = counted.evaluate(feeds);
    expect(runs(), 'kernels when the call returns').to.equal(8);
    expect((await answer).a.toArray()).to.equal(want.a.toArray());
    const made: unknown[] = [];
    const { Function: Before } = globalThis;
    globalThis.Function = new Proxy(Before, { construct: (target, [...text]) => (made.push(text), Reflect.construct(target, text) as object) }); // prettier-ignore
    try {
      const fresh = graph({ x: input([3]) }, ({ x }) => ({ y: sum(tanh(exp(x))) }));
      void withStrategy(fresh, { mode: 'eager' }).evaluate(feeds);
      expect(made).to.deep.equal([]);
      void withStrategy(fresh, { mode: 'graph' }, { run: { backend: js() } }).evaluate(feeds);
      expect(made).not.to.deep.equal([]);
    } finally {
      globalThis.Function = Before;
    }
  });

  it("'jit' computes nothing on the backend until it pays", async () => {
    const { backend, runs } = counting();
    const planned = withStrategy(two, { mode: 'jit' }, { run: { backend }, jit: { hotPathThreshold: 3 } });
    const after: number[] = [];
    for (let k = 0; k < 4; k++) {
      await planned.evaluate(feeds);
      after.push(runs());
    }
    expect(after.slice(0, 3)).to.deep.equal([0, 0, 0]);
    expect(after[3]).to.be.greaterThan(0);
  });

  it("'lazy' computes an output when it is read, what outputs share once, and nothing twice", async () => {
    const { backend, taken } = counting();
    const options = { run: { backend, level: 'none' } } as const;
    const planned = withStrategy(two, { mode: 'lazy' }, options);
    const reading = (outputs: Outputs, name: string): number => {
      void outputs[name].toArray();
      return taken();
    };
    const first = await planned.evaluate(feeds);
    expect(taken()).to.equal(0);
    expect(['x', 'a', 'a', 'b', 'b'].map((name) => reading(first, name))).to.deep.equal([0, 4, 0, 4, 0]);
    const second = await planned.evaluate({ ...feeds, w: [3] });
    expect(['b', 'a'].map((name) => reading(second, name))).to.deep.equal([7, 1]);
    expect(second.a.toArray()).to.equal(evaluateSync(two, { ...feeds, w: [3] }, { backend: js() }).a.toArray());
  });

  it("'lazy' refuses wrong feeds when they come, and tells a node's failure to who reads it", async () => {
    const planned = withStrategy(two, { mode: 'lazy' });
    const refusal = await planned.evaluate({ x: [[1]] }).then(() => undefined, (error: { code: string }) => error.code); // prettier-ignore
    expect(refusal).to.equal('E_FEED');
    const failing = { ...js(), compile: () => ({ run: () => { throw new Error('no luck'); }, dispose: () => undefined }) }; // prettier-ignore
    const outputs = await withStrategy(two, { mode: 'lazy' }, { run: { backend: failing, level: 'none' } }).evaluate(feeds);
    const error = thrownBy(() => outputs['b']);
    expect([error.code, error.nodeId]).to.deep.equal(['E_KERNEL', 2]);
  });

  it("'hybrid' is 'graph' where sizes are declared or given, and 'jit' where they are open", () => {
    const sized = graph({ x: input([3]) }, ({ x }) => ({ y: exp(x) })) as Graph;
    const modeOf = (g: Graph, shapes?: Readonly<Record<string, readonly number[]>>) => withStrategy(g, 'inference', { shapes }).mode; // prettier-ignore
    expect([modeOf(sized), modeOf(two), modeOf(two, { x: [3] })]).to.deep.equal(['graph', 'jit', 'graph']);
  });

  it('refuses options that the strategy has no use for, or that contradict it', () => {
    const refused = (...[strategy, options]: [Parameters<typeof withStrategy>[1], object?]): string => {
      const error = thrownBy(() => withStrategy(two, strategy, options));
      expect(error.code).to.equal('E_ARGUMENT');
      return error.message;
    };
    expect(refused({}, { jit: {} })).to.contain("jit is for mode 'jit' and 'hybrid'");
    expect(refused({}, { workers: 2 })).to.contain("workers is for parallelism 'auto'");
    expect(refused({}, { run: { placement: 'auto' } })).to.contain('memory decides placement');
    expect(refused({ mode: 'eager' }, { run: { level: 'standard' } })).to.contain("level 'none'");
    expect(refused({ mode: 'lazy' }, { run: { backend: byHand().backend } })).to.contain('at once');
    expect(refused({}, { speed: 1 })).to.contain('unknown');
    expect(refused({ parallelism: 'auto' })).to.contain('executorPool');
  });
});
