import { expect } from 'chai';
import { diagnose, diagnostic, EinstreamError, fault, outOfMemory, shapeMismatch } from '../../src/errors/index.js';

describe('EinstreamError', () => {
  it('takes its code from the diagnostic', () => {
    expect(new EinstreamError(shapeMismatch([2], [3], 'add')).code).to.equal('E_SHAPE');
    expect(new EinstreamError(outOfMemory(2, 1)).code).to.equal('E_OOM');
    expect(new EinstreamError(diagnostic.error('broken', { code: 'E_GRAPH' })).code).to.equal('E_GRAPH');
  });

  it('refuses a diagnostic that has no error code', () => {
    for (const code of ['W001', '', 'toString']) {
      expect(() => new EinstreamError(diagnostic.error('x', { code })))
        .to.throw(EinstreamError, 'the diagnostic of an error must have an error code')
        .with.property('code', 'E_ARGUMENT');
    }
  });

  it('takes a code and a diagnostic, with what else is known', () => {
    const cause = new Error('below');
    const second = new Error('beside');
    const error = new EinstreamError('E_KERNEL', diagnose('E_KERNEL', { rule: 'r' }), {
      nodeId: 4,
      attempt: 2,
      cause,
      suppressed: [second],
    });
    expect(error).to.include({ code: 'E_KERNEL', nodeId: 4, attempt: 2, cause });
    expect(error.suppressed).to.deep.equal([second]);
  });

  it('is an Error whose stack begins with its own name', () => {
    const error = fault('E_OP', { place: 'z', rule: 'an op is known' });
    expect(error).to.be.instanceOf(Error);
    expect(error.name).to.equal('EinstreamError');
    expect(error.stack!.split('\n')[0]).to.equal('EinstreamError: "z": an op is known');
  });

  it('says the context in its message when the diagnostic names no rule', () => {
    expect(new EinstreamError(shapeMismatch([64, 128], [64, 256], 'matmul')).message).to.equal(
      'Shape mismatch in matmul operation: Expected shape: [64, 128], but got: [64, 256]; ' +
        'Dimension 1 mismatch: expected Static(128), got Static(256) (Check your input tensor shapes match the expected dimensions)',
    );
  });

  it('has no cause unless one is given, and keeps one that is falsy', () => {
    expect(Object.hasOwn(fault('E_OP', { rule: 'r' }), 'cause')).to.equal(false);
    expect(Object.hasOwn(fault('E_OP', { rule: 'r', cause: null }), 'cause')).to.equal(true);
  });
});

describe('fault', () => {
  it('makes an error and does not throw', () => {
    expect(fault('E_FEED', { place: 'x', rule: 'r', nodeId: 3 })).to.include({ code: 'E_FEED', nodeId: 3 });
  });

  it('leaves out of the line what is absent', () => {
    expect(fault('E_FEED', { rule: 'r' }).message).to.equal('r');
    expect(fault('E_FEED', { op: 'relu', rule: 'r', actual: 'a' }).message).to.equal('relu: r; got a');
    expect(fault('E_FEED', { place: 'x', rule: 'r', expected: 'e', hint: ['h', 'i'] }).message).to.equal(
      '"x": r; expected e (h)',
    );
  });

  it('keeps a message of a few kilobytes at most, whatever is put into it (G3)', () => {
    const long = 'x'.repeat(2 ** 20);
    const error = fault('E_NAME', { place: long, op: long, rule: long, expected: long, actual: long, hint: long });
    expect(error.message.length).to.be.below(6_000);
    expect(error.diagnostic.place).to.equal(long);
  });

  it('may be milder or graver than an error', () => {
    expect(diagnose('E_GRAPH', { rule: 'r', severity: 'warning' }).severity).to.equal('warning');
    expect(diagnose('E_GRAPH', { rule: 'r' }).severity).to.equal('error');
  });
});
