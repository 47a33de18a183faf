/** @file Reductions with elementwise steps around them as one op: what it computes, what it takes, what it refuses. */
import { expect } from 'chai';
import { evaluateSync, graph, input, js, parseGraph, serializeGraph, supports, tensor, validate } from '../../src/index.js';
import type { Graph, GraphSymbol, Tensor } from '../../src/index.js';
import { lower, type Work } from '../../src/codegen/lower.js';
import type { NestIR } from '../../src/codegen/ir.js';
import { plainOps } from '../../src/ops/fused.js';
import { fusedFold } from '../../src/ops/fusedFold.js';
import type { FusedStep } from '../../src/ops/fusedSteps.js';
import type { ComputedDType } from '../../src/tensor/dtype.js';
import { rowMajorStrides, type Shape } from '../../src/tensor/shape.js';
import { claiming } from '../support/claiming.js';
import { thrownBy } from '../support/thrownBy.js';

const group = fusedFold as unknown as <A extends Tensor | GraphSymbol>(operands: readonly A[], params: unknown) => A;
const step = (op: string, ...args: readonly number[]): FusedStep => ({ op, params: {}, args });
const along = (op: string, axis: unknown, ...args: readonly number[]): FusedStep => ({
  op,
  params: { axis, keepdims: true },
  args,
});
const dropping = (op: string, axis: unknown, ...args: readonly number[]): FusedStep => ({ op, params: { axis }, args });
const m = tensor([[1, 3], [0, 4]]); // prettier-ignore

/** The kernels of a group over operands of these shapes. */
function kernelsOf(steps: readonly FusedStep[], shapes: readonly Shape[], dtype: ComputedDType = 'float32'): readonly NestIR[] {
  const op = fusedFold.definition;
  const inputs = shapes.map((shape) => ({ shape, strides: rowMajorStrides(shape), dtype }));
  const output = { shape: op.shape(shapes, { steps }, { op: op.name }) as Shape, dtype: op.dtype(shapes.map(() => dtype), { steps }) }; // prettier-ignore
  return (lower({ op, params: { steps }, inputs, output }) as Work).calls.map(({ ir }) => ir as NestIR);
}

/** What the kernels of `js` give, generated and interpreted, once it is shown that they agree. */
function run(steps: readonly FusedStep[], operands: readonly Tensor[]): unknown {
  const names = operands.map((_, k) => `x${k}`);
  const declared = Object.fromEntries(operands.map((t, k) => [names[k], input(t.shape.map(() => null), { dtype: t.dtype as ComputedDType })])); // prettier-ignore
  const made = graph(declared, (all): Record<string, GraphSymbol> => ({ z: group(names.map((name) => all[name]), { steps }) })); // prettier-ignore
  const feeds = Object.fromEntries(operands.map((t, k) => [names[k], t]));
  const [first, second] = (['generate', 'interpret'] as const).map((kernels) => evaluateSync(made, feeds, { backend: js({ kernels }) }).z.toArray()); // prettier-ignore
  expect(first).to.deep.equal(second);
  return first;
}

