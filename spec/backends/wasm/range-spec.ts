/** @file What float32 lanes must not lose at the ends of float32's range: the root of a sum of squares that it cannot hold. */
import { expect } from 'chai';
import { graph, input, type GraphSymbol } from '../../../src/graph/builder.js';
import { abs, evaluateSync, exp, js, l2norm, mul, std, tensor, tanh, wasm } from '../../../src/index.js';
import type { Backend } from '../../../src/backends/backend.js';
import { isLarge } from '../../support/property.js';

/** Functions that only float32 lanes have, arithmetic that both have, and nothing. */
const BEFORE: Record<string, (x: GraphSymbol, size: number) => GraphSymbol> = {
  nothing: (x) => x,
  arithmetic: (x) => abs(mul(x, -1)),
  'an exponential': (x) => exp(x),
  'a tangent, scaled': (x, size) => mul(tanh(x), size),
};
const SHAPES = [
  [40, [1], 3],
  [40, [0], 3],
  [1, [0], 67],
  [1, [1], 4],
  [9, [0, 1], 17],
  [8, [0], 100],
] as const;

describe('the root of a sum of squares on wasm', () => {
  let backend: Backend;
  before(async () => (backend = await wasm()));
  after(() => backend.close());

  for (const [name, before] of Object.entries(BEFORE))
    it(`is in float32's range where its squares are not, after ${name}`, () => {
      for (const [rows, axis, columns] of SHAPES)
        for (const size of [1e-30, 1e30])
          for (const rule of [l2norm, std])
            for (const keepdims of [true, false])
              for (const level of isLarge() ? (['none', 'standard'] as const) : (['standard'] as const)) {
                const at = (k: number): number =>
                  name === 'an exponential' ? Math.log(size) + (k % 5) / 8 : size * (1 + (k % 5) / 8);
                const x = tensor(Array.from({ length: rows }, (_, r) => Array.from({ length: columns }, (_each, c) => at(r * columns + c)))); // prettier-ignore
                const g = graph({ x: input(x.shape) }, ({ x: v }) => ({ y: rule(before(v, size), { axis, keepdims }) }));
                const [got, want] = [backend, js()].map(
                  (on) => evaluateSync(g, { x }, { level, backend: on }).y.data as Float32Array,
                );
                for (const [k, wanted] of want.entries())
                  expect(got[k], `${rule.name} of [${rows}, ${columns}] at ${size}, ${level}`).to.be.closeTo(wanted, 1e-4 * size);
              }
    });
});
