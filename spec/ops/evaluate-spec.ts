import { expect } from 'chai';
import fc from 'fast-check';
import { EinstreamError } from '../../src/errors/index.js';
import {
  abs,
  add,
  cast,
  clip,
  div,
  equal,
  evaluateScalar,
  floorDivide,
  fmod,
  less,
  logicalAnd,
  mod,
  mul,
  neg,
  pow,
  relu,
  sin,
  slice,
  square,
  sub,
  take,
  where,
} from '../../src/ops/index.js';
import { s } from '../../src/ops/scalar.js';
import { at, tensor, tensorOver, type Tensor } from '../../src/tensor/index.js';
import { propertyRuns, propertySeed } from '../support/property.js';

const MIN = -(2 ** 31);
const MAX = 2 ** 31 - 1;
const ints = (...values: number[]): Tensor => tensor(Int32Array.from(values));
const bools = (...values: boolean[]): Tensor => tensor(values);
const floats = (...values: number[]): Tensor => tensor(values);
const doubles = (...values: number[]): Tensor => tensor(Float64Array.from(values));

const codeOf = (act: () => unknown): string => {
  try {
    act();
  } catch (error) {
    return (error as EinstreamError).code;
  }
  return 'nothing was thrown';
};

describe('numbers among tensors', () => {
  it('take the dtype of the tensors', () => {
    expect(add(floats(1), 2).dtype).to.equal('float32');
    expect(add(doubles(1), 2).dtype).to.equal('float64');
    expect(add(ints(1), 2).dtype).to.equal('int32');
  });
  it('keep all their digits beside float64, and float32’s beside float32', () => {
    expect(add(doubles(0), 0.1).toArray()).to.deep.equal([0.1]);
    expect(equal(floats(0.1), 0.1).toArray()).to.deep.equal([true]);
  });
  it('make int32 and bool float32 where they are not whole, or too large', () => {
    for (const number of [0.5, 2 ** 31, NaN, Infinity, -0]) {
      expect(add(ints(1), number).dtype, String(number)).to.equal('float32');
      expect(add(bools(true), number).dtype, String(number)).to.equal('float32');
    }
  });
  it('make bool int32 where they are whole', () => {
    expect(add(bools(true, false), 1).dtype).to.equal('int32');
    expect(where(bools(true, false), 1, 0).toArray()).to.deep.equal([1, 0]);
  });
  it('are float32 among themselves', () => expect(add(1, 2).dtype).to.equal('float32'));
});

describe('dtypes of results', () => {
  it('bool counts as int32 0 and 1 in arithmetic', () => {
    expect(neg(bools(true, false)).toArray()).to.deep.equal([-1, 0]);
    expect(add(bools(true), bools(true)).toArray()).to.deep.equal([2]);
    for (const op of [neg, abs, square, relu]) expect(op(bools(true)).dtype).to.equal('int32');
  });
  it('int32 stays int32, with float32 is float32, with float64 is float64', () => {
    expect(mul(ints(2), ints(3)).dtype).to.equal('int32');
    expect(mul(ints(2), floats(3)).dtype).to.equal('float32');
    expect(mul(ints(2), doubles(3)).dtype).to.equal('float64');
    expect(mul(floats(2), doubles(3)).dtype).to.equal('float64');
  });
  it('division and transcendental functions of int32 and bool are float32', () => {
    expect(div(ints(1), ints(4)).toArray()).to.deep.equal([0.25]);
    for (const t of [ints(1), bools(true)]) expect(sin(t).dtype).to.equal('float32');
  });
  it('comparisons and logic are bool', () => {
    expect(less(ints(1), floats(2)).toArray()).to.deep.equal([true]);
    expect(logicalAnd(floats(NaN, 0), ints(2)).toArray()).to.deep.equal([true, false]);
  });
  it('where takes the dtype of what it chooses from, not that of the condition', () => {
    expect(where(doubles(1), ints(1), ints(2)).dtype).to.equal('int32');
    expect(where(floats(1), bools(true), bools(false)).dtype).to.equal('bool');
  });
  it('clip leaves int32 between whole bounds', () => {
    expect(clip(ints(1, 9), { max: 5 }).dtype).to.equal('int32');
    expect(clip(ints(1, 9), { min: -Infinity, max: 5.5 }).toArray()).to.deep.equal([1, 5.5]);
  });
});

