/** @file Feeds taken apart and put together along axis 0 (F020). */
import { expect } from 'chai';
import fc from 'fast-check';
import { EinstreamError, arange, mergeResults, reshape, splitBatch, tensor, transpose, type Feeds } from '../../../src/index.js';
import { stackRows } from '../../../src/stream/chunk/rows.js';
import { plain } from '../../support/marbles.js';
import { propertyRuns, propertySeed } from '../../support/property.js';

const codeOf = (act: () => unknown): unknown => {
  try {
    return act();
  } catch (error) {
    return error instanceof EinstreamError ? error.code : error;
  }
};

describe('splitBatch and mergeResults (F020)', () => {
  it('are each other’s inverse, for tensors, views, typed arrays and nested numbers', () => {
    const shape = fc.tuple(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 0, max: 3 }));
    fc.assert(
      fc.property(shape, fc.integer({ min: 1, max: 25 }), ([rows, width], size) => {
        const x = reshape(arange(rows * width), { shape: [rows, width] });
        const view = transpose(reshape(arange(rows * width, { dtype: 'int32' }), { shape: [width, rows] }));
        const nested = Array.from({ length: rows }, (_, k) => [k, k + 0.5]);
        const parts = splitBatch({ x, view, nested, typed: new Float64Array(rows).fill(3) }, size);
        expect(parts).to.have.length(Math.ceil(rows / size));
        expect(plain(mergeResults<Feeds>(parts))).to.deep.equal(
          plain({ x, view, nested, typed: tensor(new Float64Array(rows).fill(3)) }),
        );
      }),
      { seed: propertySeed(), numRuns: propertyRuns(50, 1000, 10_000) },
    );
  });

  it('split without a copy, and join with one', () => {
    const x = reshape(arange(12), { shape: [6, 2] });
    const parts = splitBatch({ x }, 4);
    expect(parts.map((part) => part.x.buffer === x.buffer)).to.deep.equal([true, true]);
    expect(mergeResults(parts).x.buffer).to.not.equal(x.buffer);
  });

  it('say what cannot be taken apart, or be put together', () => {
    const table: readonly (readonly [() => unknown, string])[] = [
      [() => splitBatch({ x: [1] }, 0), 'E_ARGUMENT'],
      [() => splitBatch({ x: 3 }, 1), 'E_SHAPE'],
      [() => splitBatch({ x: [1, 2], y: [1] }, 1), 'E_SHAPE'],
      [() => mergeResults([]), 'E_ARGUMENT'],
      [() => mergeResults([{ x: tensor(1) }, { x: tensor(2) }]), 'E_SHAPE'],
      [() => mergeResults([{ x: tensor([[1]]) }, { x: tensor([[1, 2]]) }]), 'E_SHAPE'],
      [() => mergeResults([{ x: tensor([1]) }, { x: tensor([1], { dtype: 'int32' }) }]), 'E_DTYPE'],
      [() => mergeResults<Feeds>([{ x: tensor([1]) }, { y: tensor([1]) }]), 'E_FEED'],
    ];
    for (const [act, code] of table) expect(codeOf(act), String(act)).to.equal(code);
  });
});

describe('rows of feeds', () => {
  it('are stacked along a new axis 0, of their dtype; nested numbers stay what they are', () => {
    const stacked = stackRows([
      { t: tensor([1, 2], { dtype: 'int32' }), s: 1, a: new Float64Array([1, 2]), mixed: [1] },
      { t: tensor([3, 4], { dtype: 'int32' }), s: 2, a: new Float64Array([3, 4]), mixed: tensor([2]) },
    ]);
    expect(plain({ ...stacked })).to.deep.equal(
      plain({
        t: tensor([[1, 2], [3, 4]], { dtype: 'int32' }),
        s: [1, 2],
        a: tensor([[1, 2], [3, 4]], { dtype: 'float64' }),
        mixed: [[1], [2]],
      }),
    ); // prettier-ignore
    expect(codeOf(() => stackRows([{ x: tensor([1]) }, { x: tensor([1, 2]) }]))).to.equal('E_SHAPE');
  });
});
