import { expect } from 'chai';
import { contractionPath, einsumPath, printPath } from '../../../src/plan/path/index.js';
import { contractionOf } from '../../support/contractions.js';

describe('a path in print (F147)', () => {
  it('is a table with the cost of each step', () => {
    const path = contractionPath(contractionOf('ij,jk,kl->il', { i: 100, j: 200, k: 3, l: 400 }));
    expect(`\n${printPath(path)}\n`).to.equal(`
ij,jk,kl->il
  order:                optimal
  flops:                360000
  flops as one loop:    7.20e+7 (200 times as many)
  largest intermediate: 300 elements
  slot  of    contraction   flops  elements
  3     0, 1  ij,jk->ik    120000       300
  4     2, 3  kl,ik->il    240000     40000
`);
  });

  it('gives axes of an ellipsis a number', () => {
    const [head] = printPath(
      einsumPath('...i,...i->...', [
        [2, 5, 3],
        [5, 3],
      ]),
    ).split('\n');
    expect(head).to.equal('…0…1i,…1i->…0…1');
  });
});
