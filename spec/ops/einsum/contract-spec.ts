import { expect } from 'chai';
import fc from 'fast-check';
import { EinstreamError } from '../../../src/errors/index.js';
import { contractNaive } from '../../../src/ops/einsum/contract.js';
import { parseEinsum } from '../../../src/ops/einsum/parse.js';
import { resolveEinsum } from '../../../src/ops/einsum/resolve.js';
import { allocateTensor, tensor, type ComputedDType, type Shape, type Tensor } from '../../../src/tensor/index.js';
import { anyEinsum, meaningOf } from '../../support/anyEinsum.js';
import { propertyRuns, propertySeed } from '../../support/property.js';

function contract(spec: string, tensors: readonly Tensor[], dtype: ComputedDType = 'float64'): Tensor {
  const { contraction, output } = resolveEinsum(
    parseEinsum(spec),
    tensors.map((t) => t.shape),
  );
  const out = allocateTensor(output as Shape, dtype);
  contractNaive(contraction!, tensors, out);
  return out;
}
const numbers = (spec: string, ...operands: readonly (readonly number[])[]): readonly number[] =>
  [
    ...contract(
      spec,
      operands.map((x) => tensor(Float64Array.from(x))),
    ).data,
  ].map(Number);

describe('the plain loop of a contraction', () => {
  it('is the sum over all indices that the output lacks, for any shapes and layouts, NaN and Infinity among them (N9)', () => {
    const special = [0, NaN, Infinity, -Infinity, -0];
    for (const values of [[], special]) {
      fc.assert(
        fc.property(anyEinsum({ maxOperands: 4, special: values }), (einsum) => {
          expect([...contract(einsum.spec, einsum.tensors).data]).to.deep.equal(meaningOf(einsum));
        }),
        { seed: propertySeed(), numRuns: propertyRuns(500, 5_000, 50_000) },
      );
    }
  });

  it('never skips a product: 0 × Infinity is NaN and reaches the sum', () => {
    expect(numbers('i,i->', [0, 1], [Infinity, 1])).to.deep.equal([NaN]);
    expect(numbers('i,j->ij', [0, 1], [Infinity, NaN])).to.deep.equal([NaN, NaN, Infinity, NaN]);
  });

  it('sums nothing to 0, whatever the other factors are', () => {
    expect(numbers('i,j->j', [], [Infinity, NaN])).to.deep.equal([0, 0]);
  });

  it('keeps -0 where nothing is summed', () => {
    expect(numbers('i->i', [-0, 0])).to.deep.equal([-0, 0]);
    expect(numbers('i,i->i', [-0, 2], [3, -0])).to.deep.equal([-0, -0]);
  });

  it('accumulates float32 in float64', () => {
    const x = tensor(Float32Array.of(1e8, 1, -1e8));
    expect(contract('i->', [x], 'float32').toArray()).to.equal(1);
  });

  it('wraps int32 at every step, exactly', () => {
    const x = tensor(Int32Array.of(2 ** 31 - 1, -(2 ** 31), 123456789));
    const exact = [...(x.data as Int32Array)].reduce((sum, n) => sum + BigInt(n) ** 3n, 0n);
    expect(contract('i,i,i->', [x, x, x], 'int32').toArray()).to.equal(Number(BigInt.asIntN(32, exact)));
  });

  it('counts true as 1', () => {
    expect(contract('i->', [tensor([true, true, false])], 'int32').toArray()).to.equal(2);
  });

  it('refuses what would take hours, at once', () => {
    const wide = Array.from({ length: 26 }, () =>
      tensor([
        [1, 2],
        [3, 4],
      ]),
    );
    const spec = `${[...'abcdefghijklmnopqrstuvwxyz'].map((l) => l + l.toUpperCase()).join(',')}->`;
    expect(() => contract(spec, wide)).to.throw(
      EinstreamError,
      `a bounded number of products; expected at most ${2 ** 36}, got ${2 ** 52}`,
    );
  });

  it('refuses a borrowed tensor whose frame has ended', () => {
    const x = tensor([1, 2]);
    x.buffer.retired = true;
    expect(() => contract('i->', [x])).to.throw(EinstreamError, 'borrowed');
  });
});
