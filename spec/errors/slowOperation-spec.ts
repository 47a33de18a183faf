import { expect } from 'chai';
import { formatDiagnostic, slowOperation } from '../../src/errors/index.js';

describe('slowOperation', () => {
  it('is warning W002 with both times and their ratio (F106)', () => {
    expect(
      formatDiagnostic(slowOperation('einsum', 150, 50, { place: 'y' }))
        .split('\n')
        .slice(0, 5),
    ).to.deep.equal([
      '[WARNING] Slow einsum operation at "y": 3.00x the expected time',
      '  code: W002',
      '',
      'Context:',
      '  Actual: 150 ms, expected: 50 ms',
    ]);
  });

  it('suspects a fallback or a compilation from a factor of ten on', () => {
    expect(slowOperation('einsum', 499, 50).suggestions[0]).to.contain('optimisation level');
    expect(slowOperation('einsum', 500, 50).suggestions[0]).to.contain('fallback');
  });

  it('has no infinite or missing ratio', () => {
    expect(slowOperation('einsum', 5, 0).message).to.equal('Slow einsum operation: many times the expected time');
    expect(slowOperation('einsum', NaN, 5).message).to.equal('Slow einsum operation: many times the expected time');
  });
});
