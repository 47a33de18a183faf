/** @file Ops on plain tensors: by the evaluator, by js or by wasm, as is quickest; their results tell no difference. */
import { expect } from 'chai';
import { einsum, evaluateSync, graph, input, js, matmul, softmax, tensor, transpose, type Tensor } from '../../src/index.js';
import { differenceOf } from '../../src/testing/conformance/difference.js';

const matrix = (rows: number, columns: number): Tensor =>
  tensor(
    Float32Array.from({ length: rows * columns }, (_, i) => ((i * 7) % 23) / 8 - 1),
    { shape: [rows, columns] },
  );

describe('an op on plain tensors', () => {
  it('gives ordinary tensors of their own, right at every size and for any strides', () => {
    for (const n of [8, 60, 64, 256]) {
      const a = matrix(n, n);
      const made = graph({ a: input([n, n]) }, ({ a: x }) => ({ y: matmul(x, transpose(x)), s: softmax(x, { axis: 0 }) }));
      const want = evaluateSync(made, { a }, { backend: js() });
      const [y, s] = [matmul(a, transpose(a)), softmax(a, { axis: 0 })];
      expect(differenceOf(y, want.y, 1e-4)).to.equal(undefined);
      expect(differenceOf(s, want.s, 1e-5)).to.equal(undefined);
      for (const { buffer } of [y, s]) expect(buffer.array.buffer.byteLength).to.equal(n * n * 4);
      const before = String(y.toArray());
      matmul(transpose(a), a);
      expect(String(y.toArray())).to.equal(before);
    }
  });

  it('may take several steps, with sums between them', () => {
    const operands = [matrix(200, 100), matrix(100, 200), matrix(200, 3)] as const;
    const want = evaluateSync(
      graph({ a: input([200, 100]), b: input([100, 200]), c: input([200, 3]) }, ({ a, b, c }) => ({
        y: einsum('ij,jk,kl->il', a, b, c),
      })),
      { a: operands[0], b: operands[1], c: operands[2] },
      { backend: js() },
    );
    expect(differenceOf(einsum('ij,jk,kl->il', ...operands), want.y, 1e-3)).to.equal(undefined);
  });
});
