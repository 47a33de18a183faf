/** @file What becomes of each kind of op: which kernels, over which loops, with what between them. */
import { expect } from 'chai';
import { EinstreamError, js, type ComputedDType, type Shape } from '../../src/index.js';
import type { NestIR, TensorType } from '../../src/codegen/ir.js';
import { lower, type Seen, type Work } from '../../src/codegen/lower.js';
import type { AnyOp } from '../../src/ops/op.js';
import { readParams } from '../../src/ops/params.js';
import { findOp } from '../../src/ops/registry.js';
import { rowMajorLayout } from '../../src/tensor/layout.js';
import { rowMajorStrides } from '../../src/tensor/shape.js';
import { Tensor, tensorOver } from '../../src/tensor/tensor.js';

const plain = (shape: Shape, dtype: ComputedDType = 'float32'): TensorType => ({ shape, dtype, strides: rowMajorStrides(shape) });

function lowered(name: string, inputs: readonly TensorType[], params: object = {}): Work | Seen {
  const op = findOp(name)!;
  const read = readParams(op, params, { op: name });
  const shape = op.shape(inputs.map((input) => input.shape), read, { op: name }) as Shape; // prettier-ignore
  return lower({ op, params: read, inputs, output: { shape, dtype: op.dtype(inputs.map(({ dtype }) => dtype), read) } }); // prettier-ignore
}

const work = (...call: Parameters<typeof lowered>): Work => lowered(...call) as Work;
const nests = (...call: Parameters<typeof lowered>): readonly NestIR[] => work(...call).calls.map(({ ir }) => ir as NestIR);

