import { expect } from 'chai';
import { describeValue } from '../../src/errors/index.js';

describe('describeValue', () => {
  it('writes numbers as they are, and minus zero as such', () => {
    expect([1.5, NaN, -0, Infinity, 10n].map(describeValue)).to.deep.equal(['1.5', 'NaN', '-0', 'Infinity', '10n']);
  });

  it('quotes and shortens a text, on one line (G15)', () => {
    expect(describeValue('a\nb')).to.equal('"a\\u000ab"');
    expect(describeValue('x'.repeat(2 ** 20))).to.have.length.below(80);
  });

  it('names the kind of all else, and calls nothing of it', () => {
    const hostile = {
      toString: () => {
        throw new Error('called');
      },
      toJSON: () => {
        throw new Error('called');
      },
    };
    const { proxy, revoke } = Proxy.revocable([], {});
    revoke();
    expect(
      [undefined, null, true, [1], new Float32Array(1), hostile, () => 1, Symbol('s'), proxy].map(describeValue),
    ).to.deep.equal([
      'undefined',
      'null',
      'true',
      'an array',
      'a typed array',
      'an object',
      'a function',
      'a symbol',
      'an object',
    ]);
  });
});
