/** @file Movement, reductions and normalisation give the same in a graph, on generated kernels, as on plain tensors. */
import { expect } from 'chai';
import { graph, input } from '../../src/graph/builder.js';
import type { Operand } from '../../src/ops/interpreter.js';
import * as einstream from '../../src/ops/index.js';
import { ops } from '../../src/ops/registry.js';
import { evaluateSync } from '../../src/run/index.js';
import { tensor } from '../../src/tensor/create.js';
import { arange } from '../../src/tensor/fill.js';
import type { Tensor } from '../../src/tensor/tensor.js';
import { at, range, reversed } from '../../src/tensor/view/specs.js';

const {
  broadcastTo,
  concat,
  flip,
  layerNorm,
  logSoftmax,
  pad,
  repeat,
  reshape,
  slice,
  softmax,
  split,
  stack,
  take,
  tile,
  transpose,
} = einstream;

const REDUCTIONS = [
  'sum',
  'mean',
  'prod',
  'max',
  'min',
  'argmax',
  'argmin',
  'any',
  'all',
  'count',
  'var',
  'std',
  'logsumexp',
  'l2norm',
  'sumsq',
];

const RULES: Readonly<Record<string, <A extends Operand>(x: A) => unknown>> = {
  tile: (x) => tile(x, { reps: [2, 1, 3] }),
  'tile of a view': (x) => tile(transpose(x), { reps: [2, 2, 1, 3] }),
  'repeat of a view': (x) => repeat(flip(x), { repeats: 2, axis: 1 }),
  pad: (x) => pad(x, { pads: [[1, 0], [0, 2], [1, 1]], value: 5 }), // prettier-ignore
  concat: (x) => concat([x, flip(x, { axis: 0 }), x]),
  stack: (x) => stack([x, x], { axis: -1 }),
  split: (x) => split(x, { parts: 2, axis: 2 })[1],
  slice: (x) => slice(x, at(1), null, reversed),
  'reshape that copies': (x) => reshape(transpose(x), { shape: [-1, 2] }),
  broadcastTo: (x) => broadcastTo(slice(x, null, range(0, 1)), { shape: [2, 3, 4] }),
  take: (x) => take(x, tensor(Int32Array.of(2, -1)), { axis: 1 }),
  softmax: (x) => softmax(x, { axis: 1 }),
  logSoftmax: (x) => logSoftmax(x, { axis: [0, 1] }),
  layerNorm: (x) => layerNorm(x, tensor([1, 2, 3]), tensor([0, 1, 2]), { axes: [1] }),
  ...Object.fromEntries(REDUCTIONS.map((name) => [name, (x: Operand) => ops[name](x, { axis: [2, 0] })])),
};

const x = reshape(arange(24), { shape: [2, 3, 4] });
const sameElsewhere = transpose(reshape(transpose(x), { shape: [4, 3, 2] }));

describe('in a graph', () => {
  for (const [name, rule] of Object.entries(RULES)) {
    it(`${name} gives what it gives on tensors, for any layout of the feed`, () => {
      const want = rule(x) as Tensor;
      const program = graph({ x: input(['n', 3, 4]) }, (symbols) => ({ y: rule(symbols.x) as typeof symbols.x }));
      for (const feed of [x, sameElsewhere]) {
        const got = evaluateSync(program, { x: feed }).y;
        expect([got.dtype, got.shape]).to.deep.equal([want.dtype, want.shape]);
        want.data.forEach((value, i) =>
          expect(Number(got.data[i])).to.be.closeTo(Number(value), 1e-5 * (1 + Math.abs(Number(value)))),
        );
      }
    });
  }
});
