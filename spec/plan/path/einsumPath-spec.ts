import { expect } from 'chai';
import { EinstreamError } from '../../../src/errors/index.js';
import { einsumPath } from '../../../src/plan/path/index.js';
import { ones } from '../../../src/tensor/index.js';

describe('the path of an einsum', () => {
  it('follows from tensors and shapes alike, and from sizes of output letters', () => {
    const path = einsumPath('ij,jk,k->ib', [ones([10, 20]), [20, 30], ones([30])], { sizes: { b: 2 } });
    expect(path.steps.map((step) => step.inputs)).to.deep.equal([
      [1, 2],
      [0, 3],
    ]);
    expect(path.steps.map((step) => step.elements)).to.deep.equal([20, 20]);
  });

  it('is searched for as told', () => {
    const spec = 'ij,jk,k->i';
    const shapes = [[10, 20], [20, 30], [30]];
    expect(einsumPath(spec, shapes, { strategy: 'none' }).method).to.equal('none');
    expect(() => einsumPath(spec, shapes, { memoryLimit: 19 })).to.throw(EinstreamError, 'memoryLimit');
  });

  it('is refused where the einsum would be', () => {
    expect(() =>
      einsumPath('ij,jk', [
        [2, 3],
        [4, 5],
      ]),
    ).to.throw(EinstreamError, 'index j must have one size');
    expect(() => einsumPath('i', [[2.5]])).to.throw(EinstreamError, 'the size of axis 0 must be an integer');
  });
});
