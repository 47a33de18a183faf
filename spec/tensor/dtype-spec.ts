import { expect } from 'chai';
import { runInNewContext } from 'node:vm';
import {
  arrayOf,
  byteSize,
  COMPUTED_DTYPES,
  isComputed,
  isDType,
  isFloating,
  naturalDType,
  promote,
  readDType,
  STORAGE_DTYPES,
  typedArrayKind,
} from '../../src/tensor/dtype.js';
import { expectRefusal } from './refusals.js';

const ALL = [...COMPUTED_DTYPES, ...STORAGE_DTYPES];

describe('dtypes', () => {
  it('are four that compute and thirteen that store', () => {
    expect(COMPUTED_DTYPES).to.deep.equal(['bool', 'int32', 'float32', 'float64']);
    expect(ALL.filter(isComputed)).to.deep.equal(COMPUTED_DTYPES);
    expect(STORAGE_DTYPES).to.have.length(13);
    expect(ALL.filter(isFloating)).to.deep.equal(['float32', 'float64']);
  });

  it('each have an array, and a size in bytes', () => {
    const bytes = Object.fromEntries(ALL.map((dtype) => [dtype, byteSize(dtype)]));
    expect(bytes).to.deep.equal({
      bool: 1, int32: 4, float32: 4, float64: 8, int8: 1, uint8: 1, int16: 2, uint16: 2, uint32: 4, int64: 8,
      float16: 2, bfloat16: 2, float8_e4m3fn: 1, float8_e5m2: 1, int4: 1, uint4: 1, int2: 1,
    }); // prettier-ignore
    for (const dtype of ALL) expect(new (arrayOf(dtype))(3)).to.have.length(3);
  });

  it('promote to the higher of their operands, in any order and number (NumPy on these four)', () => {
    for (const [i, a] of COMPUTED_DTYPES.entries()) {
      for (const [j, b] of COMPUTED_DTYPES.entries()) expect(promote([a, b])).to.equal(COMPUTED_DTYPES[Math.max(i, j)]);
    }
    expect(promote(['bool', 'float32', 'int32'])).to.equal('float32');
    expect(promote(['bool'])).to.equal('bool');
  });

  it('are refused by name when unknown, with those that there are', () => {
    for (const value of ['float', 'f32', '__proto__', 'constructor', '', 3, null, undefined, ['bool']]) {
      expect(isDType(value)).to.equal(false);
      expectRefusal(() => readDType(value, 'cast'), 'E_DTYPE', /^"cast": .*one of bool, int32, float32, float64/);
    }
    expect(readDType('int8', 'cast')).to.equal('int8');
  });

  it('follow from typed arrays by what those are, not by what they claim', () => {
    class Named extends Float32Array {
      override get [Symbol.toStringTag](): 'Float32Array' {
        return 'Int8Array' as 'Float32Array';
      }
    }
    expect(typedArrayKind(new Named(1))).to.equal('Float32Array');
    expect(typedArrayKind(runInNewContext('new Int16Array(2)'))).to.equal('Int16Array');
    for (const value of [[1], { length: 1 }, new DataView(new ArrayBuffer(1)), new Proxy(new Int8Array(1), {}), null, 3])
      expect(typedArrayKind(value)).to.equal(undefined);
    expect(naturalDType('Uint8ClampedArray')).to.equal('uint8');
    expect(naturalDType('BigUint64Array')).to.equal(undefined);
  });
});
