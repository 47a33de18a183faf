import { expect } from 'chai';
import fc from 'fast-check';
import { runInNewContext } from 'node:vm';
import { tensor, wrap, type DType, type NestedArray, type TypedArray } from '../../src/tensor/index.js';
import { propertyRuns, propertySeed } from '../support/property.js';
import { BAD_SHAPES, expectRefusal } from './refusals.js';

const made = (data: unknown, options?: object) => tensor(data as NestedArray, options);

describe('tensor', () => {
  it('takes the shape of the nesting, and gives it back (F002)', () => {
    for (const nested of [
      5,
      [],
      [1],
      [
        [1, 2],
        [3, 4],
      ],
      [[[1], [2]]],
      [[], []],
      [[[]]],
    ] as NestedArray[])
      expect(tensor(nested).toArray()).to.deep.equal(nested);
    expect(tensor([[], []]).shape).to.deep.equal([2, 0]);
    expect(tensor(5).shape).to.deep.equal([]);
  });

  it('takes any regular nesting, of any rank up to 8 (F002, N9)', () => {
    const shapes = fc.array(fc.nat(3), { maxLength: 8 });
    const build = (shape: readonly number[], next: () => number): NestedArray =>
      shape.length === 0 ? next() : Array.from({ length: shape[0] }, () => build(shape.slice(1), next));
    fc.assert(
      fc.property(shapes, (shape) => {
        let n = 0;
        const nested = build(shape, () => n++);
        const t = tensor(nested);
        const end = shape.indexOf(0);
        expect(t.shape).to.deep.equal(end < 0 ? shape : shape.slice(0, end + 1)); // below a 0 there is nothing to see
        expect([...(t.data as Float32Array)]).to.deep.equal([...Array(n).keys()]);
        expect(t.toArray()).to.deep.equal(nested);
      }),
      { seed: propertySeed(), numRuns: propertyRuns(200, 1_000, 10_000) },
    );
  });

  it('is float32 for numbers, bool for booleans, int64 for bigints, float32 for numbers and booleans', () => {
    expect([[1], [true], [1n], [1, true], [], [[]]].map((data) => made(data).dtype)).to.deep.equal([
      'float32',
      'bool',
      'int64',
      'float32',
      'float32',
      'float32',
    ]);
    expect(made([1, true, 0.5]).toArray()).to.deep.equal([1, 1, 0.5]);
    expect(made([true, false]).toArray()).to.deep.equal([true, false]);
    expect(made([2n ** 60n]).toArray()).to.deep.equal([2n ** 60n]);
    expectRefusal(() => made([1n, 1]), 'E_DTYPE', /bigints do not mix/);
  });

  it('keeps the type of a typed array, and its elements', () => {
    const arrays: [TypedArray | Uint8ClampedArray, DType][] = [
      [Float32Array.of(0.1, -0), 'float32'], [Float64Array.of(0.1, NaN), 'float64'], [Int32Array.of(-1, 2), 'int32'], [Int8Array.of(-1, 2), 'int8'],
      [Uint8Array.of(255, 2), 'uint8'], [Uint8ClampedArray.of(255, 2), 'uint8'], [Int16Array.of(-1, 2), 'int16'], [Uint16Array.of(65535, 2), 'uint16'],
      [Uint32Array.of(2 ** 32 - 1, 2), 'uint32'], [BigInt64Array.of(-1n, 2n), 'int64'],
    ]; // prettier-ignore
    for (const [array, dtype] of arrays) {
      const t = made(array);
      expect(t.dtype).to.equal(dtype);
      expect([...(t.data as Float64Array)]).to.deep.equal([...(array as Float64Array)]);
    }
    expectRefusal(() => made(BigUint64Array.of(1n)), 'E_DTYPE', /got BigUint64Array \(convert it to a BigInt64Array\)/);
  });

  it('copies: the source may change later', () => {
    const array = Float32Array.of(1, 2);
    const nested = [[1, 2]];
    const [fromTyped, fromNested] = [tensor(array), tensor(nested)];
    array[0] = 9;
    nested[0][0] = 9;
    expect(fromTyped.toArray()).to.deep.equal([1, 2]);
    expect(fromNested.toArray()).to.deep.equal([[1, 2]]);
  });

  it('copies shared memory, subclasses, buffers of Node and arrays of other realms into plain arrays (G13)', () => {
    const shared = new Float32Array(new SharedArrayBuffer(8));
    const t = tensor(shared);
    shared[0] = 9;
    expect(t.toArray()).to.deep.equal([0, 0]);
    expect(t.data.buffer).to.be.instanceOf(ArrayBuffer);
    class Sly extends Float32Array {
      override get length(): number {
        return 1_000_000;
      }
    }
    expect(tensor(new Sly([1, 2])).toArray()).to.deep.equal([1, 2]);
    expect(tensor(Buffer.from([1, 2])).data.constructor).to.equal(Uint8Array);
    expect(made(runInNewContext('new Float64Array([1, 2])')).data.constructor).to.equal(Float64Array);
    expect(made(runInNewContext('[[1, 2]]')).shape).to.deep.equal([1, 2]);
  });

  it('converts to the dtype asked (N4)', () => {
    expect(tensor([1.9, -1.9, NaN, 3e9], { dtype: 'int32' }).toArray()).to.deep.equal([1, -1, 0, 2147483647]);
    expect(tensor(Uint8Array.of(0, 7), { dtype: 'bool' }).toArray()).to.deep.equal([false, true]);
    expect(made([1n, true, 2.5], { dtype: 'float64' }).toArray()).to.deep.equal([1, 1, 2.5]);
    expect(tensor([3, -(2 ** 70)], { dtype: 'int64' }).toArray()).to.deep.equal([3n, -(2n ** 63n)]);
  });

  it('takes codes for dtypes that hold codes, and nothing else', () => {
    expect(tensor(Uint16Array.of(0x3c00), { dtype: 'float16' }).data[0]).to.equal(0x3c00);
    expect(tensor(Uint8Array.of(0x38), { dtype: 'float8_e4m3fn' }).dtype).to.equal('float8_e4m3fn');
    expectRefusal(() => tensor([1], { dtype: 'float16' }), 'E_DTYPE', /float16 are codes/);
    expectRefusal(() => tensor(Float32Array.of(1), { dtype: 'bfloat16' }), 'E_DTYPE', /codes/);
  });

  it('takes a shape that holds just the elements', () => {
    expect(tensor([1, 2, 3, 4], { shape: [2, 2] }).toArray()).to.deep.equal([
      [1, 2],
      [3, 4],
    ]);
    expect(tensor(Float32Array.of(1), { shape: [] }).toArray()).to.equal(1);
    expect(tensor([], { shape: [2, 0] }).toArray()).to.deep.equal([[], []]);
    expectRefusal(
      () => tensor([1, 2, 3], { shape: [2] }),
      'E_SHAPE',
      /hold exactly the elements given; expected 2 for shape \[2\], got 3 of shape \[3\]/,
    );
    expectRefusal(() => tensor(new Float32Array(3), { shape: [2, 2] }), 'E_SHAPE');
    expectRefusal(() => tensor(1, { shape: [2, 2] }), 'E_SHAPE', /full\(shape, value\)/);
  });

  for (const [title, shape, codes] of BAD_SHAPES) {
    it(`refuses the shape ${title} (G4)`, () => expectRefusal(() => made([1], { shape }), codes, /^"tensor shape": /));
  }

  it('refuses options that are none', () => {
    expectRefusal(() => made([1], null as unknown as object), 'E_ARGUMENT');
    expectRefusal(() => made([1], { dtype: 'f32' }), 'E_DTYPE');
    expectRefusal(() => made([1], { shape: 1 }), 'E_SHAPE');
    expectRefusal(() => made(tensor([1])), 'E_ARGUMENT', /got Tensor float32 \[1\] \(it is a tensor already/);
  });

  it('holds immutable sizes', () => {
    const t = tensor([[1, 2]]);
    expect(() => (t.shape as number[]).push(3)).to.throw(TypeError);
  });

  it('refuses a typed array whose memory was transferred', () => {
    const array = new Float32Array(4);
    structuredClone(array.buffer, { transfer: [array.buffer] });
    expectRefusal(() => tensor(array), 'E_ARGUMENT', /transferred/);
  });
});

describe('wrap', () => {
  it('shares the memory of the array', () => {
    const array = Float32Array.of(1, 2, 3, 4);
    const t = wrap(array, { shape: [2, 2] });
    expect(t.data).to.equal(array);
    array[3] = 9;
    expect(t.toArray()).to.deep.equal([
      [1, 2],
      [3, 9],
    ]);
  });

  it('takes only the array that stores the dtype', () => {
    expect(wrap(Uint8Array.of(0, 1), { dtype: 'bool' }).toArray()).to.deep.equal([false, true]);
    expect(wrap(Int8Array.of(-8), { dtype: 'int4' }).toArray()).to.deep.equal([-8]);
    expectRefusal(() => wrap(Int32Array.of(1), { dtype: 'float32' }), 'E_DTYPE', /expected Float32Array, got Int32Array/);
    expectRefusal(() => wrap([1] as unknown as TypedArray), 'E_ARGUMENT', /typed array; got an array/);
    expectRefusal(() => wrap(new Float32Array(3), { shape: [2] }), 'E_SHAPE', /^"wrap"/);
  });

  it('refuses memory that can change its size', () => {
    // Node 20 has both; the types of ES2023 do not.
    type Resizable<T> = new (length: number, options: { maxByteLength: number }) => T;
    for (const Memory of [SharedArrayBuffer as Resizable<SharedArrayBuffer>, ArrayBuffer as Resizable<ArrayBuffer>]) {
      expectRefusal(() => wrap(new Float32Array(new Memory(8, { maxByteLength: 16 }))), 'E_ARGUMENT', /resizable/);
    }
  });
});