describe('lowering', () => {
  it('makes one nest without folds of an elementwise op, also of a fused group', () => {
    const [nest] = nests('add', [plain([2, 3]), plain([3])]);
    expect([nest.extents, nest.folds, nest.inputs.map(({ strides }) => strides)]).to.deep.equal([[2, 3], [], [[3, 1], [0, 1]]]); // prettier-ignore
    const steps = [{ op: 'add', params: {}, args: [0, 1] }, { op: 'relu', params: {}, args: [2] }]; // prettier-ignore
    expect(nests('fused', [plain([4]), plain([4])], { steps })).to.have.length(1);
  });

  it('makes equal nests of equal work, so that they share a kernel', () => {
    expect(nests('exp', [plain([2, 3, 4])])).to.deep.equal(nests('exp', [plain([24])]));
    expect(nests('sum', [plain([6, 5])], { axis: 1, keepdims: true })).to.deep.equal(
      nests('sum', [plain([2, 3, 5])], { axis: 2 }),
    );
  });

  it('folds inside what it writes, in row-major order on both sides', () => {
    const [nest] = nests('sum', [plain([2, 3, 4])], { axis: [2, 0] });
    expect([nest.extents, nest.outer, nest.inputs[0].strides, nest.output.strides]).to.deep.equal([[3, 2, 4], 1, [4, 12, 1], [1, 0, 0]]); // prettier-ignore
    const [every] = nests('softmax', [plain([2, 3])], { axis: 0 });
    expect([every.emits, every.folds.map(({ monoid }) => monoid), every.output.strides]).to.deep.equal(['element', ['max', 'sum'], [1, 3]]); // prettier-ignore
  });

  it('makes one sum of products of two operands, and a step for each pair of more', () => {
    const [nest] = nests('einsum', [plain([2, 3]), plain([3, 4])], { spec: 'ij,jk->ik' });
    expect([nest.extents, nest.outer, nest.folds.length]).to.deep.equal([[2, 4, 3], 2, 1]);
    const chain = work('einsum', [plain([9, 8]), plain([8, 7]), plain([7])], { spec: 'ij,jk,k->i' });
    expect(chain.calls.map(({ output }) => output.of)).to.deep.equal(['temporary', 'output']);
  });

  it('keeps float64 between the steps of a contraction, int32 where all is int32', () => {
    const between = (dtype: ComputedDType) =>
      work('einsum', [plain([9, 8], dtype), plain([8, 7], dtype), plain([7], dtype)], { spec: 'ij,jk,k->i' }).temporaries;
    expect(between('float32')).to.deep.equal([{ shape: [8], dtype: 'float64' }]);
    expect(between('int32')).to.deep.equal([{ shape: [8], dtype: 'int32' }]);
  });

  it('writes what follows a contraction in its last step, over its sum and further operands', () => {
    const layer = [{ op: 'matmul', params: {}, args: [0, 1] }, { op: 'add', params: {}, args: [3, 2] }]; // prettier-ignore
    const made = work('fusedContraction', [plain([2, 3]), plain([3, 4]), plain([4])], { steps: layer });
    const [nest] = made.calls.map(({ ir }) => ir as NestIR);
    expect([nest.inputs.map(({ strides }) => strides), made.temporaries]).to.deep.equal([[[3, 0, 1], [0, 1, 4], [0, 1, 0]], []]); // prettier-ignore
    const path = [{ op: 'einsum', params: { spec: 'ij,jk,k->i' }, args: [0, 1, 2] }, { op: 'mul', params: {}, args: [3, 3] }]; // prettier-ignore
    const chain = work('fusedContraction', [plain([9, 8]), plain([8, 7]), plain([7])], { steps: path });
    expect(chain.calls.map(({ output, ir }) => [output.of, (ir as NestIR).result.kind])).to.deep.equal([['temporary', 'fold'], ['output', 'binary']]); // prettier-ignore
    expect(chain.temporaries).to.deep.equal([{ shape: [8], dtype: 'float64' }]);
  });

  it('makes the sums first where what follows repeats them, or would have them taken in another dtype', () => {
    const steps = (op: string, params = {}) => ({ steps: [{ op: 'matmul', params: {}, args: [0, 1] }, { op, params, args: op === 'add' ? [3, 2] : [2] }] }); // prettier-ignore
    const repeated = work('fusedContraction', [plain([2, 3]), plain([3, 4]), plain([5, 2, 4])], steps('add'));
    const cast = work('fusedContraction', [plain([2, 3], 'int32'), plain([3, 4], 'int32')], steps('cast', { dtype: 'float64' }));
    for (const [{ calls, temporaries }, dtype] of [[repeated, 'float32'], [cast, 'int32']] as const) {
      expect(calls.map(({ output }) => output.of)).to.deep.equal(['temporary', 'output']);
      expect(temporaries).to.deep.equal([{ shape: [2, 4], dtype }]);
    } // prettier-ignore
  });

  it('runs nothing for a view, and says how the input is seen', () => {
    const seen = lowered('transpose', [plain([2, 3])], { perm: [1, 0] });
    expect(seen).to.deep.equal({ kind: 'view', layout: { shape: [3, 2], strides: [1, 3], offset: 0 } });
  });

  it('copies once where no view can be', () => {
    const flipped: TensorType = { shape: [2, 3], dtype: 'float32', strides: [-3, 1] };
    const [nest, ...more] = nests('reshape', [flipped], { shape: [6] });
    expect([nest.inputs[0].strides, nest.output.strides, more]).to.deep.equal([[-3, 1], [3, 1], []]);
  });

  it('packs first, and then writes what is seen, where that is no plain copy', () => {
    const rule = { name: 'flatReversed', exprFor: undefined, expr: undefined, fold: undefined, gather: undefined, contract: undefined, view: ({ shape, strides }: { shape: Shape; strides: readonly number[] }) => (strides.at(-1) === 1 ? { ...rowMajorLayout([6]), strides: [-1], offset: shape[0] * shape[1] - 1 } : undefined) }; // prettier-ignore
    const input = new Tensor('float32', [2, 3], [1, 2], 0, 6, { array: Float32Array.of(1, 4, 2, 5, 3, 6), retired: false });
    const made = lower({ op: rule as unknown as AnyOp, params: {}, inputs: [input as Tensor & { dtype: 'float32' }], output: { shape: [6], dtype: 'float32' } }) as Work; // prettier-ignore
    expect(made.temporaries).to.deep.equal([{ shape: [2, 3], dtype: 'float32' }]);
    const [between, result] = [js().allocate([2, 3], 'float32'), js().allocate([6], 'float32')];
    void js().compile(made.calls[0].ir).run([input], [between]);
    void js().compile(made.calls[1].ir).run([between], [result]);
    expect(result.toArray()).to.deep.equal([6, 5, 4, 3, 2, 1]);
  });

  it('fills only the gaps that pieces leave, and puts each piece at its place', () => {
    const joined = work('concat', [plain([2, 3]), plain([1, 3])], { axis: 0 });
    expect(joined.calls.map(({ ir, inputs }) => [ir.output.offset, inputs])).to.deep.equal([[0, [{ of: 'input', index: 0 }]], [6, [{ of: 'input', index: 1 }]]]); // prettier-ignore
    const padded = work('pad', [plain([3])], { pads: [[1, 2]], value: 7 });
    expect(padded.calls.map(({ ir, inputs }) => [ir.extents, ir.output.offset, inputs.length])).to.deep.equal([[[6], 0, 0], [[3], 1, 1]]); // prettier-ignore
  });

  it('puts the axes of the indices in the place of the gathered one', () => {
    const [{ ir }] = work('take', [plain([5, 6, 7]), plain([2, 3], 'int32')], { axis: 1 }).calls;
    expect(ir).to.deep.include({ kind: 'gather', extents: [5, 2, 3, 7], step: 7, size: 6 });
    expect([(ir as never as { data: TensorType }).data.strides, ir.output.strides]).to.deep.equal([[42, 0, 0, 1], [42, 21, 7, 1]]); // prettier-ignore
  });

  it('needs an op to say how it computes, and its words to be ours', () => {
    const op = { ...findOp('sum')!, fold: undefined };
    const application = { op, params: {}, inputs: [plain([2])], output: { shape: [], dtype: 'float32' as const } };
    expect(() => lower(application)).to.throw(EinstreamError, /must say how it computes/);
    const folded = {
      ...op,
      fold: () => ({ axes: [0], emits: 'group', folds: [{ monoid: 'constructor', value: () => 1 }], result: () => 1 }),
    };
    expect(() => lower({ ...application, op: folded as unknown as AnyOp })).to.throw(EinstreamError, /sum, prod, max or min/);
  });
});

describe('a gather', () => {
  for (const kernels of ['generate', 'interpret'] as const) {
    const [{ ir }] = work('take', [plain([3, 2]), plain([1], 'int32')]).calls;
    const kernel = js({ kernels }).compile(ir);
    const data = tensorOver(Float32Array.of(1, 2, 3, 4, 5, 6), 'float32', [3, 2]);
    const take = (index: number): readonly number[] => {
      const result = js().allocate([1, 2], 'float32');
      void kernel.run([data, tensorOver(Int32Array.of(index), 'int32', [1])], [result]);
      return [...result.data].map(Number);
    };

    it(`counts from the end below zero (${kernels})`, () => {
      expect([take(0), take(2), take(-1), take(-3)]).to.deep.equal([[1, 2], [5, 6], [5, 6], [1, 2]]); // prettier-ignore
    });

    it(`throws for an index that is not there, naming it and the range (${kernels}) (G12)`, () => {
      for (const index of [3, -4, 2 ** 31 - 1, -(2 ** 31)]) {
        expect(() => take(index)).to.throw(EinstreamError, new RegExp(`from -3 to 2.*got ${index}\\b`));
      }
    });
  }
});