describe('int32 arithmetic (N3)', () => {
  const runs = { seed: propertySeed(), numRuns: propertyRuns(300, 3_000, 50_000) };
  const wrap = (value: bigint): number => Number(BigInt.asIntN(32, value));

  it('is exact modulo 2³²', () => {
    const whole = fc.oneof(fc.integer({ min: MIN, max: MAX }), fc.constantFrom(MIN, MAX, -1, 0, 1));
    fc.assert(
      fc.property(whole, whole, (x, y) => {
        const [a, b] = [BigInt(x), BigInt(y)];
        const value = (t: Tensor): number => (t.data as Int32Array)[0];
        expect(value(add(ints(x), ints(y)))).to.equal(wrap(a + b));
        expect(value(sub(ints(x), ints(y)))).to.equal(wrap(a - b));
        expect(value(mul(ints(x), ints(y)))).to.equal(wrap(a * b));
        expect(value(square(ints(x)))).to.equal(wrap(a * a));
        expect(value(neg(ints(x)))).to.equal(wrap(-a));
        expect(value(abs(ints(x)))).to.equal(wrap(a < 0n ? -a : a));
        if (y !== 0) {
          const floored = a / b - (a % b !== 0n && a < 0n !== b < 0n ? 1n : 0n);
          expect(value(floorDivide(ints(x), ints(y)))).to.equal(wrap(floored));
          expect(value(mod(ints(x), ints(y))) + 0).to.equal(wrap(a - floored * b));
          expect(value(fmod(ints(x), ints(y))) + 0).to.equal(wrap(a % b));
        }
      }),
      runs,
    );
  });
  it('wraps the negative and the magnitude of −2³¹', () => {
    expect(neg(ints(MIN)).toArray()).to.deep.equal([MIN]);
    expect(abs(ints(MIN)).toArray()).to.deep.equal([MIN]);
  });
  it('gives 0 for a division by 0 that must be whole, and wraps −2³¹ over −1', () => {
    for (const op of [mod, fmod, floorDivide]) expect(op(ints(7, -7, 0, MIN), ints(0)).toArray()).to.deep.equal([0, 0, 0, 0]);
    expect(floorDivide(ints(MIN), ints(-1)).toArray()).to.deep.equal([MIN]);
    expect(mod(ints(MIN), ints(-1)).toArray()).to.deep.equal([0]);
  });
  it('truncates the reciprocals that negative powers are', () => {
    expect(pow(ints(2, 1, -1, 0), ints(-1)).toArray()).to.deep.equal([0, 1, -1, 0]);
  });
});

describe('cast (N4)', () => {
  it('to int32 saturates, truncates, and makes NaN 0', () => {
    expect(cast(floats(3e9, -3e9, Infinity, -Infinity, NaN, 1.9, -1.9), { dtype: 'int32' }).toArray()).to.deep.equal([
      MAX,
      MIN,
      MAX,
      MIN,
      0,
      1,
      -1,
    ]);
    expect(cast(doubles(MAX + 0.9, MIN - 0.9), { dtype: 'int32' }).toArray()).to.deep.equal([MAX, MIN]);
  });
  it('to bool is "not zero", NaN included', () => {
    expect(cast(floats(0, -0, NaN, 1e-45), { dtype: 'bool' }).toArray()).to.deep.equal([false, false, true, true]);
  });
  it('takes storage dtypes, which no other arithmetic does', () => {
    expect(cast(tensor(Int8Array.of(-3, 4)), { dtype: 'float32' }).toArray()).to.deep.equal([-3, 4]);
    expect(cast(tensor(BigInt64Array.of(-3n, 2n ** 40n)), { dtype: 'int32' }).toArray()).to.deep.equal([-3, MAX]);
    expect(codeOf(() => add(tensor(Int8Array.of(1)), 1))).to.equal('E_DTYPE');
  });
});

describe('eager ops', () => {
  it('read a view where it lies', () => {
    const t = tensor([
      [1, 2],
      [3, 4],
    ]);
    expect(add(slice(t, null, at(1)), slice(t, at(0))).toArray()).to.deep.equal([3, 6]);
  });
  it('name the axis and both sizes where shapes do not broadcast', () => {
    const act = () => add(tensor([1, 2, 3]), tensor([1, 2]));
    expect(act).to.throw(EinstreamError).with.property('code', 'E_SHAPE');
    expect(act).to.throw(/axis -1.*3.*2/);
  });
  it('refuse what is no operand', () => {
    for (const wrong of [[1, 2], 'x', null, { x: 1 }])
      expect(codeOf(() => add(floats(1), wrong as unknown as number))).to.equal('E_ARGUMENT');
  });
  it('refuse a borrowed tensor whose frame has ended', () => {
    const t = tensorOver(Float32Array.of(1), 'float32', [1]);
    t.buffer.retired = true;
    expect(codeOf(() => add(t, 1))).to.equal('E_STALE');
  });
  it('name an index that is not there, and never read past the end (G12)', () => {
    for (const index of [3, -4, MAX, MIN]) expect(codeOf(() => take(floats(1, 2, 3), ints(index)))).to.equal('E_SHAPE');
    expect(take(floats(1, 2, 3), ints(-3, 2)).toArray()).to.deep.equal([1, 3]);
  });
});

describe('evaluateScalar', () => {
  it('rounds a step as storing it would', () => {
    expect(evaluateScalar(s.roundTo('float32', 0.1), [])).to.equal(Math.fround(0.1));
    expect(evaluateScalar(s.roundTo('int32', s.mul(MAX, MAX)), [])).to.equal(1);
    expect(evaluateScalar(s.roundTo('bool', NaN), [])).to.equal(1);
  });
  it('knows folds, position and count', () => {
    expect(evaluateScalar(s.add(s.fold(1), s.add(s.position, s.count)), [], [1, 2], 3, 4)).to.equal(9);
  });
  it('refuses an expression that reads an operand that is not there', () => {
    expect(() => evaluateScalar(s.operand(1), [5])).to.throw('operand 1');
  });
});