describe('a fused fold', () => {
  it('gives each element its own and its row’s values, in one kernel', () => {
    const steps = [along('mean', -1, 0), step('sub', 0, 2), step('mul', 3, 1)];
    expect(run(steps, [m, tensor([1, 10])])).to.deep.equal([[-1, 10], [-2, 20]]); // prettier-ignore
    const [nest, ...others] = kernelsOf(steps, [[2, 2], [2]]); // prettier-ignore
    expect([nest.folds.length, nest.emits, others.length]).to.deep.equal([1, 'element', 0]);
  });

  it('gives a value a row, with the axes kept or dropped, beside further values a row', () => {
    const kept = [step('square', 0), along('sum', 1, 2), step('add', 3, 1)];
    expect(run(kept, [m, tensor([[1], [2]])])).to.deep.equal([[11], [18]]);
    const dropped = [step('square', 0), dropping('sum', 1, 2), step('add', 3, 1)];
    expect(run(dropped, [m, tensor([1, 2])])).to.deep.equal([11, 18]);
    for (const [steps, beside] of [[kept, [2, 1]], [dropped, [2]]] as const) expect(kernelsOf(steps, [[2, 2], beside])).to.have.length(1); // prettier-ignore
  });

  it('folds what operands broadcast to, not the first of them', () => {
    expect(run([step('mul', 0, 1), dropping('sum', 0, 2)], [tensor([1, 2]), m])).to.deep.equal([1, 14]);
    expect(kernelsOf([step('mul', 0, 1), dropping('sum', 1, 2)], [[1, 3], [2, 1]]).map(({ extents }) => extents)).to.deep.equal([[2, 3]]); // prettier-ignore
  });

  it('rounds every step to its dtype before anything reads it', () => {
    const steps = [along('sum', 0, 0), step('sub', 1, 1)];
    expect(run(steps, [tensor([1, 2 ** -25])])).to.deep.equal([0]);
    const drop = [along('sum', 0, 0), { ...step('sub', 2, 1) }];
    expect(run(drop, [tensor([1, 2 ** -25]), tensor(1)])).to.deep.equal([0]);
  });

  it('sums float32 in float64 and rounds once, as a reduction by itself does', () => {
    const values = [2 ** 24, ...new Array<number>(8).fill(0.5)];
    expect(run([step('neg', 0), dropping('sum', 0, 1)], [tensor(values)])).to.deep.equal(-(2 ** 24) - 4);
  });

  it('lets NaN win in max and min, and keeps −0 (J12)', () => {
    const x = tensor([[NaN, 1], [-0, -0], [-Infinity, -Infinity]]); // prettier-ignore
    for (const op of ['max', 'min']) {
      const got = run([step('neg', 0), dropping(op, 1, 1)], [x]) as number[];
      expect(got.map((value) => (Object.is(value, -0) ? '-0' : String(value)))).to.deep.equal(['NaN', '0', 'Infinity']);
    }
    expect(run([along('max', 1, 0), step('sub', 0, 1)], [x])).to.deep.equal([[NaN, NaN], [0, 0], [NaN, NaN]]); // prettier-ignore
  });

  it('takes several folds of one op, and softmax, as steps', () => {
    const rows = tensor([[1, 1], [2, 2]]); // prettier-ignore
    expect(run([step('mul', 0, 1), { op: 'softmax', params: {}, args: [2] }, step('add', 3, 3)], [rows, tensor(2)])).to.deep.equal([[1, 1], [1, 1]]); // prettier-ignore
    expect(run([{ op: 'var', params: { axis: 1, keepdims: true }, args: [0] }, step('add', 1, 0)], [m])).to.deep.equal([[2, 4], [4, 8]]); // prettier-ignore
    expect(kernelsOf([{ op: 'var', params: { axis: 1, keepdims: true }, args: [0] }, step('add', 1, 0)], [[2, 2]])[0].folds).to.have.length(2); // prettier-ignore
  });

  it('runs one kernel a step where shapes or dtypes do not fit one', () => {
    const square = [dropping('sum', 1, 0), step('sub', 0, 1)]; // a sum a row, taken off each column
    expect(run(square, [m])).to.deep.equal([[-3, -1], [-4, 0]]); // prettier-ignore
    const twice = [along('sum', 0, 0), along('sum', 1, 0), step('add', 1, 2)];
    expect(run(twice, [m])).to.deep.equal([[5, 11], [5, 11]]); // prettier-ignore
    const whole = [along('sum', 1, 0), { op: 'cast', params: { dtype: 'float32' }, args: [1] }, step('mul', 2, 0)];
    expect(run(whole, [tensor([[2 ** 30, 2 ** 30]], { dtype: 'int32' })])).to.deep.equal([[-(2 ** 61), -(2 ** 61)]]);
    expect([kernelsOf(square, [[2, 2]]), kernelsOf(twice, [[2, 2]]), kernelsOf(whole, [[2, 2]], 'int32')].map((all) => all.length)).to.deep.equal([2, 3, 3]); // prettier-ignore
  });

  it('lists the ops that it stands for, so that a backend without one of them names it', () => {
    const steps = [step('less', 0, 0), along('any', 0, 1), step('exp', 2)];
    expect(plainOps({ steps }, ['int32'])).to.deep.equal([
      { op: 'less', inputs: ['int32', 'int32'], output: 'bool' },
      { op: 'any', inputs: ['bool'], output: 'bool' },
      { op: 'exp', inputs: ['bool'], output: 'float32' },
    ]);
    const g = graph({ x: input([2, 2]) }, ({ x }) => ({ z: group([x], { steps }) }));
    for (const op of ['any', 'exp']) {
      const { unsupported } = supports(claiming({ excludes: [{ op }] }), g);
      expect(unsupported.map(({ diagnostic }) => diagnostic.message).join()).to.match(new RegExp(`must have the op.*${op}.*use backend js`)); // prettier-ignore
    }
  });

  it('is written and read with its steps, and refused by validate where they do not fit', () => {
    const steps = [along('mean', -1, 0), step('sub', 0, 2), step('mul', 3, 1)];
    const g = graph({ x: input([2, 3]), w: input([3]) }, ({ x, w }) => ({ z: group([x, w], { steps }) })) as Graph;
    const text = serializeGraph(g);
    expect(serializeGraph(parseGraph(text))).to.equal(text);
    const [fault] = validate(parseGraph(text.replaceAll('"dims":[3]', '"dims":[5]')));
    expect(fault.message).to.match(/3.*5|5.*3/s);
    expect(thrownBy(() => run([dropping('max', 1, 0)], [tensor([[], []])])).code).to.equal('E_SHAPE');
  });

  it('refuses what is no fold with elementwise steps, on tensors and in graphs (G13)', () => {
    const mean = along('mean', -1, 0);
    const wrong: readonly unknown[] = [
      [],
      'sum',
      {},
      [step('relu', 0)],
      [mean, step('matmul', 0, 0)],
      [mean, step('transpose', 1)],
      [mean, { ...step('relu', 1), op: 'constructor' }],
      [mean, { ...step('relu', 1), op: { toString: () => 'relu' } }],
      [mean, { op: 'fused', params: { steps: [step('relu', 0)] }, args: [1] }],
      [mean, { op: 'fusedFold', params: { steps: [mean] }, args: [1] }],
      [mean, step('sumLike', 0, 1)],
      [{ ...mean, args: [] }],
      [{ ...mean, args: [0, 0] }],
      [{ ...mean, args: 'constructor' }],
      [{ ...mean, params: { axis: 'x' } }],
      [{ ...mean, args: [1] }],
      [{ ...mean, args: [-1] }],
      [mean, ...new Array<unknown>(512).fill(step('relu', 0))],
    ];
    for (const steps of wrong) {
      const text = JSON.stringify(steps).slice(0, 80);
      expect(thrownBy(() => group([m], { steps })).code, text).to.equal('E_ARGUMENT');
      expect(thrownBy(() => graph({ x: input([2, 2]) }, ({ x }) => ({ y: group([x], { steps }) }))).code, text).to.equal('E_ARGUMENT'); // prettier-ignore
    }
  });
});
