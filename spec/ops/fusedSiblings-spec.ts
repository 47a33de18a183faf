/** @file Reductions side by side as one op: what it computes, in how many kernels, what it refuses. */
import { expect } from 'chai';
import { evaluateSync, graph, input, js, parseGraph, serializeGraph, supports, tensor, validate } from '../../src/index.js';
import type { Graph, GraphSymbol, Tensor } from '../../src/index.js';
import { renderGpu } from '../../src/codegen/render/gpu.js';
import { lower, type Work } from '../../src/codegen/lower.js';
import type { NestIR } from '../../src/codegen/ir.js';
import { fusedSiblings } from '../../src/ops/fusedSiblings.js';
import type { FusedStep } from '../../src/ops/fusedSteps.js';
import { rowMajorStrides, type Shape } from '../../src/tensor/shape.js';
import { claiming } from '../support/claiming.js';
import { thrownBy } from '../support/thrownBy.js';

const siblings = fusedSiblings as unknown as <A extends Tensor | GraphSymbol>(operands: readonly A[], params: unknown) => A;
const over = (op: string, axis: unknown, ...args: readonly number[]): FusedStep => ({ op, params: { axis }, args });
const scaled: FusedStep = { op: 'fusedFold', params: { steps: [{ op: 'mul', params: {}, args: [0, 1] }, over('sum', 1, 2)] }, args: [0, 1] }; // prettier-ignore
const m = tensor([[1, 3], [0, 4]]); // prettier-ignore

/** The kernels over operands of these shapes, on a backend that writes so many results. */
function kernelsOf(steps: readonly FusedStep[], shapes: readonly Shape[], maxResults?: number): readonly NestIR[] {
  const op = fusedSiblings.definition;
  const inputs = shapes.map((shape) => ({ shape, strides: rowMajorStrides(shape), dtype: 'float32' as const }));
  const output = { shape: op.shape(shapes, { steps }, { op: op.name }) as Shape, dtype: op.dtype(shapes.map(() => 'float32' as const), { steps }) }; // prettier-ignore
  return (lower({ op, params: { steps }, inputs, output, maxResults }) as Work).calls.map(({ ir }) => ir as NestIR);
}

/** What the kernels of `js` give, generated and interpreted, and the op by itself, once it is shown that they agree. */
function run(steps: readonly FusedStep[], operands: readonly Tensor[]): unknown {
  const names = operands.map((_, k) => `x${k}`);
  const g = graph(Object.fromEntries(operands.map((t, k) => [names[k], input(t.shape)])), (all): Record<string, GraphSymbol> => ({ z: siblings(names.map((name) => all[name]), { steps }) })); // prettier-ignore
  const feeds = Object.fromEntries(operands.map((t, k) => [names[k], t]));
  const [first, second] = (['generate', 'interpret'] as const).map((kernels) => evaluateSync(g, feeds, { backend: js({ kernels }) })['z'].toArray()); // prettier-ignore
  expect(first).to.deep.equal(second);
  expect(siblings(operands, { steps }).toArray()).to.deep.equal(first);
  return first;
}

