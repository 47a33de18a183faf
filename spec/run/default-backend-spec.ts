/** @file Who computes when nobody is named: js what is small, wasm what repays the way into its memory. */
import { expect } from 'chai';
import fc from 'fast-check';
import { delay, map, of, queueScheduler, Subject, tap } from 'rxjs';
import {
  add,
  admit,
  at,
  backendOf,
  einsum,
  emit,
  evaluateSync,
  exp,
  flip,
  graph,
  input,
  js,
  live,
  matmul,
  mul,
  param,
  relu,
  run,
  slice,
  softmax,
  steps,
  sum,
  tanh,
  tensor,
  transpose,
  type Graph,
  type Middleware,
  type RunOptions,
  type Tensor,
} from '../../src/index.js';
import { differenceOf } from '../../src/testing/conformance/difference.js';
import { marbles } from '../support/marbles.js';
import { propertyRuns, propertySeed } from '../support/property.js';
import { watch } from '../support/watch.js';

const numbers = (count: number, k = 0): Float32Array =>
  Float32Array.from({ length: count }, (_, i) => ((i * 7 + k * 3) % 23) / 8 - 1);
const matrix = (rows: number, columns: number, k = 0): Tensor => tensor(numbers(rows * columns, k), { shape: [rows, columns] });

/** Notes who computed each frame. */
function noting(): { readonly use: readonly Middleware[]; readonly names: readonly string[] } {
  const names: string[] = [];
  const first: Middleware =
    (step, _node, { position }) =>
    (frames$) =>
      frames$.pipe(
        step,
        tap((frame) => void (position === 0 && names.push(backendOf(frame).name))),
      );
  return { use: [first], names };
}

/** Who computes the graph for these feeds. */
function computing(g: Graph, feeds: Readonly<Record<string, Tensor>>, options: RunOptions = {}): string | undefined {
  const { use, names } = noting();
  watch(of(feeds).pipe(run(g, { ...options, use })));
  return names[0];
}

const w = matrix(64, 64);
const layer = graph({ x: input(['n', 64]), w: param(w) }, ({ x, w: weights }) => ({
  y: relu(matmul(x, weights)),
  s: softmax(matmul(x, weights), { axis: 1 }),
})) as Graph;

