import { expect } from 'chai';
import {
  arange,
  mayShareMemory,
  range,
  reshapeView,
  sliceView,
  stride,
  tensor,
  transposeView,
  wrap,
  zeros,
} from '../../src/tensor/index.js';

describe('mayShareMemory', () => {
  const x = arange(10);

  it('is true where views meet, backwards or forwards (N9)', () => {
    expect(mayShareMemory(x, x)).to.equal(true);
    expect(mayShareMemory(sliceView(x, range(0, 5)), sliceView(x, range(4, 10)))).to.equal(true);
    expect(mayShareMemory(sliceView(x, range(0, 5)), sliceView(x, range(9, 3, -1)))).to.equal(true);
    const square = reshapeView(arange(16), [4, 4]);
    expect(mayShareMemory(square, transposeView(square))).to.equal(true);
  });

  it('is false where views lie apart, for other buffers, and for nothing', () => {
    expect(mayShareMemory(sliceView(x, range(0, 5)), sliceView(x, range(5, 10)))).to.equal(false);
    expect(mayShareMemory(sliceView(x, range(4, null, -1)), sliceView(x, range(9, 4, -1)))).to.equal(false);
    expect(mayShareMemory(x, arange(10))).to.equal(false);
    expect(mayShareMemory(x, sliceView(x, range(3, 3)))).to.equal(false);
    expect(mayShareMemory(zeros([0]), zeros([0]))).to.equal(false);
  });

  it('counts interleaved views as sharing, as NumPy does', () => {
    expect(mayShareMemory(sliceView(x, stride(2)), sliceView(x, range(1, null, 2)))).to.equal(true);
  });

  it('compares bytes: two arrays may lie over one ArrayBuffer', () => {
    const memory = new ArrayBuffer(16);
    const [first, second, all] = [new Float32Array(memory, 0, 2), new Float64Array(memory, 8, 1), new Uint8Array(memory)];
    expect(mayShareMemory(wrap(first), wrap(second))).to.equal(false);
    expect(mayShareMemory(wrap(first), wrap(all))).to.equal(true);
    expect(mayShareMemory(tensor(first), wrap(first))).to.equal(false);
  });
});
