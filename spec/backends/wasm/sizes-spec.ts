/** @file Sizes are parameters of a kernel, not part of it: a stream of many sizes runs on the modules of its first few frames. */
import { expect } from 'chai';
import { from, map } from 'rxjs';
import {
  add,
  argmax,
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
  relu,
  run,
  softmax,
  std,
  sub,
  sum,
  tensor,
  transpose,
  type Graph,
  type Tensor,
} from '../../../src/index.js';
import { differenceOf } from '../../../src/testing/conformance/difference.js';
import { moduleCounter } from '../../support/modulesMade.js';
import { propertyRuns } from '../../support/property.js';
import { watch } from '../../support/watch.js';
import { onEachWasm, PLAIN_OR_ALL } from '../../support/wasmVariants.js';

const modulesMade = moduleCounter();

const WIDTH = 48;
const filled = (...shape: readonly number[]): Tensor => {
  const count = shape.reduce((a, b) => a * b, 1);
  return tensor(
    Float32Array.from({ length: count }, (_, k) => ((k * 5) % 11) / 10 - 0.5),
    { shape },
  );
};
const [v, w, bias] = [filled(WIDTH, 64), filled(64, 10), filled(64)];
const rows = { x: input(['n', WIDTH]) };

/** Of a batch of `n`; each gives `y`. */
const WORKLOADS: Readonly<Record<string, { readonly graph: Graph; readonly feed: (n: number) => Tensor }>> = {
  'a network': {
    graph: graph({ ...rows, v: param(v), w: param(w), b: param(bias) }, (s) => ({
      y: softmax(einsum('nh,ho->no', relu(add(einsum('ni,ih->nh', s.x, s.v), s.b)), s.w)),
    })),
    feed: (n) => filled(n, WIDTH),
  },
  'a network whose weights are read in place for few rows, and packed for many': {
    graph: graph({ x: input(['n', 80]), v: param(filled(80, 500)) }, (s) => ({ y: relu(einsum('ni,ih->nh', s.x, s.v)) })),
    feed: (n) => filled(n, 80),
  },
  softmax: { graph: graph(rows, ({ x }) => ({ y: softmax(x, { axis: 0 }), z: softmax(x, { axis: 1 }) })), feed: (n) => filled(n, WIDTH) }, // prettier-ignore
  normalisation: { graph: graph(rows, ({ x }) => ({ y: layerNorm(x, { axes: [1] }) })), feed: (n) => filled(n, WIDTH) },
  'reductions of columns, rows and all': {
    graph: graph(rows, ({ x }) => ({
      y: sum(x, { axis: 0 }),
      m: mean(x, { axis: 1 }),
      a: max(x),
      k: argmax(x, { axis: 0 }),
      l: logsumexp(x, { axis: 1 }),
      d: std(x, { axis: 0 }),
    })),
    feed: (n) => filled(n, WIDTH),
  },
  'a batch of products': {
    graph: graph({ x: input(['n', 6, 8]) }, ({ x }) => ({ y: einsum('nij,nkj->nik', x, x), d: einsum('nij,nij->n', x, x) })),
    feed: (n) => filled(n, 6, 8),
  },
  'attention, where the size is of rows and of columns': {
    graph: graph(rows, ({ x }) => ({ y: einsum('qk,kd->qd', softmax(mul(einsum('qd,kd->qk', x, x), 0.2)), x) })),
    feed: (n) => filled(n, WIDTH),
  },
  'a chain with a transposed copy': {
    graph: graph(rows, ({ x }) => ({ y: add(transpose(exp(sub(x, 1))), 1), t: mul(x, x) })),
    feed: (n) => filled(n, WIDTH),
  },
};

/** The ends, and the sizes below the rows that a product computes at a time: which of them come first decides when, not what. */
const FIRST = [1, 64, 2, 3, 4, 5, 6, 33];
const SIZES = 64;
/** All sizes in an order without a pattern, again and again. */
const orderOf = (first: readonly number[]): readonly number[] => [
  ...first,
  ...Array.from({ length: propertyRuns(1, 10, 100) * SIZES }, (_, k) => 1 + ((k * 37) % SIZES)),
];

onEachWasm(
  'a stream whose batch size changes with every frame, from 1 to 64',
  (backend) => {
    for (const [what, { graph: made, feed }] of Object.entries(WORKLOADS)) {
      it(`compiles nothing after the first few frames: ${what}`, () => {
        const order = orderOf(FIRST);
        const modules = modulesMade();
        const counts: number[] = [];
        const { values, error } = watch(
          from(order).pipe(
            map((n) => ({ x: feed(n) })),
            run(made, { backend: backend(), fallback: 'never' }),
            map((outputs) => {
              counts.push(modules());
              return outputs;
            }),
          ),
        );
        expect(error).to.equal(undefined);
        console.log(
          `        ${counts.at(-1)} modules after ${counts.length} frames, the last in frame ${1 + counts.indexOf(counts.at(-1)!)}`,
        );
        for (const k of [0, 1, 2, 7, 63]) {
          const want = evaluateSync(made, { x: feed(order[k]) }, { backend: js() });
          for (const [key, value] of Object.entries(want))
            expect(differenceOf(values[k][key], value, 1e-5), key).to.equal(undefined);
        }
        expect(counts.at(-1), 'modules').to.equal(counts[FIRST.length - 1]);
      });
    }
  },
  PLAIN_OR_ALL,
);
