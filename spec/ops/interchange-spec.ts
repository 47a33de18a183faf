import { expect } from 'chai';
import '../../src/ops/index.js';
import { INTERCHANGE, interchangeName, interchangeOp, wrapperOp, type InterchangeKind } from '../../src/ops/interchange.js';
import { findOp } from '../../src/ops/registry.js';

const names = (text: string): readonly string[] => text.split(/[\s,/]+/).filter((name) => name !== '');

const FEATURE: Readonly<Record<InterchangeKind, readonly string[]>> = {
  unary:
    names(`relu, sigmoid, oneminus/one_minus, negate/neg, abs, sign, floor, ceil, round, trunc, sqrt, rsqrt, square, reciprocal, exp, expm1, log, log1p,
    log2, sin, cos, tan, asin, acos, atan, sinh, cosh, tanh, erf, gelu, gelu_tanh, silu, softplus, identity, not, isnan`),
  binary:
    names(`add, subtract/sub, multiply/mul, divide/div, min/minimum, max/maximum, pow/power, mod/modulo, fmod, eq/equal, ne, lt/less/lessthan/less_than,
    gt/greater/greaterthan/greater_than, lte/le/lessthanorequal/less_than_equal, gte/ge/greaterthanorequal/greater_than_equal, or_max/ormax,
    or_prob_sum/orprobsum/or_probabilistic, nand, nor, xor, logical_and, logical_or, logical_xor`),
  reduce: names('sum, mean, max, min, product/prod, count, any, all, argmax, logsumexp, var, std'),
};

describe('names of the interchange format', () => {
  for (const [kind, row] of [
    ['unary', 'F143'],
    ['binary', 'F144'],
    ['reduce', 'F145'],
  ] as const) {
    it(`knows every ${kind} name, in any case, as an op of that arity (${row})`, () => {
      for (const name of FEATURE[kind]) {
        const op = interchangeOp(kind, name);
        expect(op, name).to.be.a('string');
        expect(interchangeOp(kind, name.toUpperCase())).to.equal(op);
        expect(findOp(op!)?.arity, name).to.equal(kind === 'binary' ? 2 : 1);
      }
    });
  }

  it('writes a name that it reads as the same op', () => {
    for (const kind of ['unary', 'binary', 'reduce'] as const) {
      for (const op of new Set(INTERCHANGE[kind].values())) expect(interchangeOp(kind, interchangeName(kind, op)!)).to.equal(op);
    }
    expect(interchangeName('unary', 'atan2')).to.equal(undefined);
    expect(interchangeName('unary', 'constructor')).to.equal(undefined);
  });

  it('tells the soft formulas from the boolean ops', () => {
    expect(interchangeOp('binary', 'xor')).to.equal('xor');
    expect(interchangeOp('binary', 'logical_xor')).to.equal('logicalXor');
    expect(interchangeOp('unary', 'not')).to.equal('logicalNot');
  });

  it('does not know what objects inherit, nor names of another kind', () => {
    for (const name of ['__proto__', 'constructor', 'toString', '', 'x'.repeat(1e6), 'sum'])
      expect(interchangeOp('unary', name)).to.equal(undefined);
  });

  it('reads wrappers around einsum specs by their number of operands (F148)', () => {
    for (const name of ['sum', 'mean', 'max', 'min', 'prod', 'count', 'any', 'all'])
      expect(wrapperOp(name, 1)).to.deep.equal({ kind: 'reduce', op: name });
    expect(wrapperOp('subtract', 2)).to.deep.equal({ kind: 'binary', op: 'sub' });
    for (const [name, op] of [
      ['sigmoid', 'sigmoid'],
      ['square', 'square'],
      ['negate', 'neg'],
      ['exp', 'exp'],
    ])
      expect(wrapperOp(name, 1)).to.deep.equal({ kind: 'unary', op });
    expect(wrapperOp('softmax', 1)).to.equal(undefined);
    expect(wrapperOp('sum', 3)).to.equal(undefined);
  });
});
