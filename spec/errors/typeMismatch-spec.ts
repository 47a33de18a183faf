import { expect } from 'chai';
import { EinstreamError, formatDiagnostic, typeMismatch } from '../../src/errors/index.js';

describe('typeMismatch', () => {
  it('says both types and the way from one to the other (F104)', () => {
    expect(formatDiagnostic(typeMismatch('float32', 'int32', 'matmul', { place: 'y' }))).to.equal(
      [
        '[ERROR] Type mismatch in matmul operation at "y"',
        '  code: E002',
        '',
        'Context:',
        '  Expected type: float32, but got: int32',
        '',
        'Suggestions:',
        '  1. Convert the operand to float32',
        '  2. Mind that float32 holds integers exactly only up to 2^24; int32 holds them up to 2^31',
      ].join('\n'),
    );
  });

  it('says what a conversion would lose, and nothing where it loses nothing', () => {
    expect(typeMismatch('int32', 'float32', 'gather').suggestions[1]).to.contain('drops the fraction');
    expect(typeMismatch('bool', 'float32', 'where').suggestions[1]).to.contain('Compare with 0');
    expect(typeMismatch('float64', 'float32', 'add').suggestions).to.have.length(1);
    expect(typeMismatch('float32', 'complex64', 'add').suggestions).to.have.length(1);
  });

  it('tells a fault of its own words, by node', () => {
    const error = new EinstreamError(
      typeMismatch({ node: 'm', op: 'where', rule: 'a condition is boolean', expected: 'bool', actual: 'int32' }),
    );
    expect(error).to.include({ code: 'E_DTYPE', message: '"m" where: a condition is boolean; expected bool, got int32' });
  });
});
