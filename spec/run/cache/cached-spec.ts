/** @file `cached`: equal operands execute nothing, and no value is ever taken for another (F071). */
import { expect } from 'chai';
import { from, lastValueFrom, of, toArray } from 'rxjs';
import fc from 'fast-check';
import {
  add,
  assign,
  cached,
  compile,
  evaluate,
  exp,
  graph,
  input,
  js,
  mul,
  named,
  neg,
  param,
  relu,
  run,
  sum,
  tensor,
  tensorCache,
  transpose,
  wrap,
  type Feeds,
  type Graph,
  type Middleware,
  type Outputs,
} from '../../../src/index.js';
import { counting } from '../../support/countingBackend.js';
import { propertyRuns, propertySeed } from '../../support/property.js';
import { randomGraph } from '../../support/random-graph.js';
import { differentBits } from '../../support/sameBits.js';
import { thrownBy } from '../../support/thrownBy.js';
import { wasmKit } from '../../support/wasmKit.js';
import { map } from 'rxjs';

const model = graph({ x: input(['n']), w: param(tensor([2])) }, ({ x, w }) => {
  const h = named('h', exp(mul(x, w)));
  return { y: sum(h), z: relu(neg(h)) };
}) as Graph;
const level = 'none';
const numbers = (outputs: Outputs, name: string) => outputs[name].toArray();

