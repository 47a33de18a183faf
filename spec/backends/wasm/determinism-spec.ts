/** @file The same bits on wasm for any number of threads, and how far the size of the batch may change them. */
import { expect } from 'chai';
import { createHash } from 'node:crypto';
import {
  add,
  argmax,
  concat,
  einsum,
  evaluateSync,
  exp,
  graph,
  input,
  js,
  layerNorm,
  logsumexp,
  max,
  mean,
  mul,
  param,
  prod,
  relu,
  slice,
  range,
  softmax,
  std,
  sum,
  take,
  tanh,
  tensor,
  transpose,
  type Backend,
  type Feeds,
  type Graph,
  type GraphSymbol,
  type Outputs,
  type Tensor,
} from '../../../src/index.js';
import fc from 'fast-check';
import { isLarge, propertyRuns, propertySeed } from '../../support/property.js';
import { randomGraph } from '../../support/random-graph.js';
import { differentBits } from '../../support/sameBits.js';
import { threadedWasm } from '../../support/threadedWasm.js';
import { wasmKit } from '../../support/wasmKit.js';

const noise = (seed: number, ...shape: readonly number[]): Tensor => {
  let state = seed;
  const next = (): number => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 32 - 0.5;
  return tensor(Float32Array.from({ length: shape.reduce((a, b) => a * b, 1) }, next), { shape });
};

/** Each kind of kernel, in sizes that are no multiples of anything. */
const WORKLOADS: Readonly<Record<string, readonly [Graph, Feeds]>> = {
  'products, packed and in place': [
    graph({ a: input([131, 130]), b: input([130, 83]), c: input([83, 70]) }, ({ a, b, c }) => ({
      y: einsum('ij,jk->ik', a, b),
      t: einsum('ij,jk->ki', a, b),
      n: relu(add(einsum('ij,jk->ik', a, b), 0.1)),
      p: einsum('ij,jk,kl->il', a, b, c),
      v: einsum('ij->i', a),
    })),
    { a: noise(1, 131, 130), b: noise(2, 130, 83), c: noise(3, 83, 70) },
  ],
  'batches of products, and dots': [
    graph({ a: input([5, 33, 40]), b: input([5, 40, 21]) }, ({ a, b }) => ({
      y: einsum('bij,bjk->bik', a, b),
      d: einsum('bij,bij->bi', a, a),
      s: einsum('bij,bij->', a, a),
    })),
    { a: noise(4, 5, 33, 40), b: noise(5, 5, 40, 21) },
  ],
  'sums, extremes and places of rows, columns and all': [
    graph({ x: input([257, 131]) }, ({ x }) => ({
      a: sum(x, { axis: 0 }),
      b: sum(x, { axis: 1 }),
      c: sum(x),
      d: mean(x),
      e: max(x, { axis: 1 }),
      f: argmax(x, { axis: 0 }),
      g: std(x, { axis: 1 }),
      h: logsumexp(x, { axis: 0 }),
      i: prod(x, { axis: 1 }),
    })),
    { x: noise(6, 257, 131) },
  ],
  'rows that are normalised': [
    graph({ x: input([130, 67]) }, ({ x }) => ({ y: softmax(x), z: softmax(x, { axis: 0 }), n: layerNorm(x, { axes: [1] }) })),
    { x: noise(7, 130, 67) },
  ],
  'chains, turned copies, pieces and gathers': [
    graph({ x: input([301, 67]), i: input([40], { dtype: 'int32' }) }, ({ x, i }) => ({
      y: tanh(mul(exp(x), add(x, 1))),
      t: add(transpose(exp(x)), 1),
      c: concat([x, relu(x)], { axis: 0 }),
      g: take(x, i, { axis: 0 }),
    })),
    { x: noise(8, 301, 67), i: tensor(Int32Array.from({ length: 40 }, (_, k) => (k * 7) % 301)) },
  ],
};

const digest = (outputs: Outputs): string => {
  const hash = createHash('sha256');
  for (const [key, value] of Object.entries(outputs)) {
    hash.update(`${key} ${String(value)}`);
    hash.update(value.data as Float32Array);
  }
  return hash.digest('hex');
};

