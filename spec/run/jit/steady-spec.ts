/** @file Inputs that stay the same: compared by their bits, as far as that is cheap. */
import { expect } from 'chai';
import { isSteady, steadyInputs, stillSteady } from '../../../src/run/jit/steady.js';
import type { PreparedInput } from '../../../src/run/prepare.js';
import { full, ones, slice, range, tensor, transpose, zeros, type Tensor } from '../../../src/index.js';

const NOBODY: ReadonlySet<number> = new Set();
const unfed = { value: undefined } as PreparedInput;
const watched = (...tensors: readonly Tensor[]): readonly number[] =>
  steadyInputs(
    tensors,
    tensors.map(() => unfed),
    NOBODY,
  ).map(({ at }) => at);

/** Whether the second stands for the first. */
const same = (before: Tensor, now: Tensor): boolean => isSteady(steadyInputs([before], [unfed], NOBODY)[0], [now]);

describe('steady inputs (F040)', () => {
  it('are told by their bits: 0 is not −0, a NaN is itself, and the last element counts', () => {
    for (const dtype of ['float32', 'float64'] as const) {
      expect(same(tensor([1, NaN, -0], { dtype }), tensor([1, NaN, -0], { dtype }))).to.equal(true);
      expect(same(tensor([1, 0], { dtype }), tensor([1, -0], { dtype }))).to.equal(false);
    }
    expect(same(tensor([1, 2, 3], { dtype: 'int32' }), tensor([1, 2, 4], { dtype: 'int32' }))).to.equal(false);
    for (const last of [true, false]) expect(same(tensor([true, false, true]), tensor([true, false, last]))).to.equal(last);
    expect(same(tensor([2 ** 53], { dtype: 'float64' }), tensor([2 ** 53 + 2], { dtype: 'float64' }))).to.equal(false);
  });

  it('are told by what is in them now: the same tensor may have been written to, another may hold the same', () => {
    const lent = tensor([1, 2]);
    const [seen] = steadyInputs([lent], [unfed], NOBODY);
    expect(isSteady(seen, [tensor([1, 2])])).to.equal(true);
    lent.data[1] = 3;
    expect(isSteady(seen, [lent])).to.equal(false);
    expect([...seen.value.data], 'it is a copy').to.deep.equal([1, 2]);
  });

  it('may be a part of a larger array, wherever it begins', () => {
    const many = tensor([9, 1, 2, 9]);
    const flags = tensor([true, true, false, true]);
    expect(same(tensor([1, 2]), slice(many, range(1, 3)))).to.equal(true);
    expect(same(tensor([true, false]), slice(flags, range(1, 3)))).to.equal(true);
    expect(same(slice(many, range(1, 3)), slice(many, range(2, 4)))).to.equal(false);
  });

  it('are looked at up to 64 KiB each and 256 KiB together, where they lie row after row', () => {
    const [large, larger] = [ones([2 ** 14]), ones([2 ** 14 + 1])];
    expect(watched(larger, large, zeros([0]))).to.deep.equal([1]);
    expect(watched(large, large, large, large, large, ones([1]))).to.deep.equal([0, 1, 2, 3]);
    expect(watched(transpose(ones([2, 3])), ones([2, 3]))).to.deep.equal([1]);
  });

  it('are params, however large, while the graph’s own value stands for them', () => {
    const own = full([2 ** 15], 2);
    const given = { value: own } as PreparedInput;
    const [seen] = steadyInputs([own], [given], NOBODY);
    expect(seen.value, 'no copy').to.equal(own);
    expect(isSteady(seen, [own])).to.equal(true);
    expect(isSteady(seen, [full([2 ** 15], 2)]), 'fed now').to.equal(false);
  });

  it('are forgotten one by one when they change, and never looked at again where they are known to', () => {
    const before = [tensor([1]), tensor([2]), tensor([3])];
    const seen = steadyInputs(before, [unfed, unfed, unfed], new Set([0]));
    expect(seen.map(({ at }) => at)).to.deep.equal([1, 2]);
    expect(stillSteady(seen, before)).to.equal(seen);
    expect(stillSteady(seen, [before[0], tensor([2]), tensor([4])]).map(({ at }) => at)).to.deep.equal([1]);
  });
});
