import { expect } from 'chai';
import { EinstreamError, fault, formatDiagnostic, nodeFailed } from '../../src/errors/index.js';

describe('nodeFailed', () => {
  it('keeps what was thrown, and names the neighbours in the graph (F105)', () => {
    const cause = new RangeError('boom');
    const found = nodeFailed('y', cause, { op: 'relu', nodeId: 4, inputs: ['x', 'w"'], consumers: ['z'] });
    expect(found.cause).to.equal(cause);
    expect(formatDiagnostic(found)).to.equal(
      [
        '[ERROR] "y" relu: the kernel of a node must not fail; got RangeError: boom (look at the cause, and at the values that the node read)',
        '  code: E003',
        '',
        'Context:',
        '  got:      RangeError: boom',
        '  reads: "x", "w\\""',
        '  read by: "z"',
        '',
        'Suggestions:',
        '  1. look at the cause, and at the values that the node read',
      ].join('\n'),
    );
    expect(new EinstreamError(found)).to.include({ code: 'E_KERNEL', nodeId: 4, cause });
  });

  it('takes over the ways out of a cause that knows some', () => {
    const cause = fault('E_OOM', { rule: 'r', hint: ['use a smaller batch', 'or float32'] });
    expect(nodeFailed('y', cause).suggestions).to.deep.equal(['use a smaller batch', 'or float32']);
    expect(nodeFailed('y', cause, { hint: 'mine' }).suggestions).to.deep.equal(['mine']);
  });

  it('names eight of many neighbours', () => {
    const inputs = Array.from({ length: 1_000_000 }, (_, index) => `v${index}`);
    expect(nodeFailed('y', 'text', { inputs }).context[1]).to.equal(
      'reads: "v0", "v1", "v2", "v3", "v4", "v5", "v6", "v7" and 999992 more',
    );
  });
});