describe('cached', () => {
  it('executes nothing for equal feeds the second time, whatever objects they are (F071)', async () => {
    const { backend, taken } = counting();
    const cache = tensorCache({ maxMegabytes: 1 });
    const ask = (x: Feeds['x']) => evaluate(model, { x }, { backend, level, use: [cached(cache)] });
    const first = await ask([0, 1]);
    expect(taken()).to.equal(5);
    for (const x of [[0, 1], tensor([0, 1]), Float32Array.of(0, 1)].map((each) =>
      each instanceof Float32Array ? wrap(each) : each,
    )) {
      const again = await ask(x);
      expect(taken()).to.equal(0);
      for (const key of ['y', 'z']) expect(differentBits(again[key], first[key])).to.equal(undefined);
    }
    expect(cache.stats()).to.include({ hits: 15, misses: 5, hitRate: 0.75 });
    await ask([0, 2]);
    expect(taken()).to.equal(5);
  });

  it('executes what changed alone', async () => {
    const { backend, taken } = counting();
    const use = [cached(tensorCache())];
    const two = graph({ a: input([2]), b: input([2]) }, ({ a, b }) => ({ y: add(exp(a), neg(b)) })) as Graph;
    const ask = (a: number, b: number) => evaluate(two, { a: [a, a], b: [b, b] }, { backend, level, use });
    await ask(1, 1);
    expect(taken()).to.equal(3);
    await ask(1, 2);
    expect(taken(), 'neg and add').to.equal(2);
    await ask(3, 2);
    expect(taken(), 'exp and add').to.equal(2);
    await ask(3, 1);
    expect(taken(), 'add').to.equal(1);
  });

  it('gives what a run without it gives: random graphs, twice each, bit for bit', async () => {
    await fc.assert(
      fc.asyncProperty(randomGraph(), fc.constantFrom('none', 'standard'), async ({ graph: g, feeds }, at) => {
        const { backend, taken } = counting();
        const use = [cached(tensorCache())];
        const want = await evaluate(g, feeds, { backend: js(), level: at });
        for (let time = 0; time < 2; time++) {
          taken();
          const got = await evaluate(g, feeds, { backend, level: at, use });
          for (const [key, value] of Object.entries(want)) expect(differentBits(got[key], value), key).to.equal(undefined);
        }
        expect(taken(), 'kernels of the second run').to.equal(0);
      }),
      { seed: propertySeed(), numRuns: propertyRuns(15, 500, 5_000) },
    );
  });

  it('knows a value by its elements: 0 is not −0, dtypes and shapes count, a buffer that is written to is another value', async () => {
    const { backend, taken } = counting();
    const any = graph({ x: input([null, null]) }, ({ x }) => ({ y: neg(x) })) as Graph;
    const use = [cached(tensorCache())];
    const ask = async (x: Feeds['x']) => numbers(await evaluate(any, { x }, { backend, level, use }), 'y');
    expect(await ask([[0, 1]])).to.deep.equal([[-0, -1]]);
    expect(await ask([[-0, 1]])).to.deep.equal([[0, -1]]);
    expect(await ask([[0], [1]])).to.deep.equal([[-0], [-1]]);
    expect(taken()).to.equal(3);
    const buffer = Float32Array.of(5, 6);
    const mine = wrap(buffer, { shape: [1, 2] });
    expect(await ask(mine)).to.deep.equal([[-5, -6]]);
    buffer[0] = 7;
    expect(await ask(mine)).to.deep.equal([[-7, -6]]);
    expect(taken()).to.equal(2);
  });

  it('lends nobody its own memory: what a consumer writes to an output changes no later one', async () => {
    const use = [cached(tensorCache())];
    for (let time = 0; time < 3; time++) {
      const { z } = await evaluate(model, { x: [0, 1] }, { level, use, backend: js() });
      expect(z.toArray()).to.deep.equal([0, 0]);
      (z.data as Float32Array).fill(99);
    }
    const views = graph({ x: input([2, 2]) }, ({ x }) => ({ t: transpose(exp(x)) })) as Graph;
    for (let time = 0; time < 3; time++) {
      const { t } = await evaluate(views, { x: [[0, 0], [0, 0]] }, { level, use, backend: js(), outputs: 'copy' }); // prettier-ignore
      expect(t.toArray()).to.deep.equal([[1, 1], [1, 1]]); // prettier-ignore
      (t.data as Float32Array).fill(99);
    }
  });

  it('keeps its results valid under borrowed outputs', () => {
    const cache = tensorCache();
    const seen: unknown[] = [];
    from([{ x: [1] }, { x: [1] }, { x: [1] }])
      .pipe(run(model, { level, backend: js(), outputs: 'borrow', use: [cached(cache)] }))
      .subscribe(({ z }) => seen.push(z.toArray()));
    expect(seen).to.deep.equal([[0], [0], [0]]);
    expect(cache.stats().hits).to.equal(10);
  });

  it('keeps its state in the subscription, unless a cache is passed in', async () => {
    const { backend, taken } = counting();
    const three = () => from([{ x: [1] }, { x: [1] }, { x: [2] }]);
    const operator = run(model, { level, backend, use: [cached({ maxBytes: 1_000 })] });
    await lastValueFrom(three().pipe(operator, toArray()));
    expect(taken(), 'of three feeds, two are equal').to.equal(10);
    await lastValueFrom(three().pipe(operator, toArray()));
    expect(taken(), 'another subscription starts anew').to.equal(10);
  });

  it('shares results between graphs that do the same, and keeps backends apart', async () => {
    const cache = tensorCache();
    const { backend, taken } = counting();
    const one = graph({ x: input([2]) }, ({ x }) => ({ y: neg(exp(x)) })) as Graph;
    const other = graph({ u: input([2]) }, ({ u }) => ({ v: relu(exp(u)) })) as Graph;
    const ask = (g: Graph, feeds: Feeds, by = backend) => evaluate(g, feeds, { backend: by, level, use: [cached(cache)] });
    await ask(one, { x: [1, 2] });
    expect(taken()).to.equal(2);
    await ask(other, { u: [1, 2] });
    expect(taken(), 'relu alone').to.equal(1);
    const second = counting();
    await ask(one, { x: [1, 2] }, second.backend);
    expect(second.taken()).to.equal(2);
  });

  it('holds no more than it may: what is too large is computed each time', async () => {
    const { backend, taken } = counting();
    const cache = tensorCache({ maxBytes: 7 });
    const ask = (x: readonly number[]) => evaluate(model, { x }, { backend, level, use: [cached(cache)] });
    await ask([1, 2, 3]);
    await ask([1, 2, 3]);
    expect(taken()).to.equal(10);
    expect(cache.stats().bytes).to.be.at.most(7);
    for (let at = 0; at < 50; at++) await ask([at % 5]);
    expect(cache.stats().peak).to.be.at.most(7);
  });

  it('sees what middleware around it gives a node', async () => {
    const stub: Middleware = (step, node) => (node.op === 'exp' ? (frames$) => frames$.pipe(step, map((f) => assign(f, node.id, tensor([7])))) : step); // prettier-ignore
    const cache = tensorCache();
    const plain = graph({ x: input([1]) }, ({ x }) => ({ y: neg(exp(x)) })) as Graph;
    const ask = async (use: readonly Middleware[]) =>
      numbers(await evaluate(plain, { x: [0] }, { level, backend: js(), use }), 'y');
    expect(await ask([cached(cache)])).to.deep.equal([-1]);
    expect(await ask([stub, cached(cache)])).to.deep.equal([-7]);
    expect(await ask([cached(cache)])).to.deep.equal([-1]);
  });

  it('works where the backend has memory of its own, and on compiled graphs', async () => {
    const kit = wasmKit();
    const { backend, taken } = counting(kit.backend);
    const use = [cached(tensorCache())];
    const compiled = compile(model, { backend });
    const kernels = compiled.schedule.flat().length;
    const first = await evaluate(compiled, { x: [0, 1] }, { use });
    expect(taken()).to.equal(kernels);
    const again = await evaluate(compiled, { x: [0, 1] }, { use });
    expect(taken()).to.equal(0);
    for (const key of ['y', 'z']) expect(differentBits(again[key], first[key]), key).to.equal(undefined);
  });

  it('passes feeds and errors through in order, and is refused wrong limits at the call', async () => {
    const all = await lastValueFrom(
      of({ x: [0] }, { x: [1] }, { x: [0] }).pipe(run(model, { level, use: [cached()] }), toArray()),
    );
    expect(all.map(({ y }) => y.toArray())).to.deep.equal([1, Math.fround(Math.exp(2)), 1]);
    expect(
      await evaluate(model, { x: 'no' as never }, { use: [cached()] }).catch((error: { code: string }) => error.code),
    ).to.equal('E_FEED');
    expect(thrownBy(() => cached({ maxBytes: -1 })).code).to.equal('E_ARGUMENT');
  });
});