describe('fused siblings', () => {
  it('give the results of reductions along a new axis in front, in one kernel', () => {
    const steps = [over('sum', 1, 0), over('max', 1, 0), scaled];
    expect(run(steps, [m, tensor([1, 10])])).to.deep.equal([[4, 4], [3, 4], [31, 40]]); // prettier-ignore
    const [nest, ...others] = kernelsOf(steps, [[2, 2], [2]], 8); // prettier-ignore
    expect([nest.folds.length, nest.further?.results.length, nest.further?.apart, others.length]).to.deep.equal([3, 2, 2, 0]);
  });

  it('give scalars, and results with the axes kept', () => {
    expect(run([over('sum', null, 0), over('min', null, 0)], [m])).to.deep.equal([8, 0]);
    const kept = (op: string): FusedStep => ({ op, params: { axis: 0, keepdims: true }, args: [0] });
    expect(run([kept('sum'), kept('max')], [m])).to.deep.equal([[[1, 7]], [[1, 4]]]);
  });

  it('run a kernel each where axes or spaces differ, or where the backend writes one result', () => {
    const square = [over('sum', 0, 0), over('sum', 1, 0)];
    expect(run(square, [m])).to.deep.equal([[1, 7], [4, 4]]); // prettier-ignore
    expect(kernelsOf(square, [[2, 2]], 8)).to.have.length(2);
    const alike = [over('sum', 1, 0), over('max', 1, 0)];
    expect([undefined, 1, 2].map((most) => kernelsOf(alike, [[2, 2]], most).length)).to.deep.equal([2, 2, 1]);
    expect(kernelsOf(alike, [[2, 2]]).map(({ output }) => output.offset)).to.deep.equal([0, 2]);
    const twice: FusedStep = { op: 'fusedFold', params: { steps: [over('sum', 0, 0), over('sum', 1, 0), { op: 'add', params: {}, args: [1, 2] }] }, args: [0] }; // prettier-ignore
    expect(run([twice, over('max', 1, 0), twice], [m])).to.deep.equal([[5, 11], [3, 4], [5, 11]]); // prettier-ignore
    expect(kernelsOf([twice, twice], [[2, 2]], 8)).to.have.length(6);
  });

  it('let NaN win and keep −0, each for itself (J12)', () => {
    const x = tensor([[NaN, 1], [-0, -0]]); // prettier-ignore
    const [sums, most] = run([over('sum', 1, 0), over('max', 1, 0)], [x]) as number[][];
    expect([sums[0], most[0], Object.is(most[1], -0)]).to.deep.equal([NaN, NaN, true]);
  });

  it('are refused by a renderer that writes one result, and named by what they stand for', () => {
    const [nest] = kernelsOf([over('sum', 1, 0), over('max', 1, 0)], [[2, 2]], 8); // prettier-ignore
    expect(thrownBy(() => renderGpu(nest)).code).to.equal('E_CODEGEN');
    const g = graph({ x: input([2, 2]) }, ({ x }) => ({ z: siblings([x], { steps: [over('sum', 1, 0), over('max', 1, 0)] }) }));
    const { unsupported } = supports(claiming({ excludes: [{ op: 'max' }] }), g);
    expect(unsupported.map(({ diagnostic }) => diagnostic.message).join()).to.match(/must have the op.*max/);
  });

  it('are written and read with their steps, and refused by validate where they do not fit', () => {
    const g = graph({ x: input([2, 3]), w: input([3]) }, ({ x, w }) => ({ z: siblings([x, w], { steps: [over('sum', 1, 0), scaled] }) })) as Graph; // prettier-ignore
    const text = serializeGraph(g);
    expect(serializeGraph(parseGraph(text))).to.equal(text);
    expect(validate(parseGraph(text.replaceAll('"dims":[3]', '"dims":[5]')))).to.have.length.greaterThan(0);
  });

  it('refuse what is no list of reductions of one shape and dtype (G13)', () => {
    const sum = over('sum', 1, 0);
    const wrong: readonly (readonly [unknown, string])[] = [
      [[sum], 'E_ARGUMENT'],
      ['sum', 'E_ARGUMENT'],
      [[sum, { op: 'relu', params: {}, args: [0] }], 'E_ARGUMENT'],
      [[sum, { op: 'fusedSiblings', params: { steps: [sum, sum] }, args: [0] }], 'E_ARGUMENT'],
      [[sum, { ...sum, op: 'constructor' }], 'E_ARGUMENT'],
      [[sum, { ...sum, args: [1] }], 'E_ARGUMENT'],
      [new Array<unknown>(513).fill(sum), 'E_ARGUMENT'],
      [[sum, over('argmax', 1, 0)], 'E_DTYPE'],
      [[sum, over('sum', null, 0)], 'E_SHAPE'],
    ];
    for (const [steps, code] of wrong) {
      expect(thrownBy(() => siblings([m], { steps })).code, JSON.stringify(steps).slice(0, 80)).to.equal(code);
      if (code === 'E_ARGUMENT') expect(thrownBy(() => graph({ x: input([2, 2]) }, ({ x }) => ({ y: siblings([x], { steps }) }))).code).to.equal(code); // prettier-ignore
    }
  });
});
