/** @file max(·, 0) over sums on wasm: one instruction where no sum can be −0, and the bits of the reference whatever is added. */
import { expect } from 'chai';
import { linearize } from '../../../../src/codegen/linear.js';
import { maybeMinusZero, withoutMinusZero } from '../../../../src/codegen/render/wasm/zeros.js';
import { graph, input, type GraphSymbol } from '../../../../src/graph/builder.js';
import { add, evaluateSync, js, maximum, mul, relu, sub, tensor, wasm } from '../../../../src/index.js';
import { s, type Scalar } from '../../../../src/ops/scalar.js';
import { differentBits } from '../../../support/sameBits.js';

const [x, c] = [s.operand(0), s.operand(1)];
const list = (term: Scalar) => linearize(term, 'float32', 0);
const isSettled = (term: Scalar): boolean => {
  const made = list(withoutMinusZero(term, (operand) => operand === 1));
  const max = made.find((i) => i.kind === 'binary' && i.fn === 'max') as { readonly x: number };
  return !maybeMinusZero(made, max.x);
};

describe('a sum below max(·, 0)', () => {
  it('is never −0 where a still operand or a constant is added, rounded or not, also below another', () => {
    const settled = [
      s.add(x, c),
      s.add(c, x),
      s.roundTo('float32', s.add(s.mul(x, x), c)),
      s.add(x, 1),
      s.add(s.max(s.add(x, c), 0), c),
    ];
    for (const sum of settled) expect(isSettled(s.max(sum, 0))).to.equal(true);
    for (const other of [x, s.add(x, x), s.mul(x, c), s.sub(x, c), s.add(x, -0)])
      expect(isSettled(s.max(other, 0))).to.equal(false);
  });

  it('is as it was where anything else reads it', () => {
    const sum = s.add(x, c);
    for (const term of [sum, s.max(sum, 1), s.min(sum, 0), s.neg(sum)])
      expect(withoutMinusZero(term, () => true)).to.deep.equal(term);
    const both = withoutMinusZero(s.div(1, s.mul(s.max(sum, 0), sum)), () => true);
    expect(JSON.stringify(both)).to.include(JSON.stringify(sum));
  });

  it('has the bits of js for zeros of both signs, NaN and what has no sum', async () => {
    const backend = await wasm();
    const numbers = [0, -0, 1, -1, NaN, Infinity, -Infinity, 1e-45, -1e-45, 3e38, -3e38];
    const rules: ((v: GraphSymbol, w: GraphSymbol) => GraphSymbol)[] = [
      (v, w) => relu(add(v, w)),
      (v, w) => maximum(add(w, v), 0),
      (v, w) => relu(add(relu(add(v, w)), w)),
      (v, w) => add(relu(add(v, w)), mul(add(v, w), -1)),
      (v, w) => relu(sub(v, w)),
    ];
    const feeds = { x: tensor(numbers) };
    for (const number of numbers)
      for (const rule of rules) {
        const g = graph({ x: input([numbers.length]), c: input([]) }, ({ x: v, c: w }) => ({ y: rule(v, w) }));
        const [got, want] = [backend, js()].map((on) => evaluateSync(g, { ...feeds, c: tensor(number) }, { backend: on }).y);
        expect(differentBits(got, want), `${number}`).to.equal(undefined);
      }
    await backend.close();
  });
});
