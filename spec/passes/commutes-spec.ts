/** @file Ops whose operands may change places: their form says so, and their bits agree. */
import { expect } from 'chai';
import { evaluateSync, graph, input, js, wasm, type Backend, type ComputedDType, type Graph, type Tensor } from '../../src/index.js'; // prettier-ignore
import { isElementwise } from '../../src/ops/fused.js';
import type { AnyOp, Params } from '../../src/ops/op.js';
import { allOps, ops } from '../../src/ops/registry.js';
import { COMPUTED_DTYPES } from '../../src/tensor/dtype.js';
import { tensor } from '../../src/tensor/index.js';
import { commutes } from '../../src/passes/commutes.js';
import { HOSTILE } from '../support/hostile.js';
import { differentBits } from '../support/sameBits.js';

const BINARY = allOps().filter((op) => op.minInputs === 2 && op.maxInputs === 2 && isElementwise(op));

/** All pairs of hostile numbers of two dtypes. */
const pairs = (a: ComputedDType, b: ComputedDType): readonly [Tensor, Tensor] => {
  const [x, y] = [HOSTILE[a], HOSTILE[b]];
  return [
    tensor(x.flatMap((each) => y.map(() => each)), { dtype: a }),
    tensor(x.flatMap(() => y), { dtype: b }),
  ]; // prettier-ignore
};

const turned = (op: AnyOp, params: Params, [x, y]: readonly [Tensor, Tensor]): Graph =>
  graph(
    { x: input(x.shape, { dtype: x.dtype as ComputedDType }), y: input(y.shape, { dtype: y.dtype as ComputedDType }) },
    (v) => ({
      one: ops[op.name](v.x, v.y, params) as Tensor,
      other: ops[op.name](v.y, v.x, params) as Tensor,
    }),
  );

function firstDifference(op: AnyOp, params: Params, backend: Backend): string | undefined {
  for (const a of COMPUTED_DTYPES)
    for (const b of COMPUTED_DTYPES.slice(COMPUTED_DTYPES.indexOf(a))) {
      const [x, y] = pairs(a, b);
      const { one, other } = evaluateSync(turned(op, params, [x, y]), { x, y }, { backend, level: 'none' });
      const difference = differentBits(one, other);
      if (difference !== undefined) return `${op.name} of ${a} and ${b}: ${difference}`;
    }
  return undefined;
}

describe('commutes', () => {
  it('is true of sums, products, extremes, equality, logic, and of formulas that are symmetric in them (F043)', () => {
    expect(BINARY.filter((op) => commutes(op, {})).map(({ name }) => name).sort()).to.deep.equal([
      'add', 'equal', 'logicalAnd', 'logicalNand', 'logicalNor', 'logicalOr', 'logicalXor', 'maximum', 'minimum', 'mul', 'nand', 'nor',
      'notEqual', 'orMax', 'orProbSum', 'xor',
    ]); // prettier-ignore
  });

  it('is true only where no bit differs, whatever the dtypes, on js and on wasm', async () => {
    const backends = [js(), await wasm()];
    for (const op of BINARY.filter((each) => commutes(each, {})))
      for (const backend of backends) expect(firstDifference(op, {}, backend)).to.equal(undefined);
    const near = { tolerance: 0.5 };
    for (const name of ['equal', 'notEqual']) {
      const op = BINARY.find((each) => each.name === name)!;
      if (commutes(op, near)) expect(firstDifference(op, near, backends[0])).to.equal(undefined);
    }
    await backends[1].close();
  });

  it('is false where the order counts, and where only a formula knows that it does not', () => {
    const byFormula = BINARY.filter((op) => !commutes(op, {}) && firstDifference(op, {}, js()) === undefined);
    expect(byFormula.map(({ name }) => name).sort()).to.deep.equal(['hypot', 'logaddexp', 'squaredDifference']);
  });

  it('is false of contractions and of what has another number of operands', () => {
    for (const name of ['matmul', 'dot', 'outer', 'einsum', 'where', 'neg', 'concat', 'take'])
      expect(
        commutes(
          allOps().find((op) => op.name === name)!,
          {},
        ),
        name,
      ).to.equal(false);
  });
});