describe('a run that names no backend', () => {
  it('takes js for what is small and wasm for what is large, by the shapes of feeds', () => {
    const of1 = (op: (x: never) => unknown, dtype: 'float32' | 'float64' = 'float32') =>
      graph({ x: input([null], { dtype }) }, ({ x }) => ({ y: op(x as never) as typeof x })) as Graph;
    const sizeOf = (g: Graph, Elements: typeof Float32Array | typeof Float64Array): number | undefined =>
      [16, 256, 1024, 4096, 16384, 65536].find((n) => computing(g, { x: tensor(new Elements(n)) }) === 'wasm');
    expect(
      sizeOf(
        of1((x) => exp(x)),
        Float32Array,
      ),
    ).to.equal(4096);
    expect(
      sizeOf(
        of1((x) => relu(x)),
        Float32Array,
      ),
    ).to.equal(16384);
    expect(
      sizeOf(
        of1((x) => sum(x)),
        Float32Array,
      ),
    ).to.equal(65536);
    // In float64 wasm calls JavaScript's functions, one element after another: it cannot be quicker.
    expect(
      sizeOf(
        of1((x) => tanh(x), 'float64'),
        Float64Array,
      ),
    ).to.equal(undefined);
    expect([1, 2, 16, 64].map((n) => computing(layer, { x: matrix(n, 64) }))).to.deep.equal(['js', 'js', 'wasm', 'wasm']);
    expect(computing(layer, { x: matrix(64, 64) }, { backend: js() })).to.equal('js');
  });

  it('never goes back to js for more of the same', () => {
    const aChain = fc.array(fc.constantFrom(exp, relu, tanh), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(aChain, fc.integer({ min: 6, max: 16 }), (ops, exponent) => {
        const g = graph({ x: input([null]) }, ({ x }) => ({ y: ops.reduce((y, op) => op(y), x) })) as Graph;
        const [less, more] = [2 ** exponent, 2 ** exponent * 2].map((n) => computing(g, { x: tensor(new Float32Array(n)) }));
        expect(less === 'wasm' && more === 'js').to.equal(false);
      }),
      { seed: propertySeed(), numRuns: propertyRuns(10, 100, 1000) },
    );
  });

  it(
    'goes from one to the other and back within a stream: an output for each feed, in order, as js gives them',
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const feeds = {
        a: { x: matrix(1, 64) },
        b: { x: matrix(64, 64, 1) },
        c: { x: matrix(2, 64, 2) },
        d: { x: matrix(80, 64) },
      };
      const feeds$ = cold(' -a-(bc)-d-b|', feeds);
      const subs = '        ^----------!';
      const expected = '    -a-(bc)-d-b|';
      const { use, names } = noting();
      const differences: unknown[] = [];
      const outputs$ = feeds$.pipe(
        run(layer, { use }),
        tap(({ y, s }) => {
          const feed = Object.values(feeds).find(({ x }) => x.shape[0] === y.shape[0])!;
          const want = evaluateSync(layer, feed, { backend: js() });
          differences.push(differenceOf(y, want['y'], 1e-5), differenceOf(s, want['s'], 1e-5));
        }),
      );
      const letters: Readonly<Record<number, string>> = { 1: 'a', 2: 'c', 64: 'b', 80: 'd' };
      const complete = (): void => {
        expect(differences).to.deep.equal(Array(10).fill(undefined));
        expect(names).to.deep.equal(['js', 'wasm', 'js', 'wasm', 'wasm']);
      };
      expectObservable(outputs$.pipe(map(({ y }) => letters[y.shape[0]]), tap({ complete }))).toBe(expected); // prettier-ignore
      expectSubscriptions(feeds$.subscriptions).toBe(subs);
    }),
  );

  it('lends outputs of either, which are stale afterwards', () => {
    const lent: Tensor[] = [];
    const sums: number[] = [];
    const feeds = [1, 64, 2, 70].map((n) => ({ x: matrix(n, 64) }));
    const seen = watch(
      of(...feeds).pipe(
        run(layer, { outputs: 'borrow' }),
        tap(({ y }) => {
          lent.push(y);
          sums.push((y.data as Float32Array).reduce((a, b) => a + b, 0));
        }),
      ),
    );
    expect(seen.error).to.equal(undefined);
    const wanted = feeds.map((feed) => (evaluateSync(layer, feed, { backend: js() })['y'].data as Float32Array).reduce((a, b) => a + b, 0)); // prettier-ignore
    sums.forEach((total, k) => expect(total).to.be.closeTo(wanted[k], 1e-3 * Math.abs(wanted[k])));
    for (const each of lent) expect(() => each.data).to.throw(/borrowed/);
  });

  it('has the same steps, made once, whoever computes', () => {
    const list = steps(layer);
    expect(list.map(({ node }) => node)).to.deep.equal(steps(layer).map(({ node }) => node));
    const seen = watch(
      of({ x: matrix(1, 64) }, { x: matrix(64, 64) }).pipe(
        admit(layer),
        ...(list.map(({ operator }) => operator) as [(typeof list)[0]['operator']]),
        emit(layer),
      ),
    );
    expect(seen.values.map(({ y }) => y.shape)).to.deep.equal([
      [1, 64],
      [64, 64],
    ]);
    const nodes: string[] = [];
    const naming: Middleware = (step, node, { backend }) => {
      nodes.push(`${node.op} ${backend.name}`);
      return step;
    };
    watch(of({ x: matrix(1, 64) }, { x: matrix(64, 64) }).pipe(run(layer, { use: [naming] })));
    expect(nodes).to.deep.equal(list.map(({ node }) => `${node.op} default`));
  });

  it('goes from one to the other in live, and gives the same tensor where nothing changed', () => {
    const two = graph({ a: input(['n', 64]), b: input([64, 64]) }, ({ a, b }) => ({ p: matmul(a, b), q: exp(b) })) as Graph;
    const [a$, b$] = [new Subject<Tensor>(), new Subject<Tensor>()];
    const [here, there] = [{}, { backend: js() }].map((by) =>
      watch(live(two, { a: a$, b: b$ }, { ...by, scheduler: queueScheduler })),
    );
    b$.next(matrix(64, 64));
    for (const rows of [1, 64, 64, 1, 70, 70]) a$.next(matrix(rows, 64, rows));
    b$.next(matrix(64, 64, 5));
    expect(here.values.length).to.equal(there.values.length).and.greaterThan(4);
    here.values.forEach((outputs, k) => {
      for (const key of ['p', 'q'])
        expect(differenceOf(outputs[key], there.values[k][key], 1e-4), `${key} ${k}`).to.equal(undefined);
    });
    a$.next(matrix(70, 64, 9));
    const [before, after] = here.values.slice(-2);
    expect(after['q']).to.equal(before['q']);
    for (const each of [here, there]) each.unsubscribe();
  });

  it('reads feeds of any strides, params that are fed or not, and gives tensors that their owner keeps', () => {
    const views: readonly ((x: Tensor) => Tensor)[] = [(x) => x, (x) => transpose(x), (x) => flip(x), (x) => slice(x, at(0))];
    const g = graph({ x: input([null, null]), w: param(w), c: input([64]) }, (given) => ({
      y: add(matmul(exp(given.x), given.w), given.c),
      t: einsum('ij->ji', given.x),
      x: given.x,
      w: mul(given.w, 2),
    })) as Graph;
    fc.assert(
      fc.property(fc.constantFrom(1, 64, 96), fc.nat(2), fc.boolean(), fc.nat(9), (rows, view, isFed, k) => {
        const shape: [number, number] = view === 1 ? [64, rows] : [rows, 64];
        const x = views[view](matrix(...shape, k));
        const feeds = { x, c: slice(matrix(2, 64, k), at(1)), ...(isFed ? { w: views[view](matrix(64, 64, k)) } : {}) };
        const [got, want] = [{}, { backend: js() }].map((by) => evaluateSync(g, feeds, by));
        for (const key of ['y', 't', 'x', 'w']) expect(differenceOf(got[key], want[key], 1e-4), key).to.equal(undefined);
        const text = String(got['y'].toArray());
        evaluateSync(g, { ...feeds, x: views[view](matrix(...shape, k + 1)) });
        expect(String(got['y'].toArray())).to.equal(text);
        expect(got['y'].buffer.array.buffer.byteLength).to.equal(got['y'].size * 4);
      }),
      { seed: propertySeed(), numRuns: propertyRuns(20, 200, 2000) },
    );
  });

  it('keeps frames apart that are on their way at the same time, on either', (done) => {
    const feeds = [64, 1, 66, 2, 64].map((n, k) => ({ x: matrix(n, 64, k) }));
    const late: Middleware = (step, _node, { position }) => (position === 0 ? (frames$) => frames$.pipe(step, delay(1)) : step);
    const seen: Tensor[] = [];
    of(...feeds)
      .pipe(run(layer, { use: [late] }))
      .subscribe({
        next: ({ y }) => void seen.push(y),
        error: done,
        complete: () => {
          const wanted = feeds.map((feed) => evaluateSync(layer, feed, { backend: js() })['y']);
          expect(seen.map((y, k) => differenceOf(y, wanted[k], 1e-4))).to.deep.equal(Array(5).fill(undefined));
          done();
        },
      });
  });
});
