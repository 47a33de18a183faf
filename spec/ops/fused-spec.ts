import { expect } from 'chai';
import { EinstreamError, evaluateSync, graph, input, js, ops, tensor, type GraphSymbol, type Tensor } from '../../src/index.js';
import { fused, plainOps } from '../../src/ops/fused.js';
import type { Op } from '../../src/ops/op.js';

const codeOf = (act: () => unknown): string => {
  try {
    act();
  } catch (error) {
    return error instanceof EinstreamError ? error.code : String(error);
  }
  return 'nothing was thrown';
};
const group = fused as unknown as (x: Tensor | GraphSymbol, params: unknown) => Tensor;
const relu = { op: 'relu', params: {}, args: [0] };

describe('a fused group', () => {
  it('reads operands first, then its steps by their number', () => {
    const steps = [relu, { op: 'add', params: {}, args: [1, 0] }, { op: 'mul', params: {}, args: [2, 1] }]; // prettier-ignore
    expect(group(tensor([-1, 2]), { steps }).toArray()).to.deep.equal([-0, 8]);
  });

  it('rounds each step to its own dtype, as if its result had been stored', () => {
    const steps = [{ op: 'cast', params: { dtype: 'int32' }, args: [0] }, { op: 'mul', params: {}, args: [1, 1] }]; // prettier-ignore
    expect(group(tensor([65536.5]), { steps }).toArray()).to.deep.equal([0]);
    const third = [{ op: 'div', params: {}, args: [0, 0] }, { op: 'sub', params: {}, args: [1, 0] }]; // prettier-ignore
    expect(group(tensor([0.1]), { steps: third }).toArray()).to.deep.equal([Math.fround(1 - Math.fround(0.1))]);
  });

  it('takes parameters by the rules of each op, with their defaults', () => {
    expect(group(tensor([-1]), { steps: [{ op: 'elu', args: [0] }] }).toArray()).to.deep.equal([Math.fround(Math.expm1(-1))]);
    expect(codeOf(() => group(tensor([1]), { steps: [{ op: 'elu', params: { alpha: '1' }, args: [0] }] }))).to.equal(
      'E_ARGUMENT',
    );
  });

  it('lists the ops that it stands for', () => {
    const steps = [{ op: 'less', params: {}, args: [0, 0] }, { op: 'neg', params: {}, args: [1] }]; // prettier-ignore
    expect(plainOps({ steps }, ['float32'])).to.deep.equal([
      { op: 'less', inputs: ['float32', 'float32'], output: 'bool' },
      { op: 'neg', inputs: ['bool'], output: 'int32' },
    ]);
  });

  it('refuses what is no list of elementwise steps, on tensors and in graphs', () => {
    const wrong: readonly unknown[] = [
      [],
      'relu',
      {},
      [null],
      ['relu'],
      [{ op: 'relu' }],
      [{ ...relu, op: 'sum' }],
      [{ ...relu, op: 'nope' }],
      [{ ...relu, op: 'constructor' }],
      [{ ...relu, op: { toString: () => 'relu' } }],
      [{ op: 'fused', params: { steps: [relu] }, args: [0] }],
      [{ ...relu, args: 'constructor' }],
      [{ ...relu, args: [] }],
      [{ ...relu, args: [0, 0] }],
      [{ ...relu, args: ['constructor'] }],
      [{ ...relu, args: [-1] }],
      [{ ...relu, args: [0.5] }],
      [{ ...relu, args: [NaN] }],
      [{ ...relu, args: [1] }],
      [{ ...relu, args: [2 ** 40] }],
      new Array(513).fill(relu),
    ];
    for (const steps of wrong) {
      const text = JSON.stringify(steps).slice(0, 80);
      expect(
        codeOf(() => group(tensor([1]), { steps })),
        text,
      ).to.equal('E_ARGUMENT');
      expect(
        codeOf(() => graph({ x: input([1]) }, ({ x }) => ({ y: group(x, { steps }) }))),
        text,
      ).to.equal('E_ARGUMENT');
    }
    expect(codeOf(() => (ops['fused'] as unknown as Op<1, object>)(tensor([1])))).to.equal('E_ARGUMENT');
  });

  it('is one kernel in linear time where each step doubles the one before, five hundred times', () => {
    const steps = Array.from({ length: 500 }, (_, k) => ({ op: 'add', params: {}, args: [k, k] }));
    const made = graph({ x: input([1], { dtype: 'float64' }) }, ({ x }) => ({ y: group(x, { steps }) }));
    for (const kernels of ['generate', 'interpret'] as const) {
      expect(evaluateSync(made, { x: [1] }, { backend: js({ kernels }) }).y.toArray()).to.deep.equal([2 ** 500]);
    }
  });
});