describe('wasm with deterministic: true (N7)', function () {
  this.timeout(0);
  const counts = isLarge() ? [2, 3, 8] : [2, 3];
  const backends = new Map<number, Backend>();
  before(async () => {
    backends.set(1, wasmKit({ limit: 2 ** 28 }).backend);
    for (const threads of counts) backends.set(threads, (await threadedWasm({ threads, limit: 2 ** 28, pause: 0.05 })).backend);
  });
  after(() => Promise.all([...backends.values()].map((each) => each.close())));

  for (const [what, [made, feeds]] of Object.entries(WORKLOADS)) {
    it(`gives one output for 1, ${counts.join(', ')} threads, again and again: ${what}`, () => {
      const distinct = new Set<string>();
      const runs = propertyRuns(2, 50, 1_000);
      for (const level of ['none', 'standard'] as const) {
        for (const backend of backends.values())
          for (let k = 0; k < runs; k++) distinct.add(`${level} ${digest(evaluateSync(made, feeds, { backend, level, fallback: 'never' }))}`); // prettier-ignore
      }
      expect([...distinct].filter((each) => each.startsWith('none'))).to.have.length(1);
      expect([...distinct].filter((each) => each.startsWith('standard'))).to.have.length(1);
    });
  }

  it('gives one output of any random graph', () => {
    let graphs = 0;
    fc.assert(
      fc.property(randomGraph(), ({ graph: made, feeds }) => {
        const [one, ...others] = [...backends.values()].map((backend) =>
          evaluateSync(made, feeds, { backend, fallback: 'never' }),
        );
        for (const other of others)
          for (const [key, value] of Object.entries(one)) expect(differentBits(other[key], value), key).to.equal(undefined);
        graphs++;
      }),
      { seed: propertySeed(), numRuns: propertyRuns(6, 300, 3_000) },
    );
    console.log(`      ${graphs} graphs on ${[...backends.keys()].join(', ')} threads`);
  });

  const WIDTH = 300;
  const rows = noise(9, 70, WIDTH);
  const weights = noise(10, WIDTH, 40);
  const RULES: Readonly<Record<string, readonly [rule: (x: GraphSymbol, w: GraphSymbol) => GraphSymbol, slack: number]>> = {
    'a chain': [(x) => tanh(mul(exp(x), 0.5)), 0],
    'sums of rows': [(x) => sum(x, { axis: 1, keepdims: true }), 0],
    softmax: [(x) => softmax(x), 0],
    normalisation: [(x) => layerNorm(x, { axes: [1] }), 0],
    // Which form of kernel computes a product depends on its rows, and with it the order of the sum.
    'a product': [(x, w) => einsum('ni,io->no', x, w), (WIDTH + 1) * 2 ** -24 * (WIDTH / 4)],
  };
  for (const [what, [rule, slack]] of Object.entries(RULES)) {
    it(`gives a row ${slack === 0 ? 'the same bits' : 'the same sums, to float32 rounding,'} in a batch of any size: ${what}`, () => {
      const made = graph({ x: input(['n', WIDTH]), w: param(weights) }, ({ x, w }) => ({ y: rule(x, w) }));
      let differing = 0;
      for (const backend of backends.values()) {
        const all = evaluateSync(made, { x: rows }, { backend }).y;
        const exact = evaluateSync(made, { x: rows }, { backend: js() }).y;
        for (const n of [1, 2, 3, 7, 33, 64]) {
          const some = evaluateSync(made, { x: slice(rows, range(5, 5 + n)) }, { backend }).y;
          const want = slice(all, range(5, 5 + n));
          if (differentBits(some, want) !== undefined) differing++;
          const right = slice(exact, range(5, 5 + n)).data;
          if (slack === 0) expect(differentBits(some, want), `${n} rows`).to.equal(undefined);
          else some.data.forEach((value, k) => expect(Math.abs(Number(value) - Number(right[k]))).to.be.at.most(slack));
        }
      }
      if (slack > 0) console.log(`      other bits in ${differing} of ${6 * backends.size} batches`);
    });
  }
});
