import { expect } from 'chai';
import { EinstreamError, formatDiagnostic, formatErrorLine, shapeMismatch, type Dim } from '../../src/errors/index.js';

const differences = (expected: readonly Dim[], actual: readonly Dim[]): readonly string[] =>
  shapeMismatch(expected, actual, 'add').context.slice(1);

describe('shapeMismatch', () => {
  it('lists each axis that differs (F104)', () => {
    expect(differences([2, 3, 4], [2, 5, 6])).to.deep.equal([
      'Dimension 1 mismatch: expected Static(3), got Static(5)',
      'Dimension 2 mismatch: expected Static(4), got Static(6)',
    ]);
  });

  it('tells a difference of rank apart, since axes then have no partners (F104)', () => {
    expect(differences([2, 3], [2, 3, 4])).to.deep.equal(['Rank mismatch: expected rank 2, got rank 3']);
    expect(shapeMismatch([2, 3], [2, 3, 4], 'add').suggestions[0]).to.contain('squeeze');
    expect(shapeMismatch([2, 3], [2], 'add').suggestions[0]).to.contain('unsqueeze');
  });

  it('says static, dynamic or symbolic of each side (F104)', () => {
    expect(shapeMismatch([64, null], [null, 'n'], 'add').context).to.deep.equal([
      'Expected shape: [64, ?], but got: [?, n]',
      'Dimension 0 mismatch: expected Static(64), got Dynamic',
    ]);
    expect(differences([3], ['n'])).to.deep.equal(['Dimension 0 mismatch: expected Static(3), got Symbolic(n)']);
  });

  it('admits any size for null, and one size for a name wherever it stands', () => {
    expect(differences([null, 'n', 'n'], [7, 2, 2])).to.deep.equal([]);
    expect(differences(['n', 'n'], [2, 3])).to.deep.equal(['Dimension 1 mismatch: expected Symbolic(n) = 2, got Static(3)']);
  });

  it('treats names of Object.prototype as names (G3)', () => {
    expect(differences(['__proto__', 'constructor'], [2, 3])).to.deep.equal([]);
  });

  it('proposes what the numbers allow: a transpose, a reshape, or a look at the sizes', () => {
    expect(shapeMismatch([2, 3], [3, 2], 'add').suggestions[0]).to.contain('transpose');
    expect(shapeMismatch([2, 6], [3, 4], 'add').suggestions[0]).to.equal(
      'Use tensor.reshape([2, 6]) to match the expected shape',
    );
    expect(shapeMismatch([2, 3], [2, 4], 'add').suggestions[0]).to.contain('Check');
  });

  it('carries the node, and the spec with a caret under the letter (F104)', () => {
    const found = shapeMismatch([64, 128], [64, 256], 'matmul', {
      place: 'scores',
      nodeId: 3,
      caret: { text: 'ij,jk->ik', at: 3, length: 1 },
    });
    expect(found).to.include({ place: 'scores', nodeId: 3, op: 'matmul', expected: '[64, 128]', actual: '[64, 256]' });
    expect(formatDiagnostic(found)).to.match(
      /^\[ERROR\] Shape mismatch in matmul operation at "scores"\n {2}code: E001\n\n {2}ij,jk->ik\n {5}\^\n\nContext:/,
    );
    expect(new EinstreamError(found).nodeId).to.equal(3);
  });

  it('tells a fault of its own words, by node', () => {
    const error = new EinstreamError(
      shapeMismatch({
        node: 'scores',
        op: 'einsum "ij,jk->ik"',
        rule: 'index j must have one size',
        expected: 'j = 128 (axis 1 of "x", shape [64, 128])',
        actual: 'j = 256 (axis 0 of "w", shape [256, 10])',
        hint: 'transpose "w", or write "ij,kj->ik"',
      }),
    );
    expect(error).to.include({ code: 'E_SHAPE' });
    expect(formatErrorLine(error)).to.equal(
      'E_SHAPE "scores" einsum "ij,jk->ik": index j must have one size; expected j = 128 (axis 1 of "x", shape [64, 128]), ' +
        'got j = 256 (axis 0 of "w", shape [256, 10]) (transpose "w", or write "ij,kj->ik")',
    );
  });

  it('prints 16 axes of a shape that has more', () => {
    expect(shapeMismatch(new Array<number>(100).fill(1), [], 'add').expected).to.equal(`[${'1, '.repeat(15)}1, … (100 axes)]`);
  });
});
