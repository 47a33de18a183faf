import { expect } from 'chai';
import { diagnose, EinstreamError, fault, formatError, formatErrorLine, nodeFailed } from '../../src/errors/index.js';
import { propertyRuns } from '../support/property.js';

describe('formatErrorLine', () => {
  it('gives code, place, rule, both values and the way out on one line', () => {
    const error = fault('E_SHAPE', {
      place: 's',
      op: 'einsum "ij,jk->ik"',
      rule: 'j has one size',
      expected: '2',
      actual: '3',
      hint: 'transpose it',
    });
    expect(formatErrorLine(error)).to.equal('E_SHAPE "s" einsum "ij,jk->ik": j has one size; expected 2, got 3 (transpose it)');
  });

  it('gives name and message of other errors, on one line too (G15)', () => {
    expect(formatErrorLine(new TypeError('a\nb'))).to.equal('TypeError: a\\u000ab');
    expect(formatErrorLine(new RangeError())).to.equal('RangeError');
  });

  it('prints whatever else was thrown, and never throws itself', () => {
    const hostile = {
      get name(): string {
        throw new Error('gotcha');
      },
      message: 'm',
    };
    const revoked = Proxy.revocable({}, {});
    revoked.revoke();
    expect(
      [undefined, null, 'text', 7, Symbol('s'), Object.create(null), { name: 'E', message: 'm' }, hostile, revoked.proxy].map(
        formatErrorLine,
      ),
    ).to.deep.equal([
      'threw undefined',
      'threw null',
      'threw "text"',
      'threw 7',
      'threw a symbol',
      'threw an object',
      'E: m',
      'threw a value that cannot be printed',
      'threw a value that cannot be printed',
    ]);
  });
});

describe('formatError', () => {
  it('prints the diagnostic, the node and attempt, the causes, and what failed beside it', () => {
    const deep = new RangeError('stack');
    const cause = new TypeError('boom', { cause: deep });
    const beside = fault('E_KERNEL', { place: 'z', rule: 'r', cause: 'a text' });
    const error = new EinstreamError('E_TIMEOUT', diagnose('E_TIMEOUT', { place: 'y', rule: 'a node ends in time' }), {
      nodeId: 4,
      attempt: 2,
      cause,
      suppressed: [beside],
    });
    expect(formatError(error)).to.equal(
      [
        '[ERROR] "y": a node ends in time',
        '  code: E_TIMEOUT',
        '',
        'Node: 4',
        'Attempt: 2',
        'Caused by: TypeError: boom',
        '  Caused by: RangeError: stack',
        'Suppressed: E_KERNEL "z": r',
        '  Caused by: threw "a text"',
      ].join('\n'),
    );
  });

  it('prints the diagnostic alone when there is no more to tell', () => {
    expect(formatError(fault('E_OP', { rule: 'r' }))).to.equal('[ERROR] r\n  code: E_OP');
  });

  it('prints the errors of an AggregateError as suppressed', () => {
    expect(formatError(new AggregateError([new Error('a'), 'b'], 'both'))).to.equal(
      'AggregateError: both\n\nSuppressed: Error: a\nSuppressed: threw "b"',
    );
  });

  it('ends at a cycle of causes', () => {
    const a = new Error('a');
    const b = new Error('b', { cause: a });
    a.cause = b;
    expect(formatError(a)).to.equal('Error: a\n\nCaused by: Error: b\n  Caused by: Error: a (printed above)');
  });

  it('is bounded for a long chain and for many suppressed errors', () => {
    let chain = new Error('0');
    for (let step = 1; step < propertyRuns(20_000, 100_000, 100_000); step++) chain = new Error(String(step), { cause: chain });
    expect(formatError(chain).split('\n').length).to.be.below(25);
    const many = new EinstreamError('E_OP', diagnose('E_OP', { rule: 'r' }), { suppressed: new Array<string>(1000).fill('x') });
    expect(formatError(many).split('\n').at(-1)).to.equal('Left out: 980 more');
  });

  it('is bounded for a tree of errors that all differ', () => {
    const grow = (depth: number): Error =>
      new AggregateError(depth === 0 ? [] : Array.from({ length: 8 }, () => grow(depth - 1)), 'm');
    expect(formatError(grow(5)).split('\n').length).to.be.below(2_000);
  });

  it('prints a text that was thrown twice, twice', () => {
    expect(formatError(new AggregateError(['a', 'a'], 'm'))).to.equal(
      'AggregateError: m\n\nSuppressed: threw "a"\nSuppressed: threw "a"',
    );
  });

  it('shows a failed node with what it threw (F105)', () => {
    const printed = formatError(new EinstreamError(nodeFailed('y', new Error('boom'), { op: 'relu' })));
    expect(printed.split('\n').at(-1)).to.equal('Caused by: Error: boom');
  });
});
