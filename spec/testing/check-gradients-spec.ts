/** @file The checker of gradients finds what is wrong, and only that. */
import { expect } from 'chai';
import {
  abs,
  add,
  cast,
  customGradient,
  EinstreamError,
  einsum,
  exp,
  floor,
  gradient,
  graph,
  input,
  js,
  log,
  mean,
  mul,
  param,
  pow,
  relu,
  sin,
  stopGradient,
  sub,
  sum,
  tanh,
  tensor,
  wasm,
  type Graph,
} from '../../src/index.js';
import { checkGradients, type CheckOptions, type DifferenceMethod } from '../../src/testing.js';

/** A mistake planted in one element of a rule: the sign of `x[1, 2]`. */
const planted = customGradient(
  'specPlantedSign',
  (x) => sin(x),
  (dy, [x]) => {
    const slope = mul(dy, sub(exp(x), exp(x)));
    const signs = tensor([[1, 1, 1], [1, 1, -1]], { dtype: 'float64' }); // prettier-ignore
    return [add(slope, mul(mul(dy, signs), sub(1, mul(2, pow(sin(mul(x, 0.5)), 2)))))];
  },
);

const model = graph({ x: input(['n', 3]), w: param(tensor([[0.1, -0.2], [0.3, 0.4], [-0.5, 0.6]])), b: param(tensor([0.05, -0.1])) }, ({ x, w, b }) => {
  const h = tanh(add(einsum('ni,io->no', x, w), b));
  return { loss: mean(mul(h, h)), h };
}); // prettier-ignore
const feeds = { x: [[1, 2, 3], [0.5, -1, 0.25]] }; // prettier-ignore

describe('checkGradients (F137)', () => {
  for (const method of ['forward', 'central', 'fourthOrder', 'richardson'] as const) {
    it(`finds nothing wrong with a right graph, by ${method} differences`, () => {
      const report = checkGradients(model, feeds, { method });
      expect(report, String(report)).to.include({ passed: true, checked: 14, skipped: 0, failed: 0 });
      expect(report.worst).to.be.lessThan(1e-3);
      expect(report.differences).to.deep.equal([]);
    });
  }

  it('is the nearer the higher the order: forward, central, then fourth order and Richardson', () => {
    const worst = (method: DifferenceMethod) => checkGradients(model, feeds, { method, eps: 1e-2, rel: 1, abs: 1e-9 }).worst;
    const [forward, central, fourth, richardson] = (['forward', 'central', 'fourthOrder', 'richardson'] as const).map(worst);
    expect(central).to.be.lessThan(forward / 10);
    expect(fourth).to.be.lessThan(central / 100);
    expect(richardson).to.be.lessThan(central / 100);
  });

  it('finds a planted wrong sign, and names parameter, index and both values', () => {
    const g = graph({ w: input([2, 3]), x: input([2, 3]) }, ({ w, x }) => ({ y: mul(w, planted(x)) }));
    const x = [[0.1, 0.2, 0.3], [0.4, 0.5, 0.6]]; // prettier-ignore
    for (const method of ['forward', 'central', 'fourthOrder', 'richardson'] as const) {
      const report = checkGradients(g, { x, w: [[1, 2, 3], [4, 5, 6]] }, { method }); // prettier-ignore
      expect([report.passed, report.failed, report.checked]).to.deep.equal([false, 1, 12]);
      const [{ parameter, index, analytic, numeric, error }] = report.differences;
      expect([parameter, index]).to.deep.equal(['x', [1, 2]]);
      expect(analytic).to.be.closeTo(-numeric, 1e-3);
      expect(error).to.be.greaterThan(1);
      expect(String(report)).to.match(
        /12 checked, 0 skipped at kinks, 1 wrong\nx\[1, 2\]: gradient \S+, finite difference \S+, error/,
      );
    }
  });

  it('lists the largest differences first, by `report` of them at most', () => {
    const wrong = customGradient('specAllWrong', (x) => mul(x, x), (dy, [x]) => [mul(dy, mul(x, mul(x, 4)))]); // prettier-ignore
    const g = graph({ x: input([20]) }, ({ x }) => ({ y: wrong(x) }));
    const x = Array.from({ length: 20 }, (_, i) => 1 + i / 10);
    const { failed, differences } = checkGradients(g, { x });
    expect([failed, differences.length]).to.deep.equal([20, 10]);
    const errors = differences.map(({ error }) => error);
    expect(errors).to.deep.equal([...errors].sort((a, b) => b - a));
    expect(checkGradients(g, { x }, { report: 3 }).differences).to.have.length(3);
  });

  it('skips kinks and jumps, and counts them, but not a kink that only lies near', () => {
    const g = graph({ x: input([5]) }, ({ x }) => ({ y: add(relu(x), add(abs(sub(x, 1)), floor(x))) }));
    const report = checkGradients(g, { x: [0, 1, 0.5, 1 + 2e-6, -0.25] });
    expect(report, String(report)).to.include({ passed: true, skipped: 2, checked: 3 });
  });

  it('skips what is no number on either side', () => {
    const g = graph({ x: input([2]) }, ({ x }) => ({ y: log(x) }));
    expect(checkGradients(g, { x: [-1, 2] })).to.include({ passed: true, failed: 0 });
  });

  it('computes in float64 whatever the graph declares, casts and params too', () => {
    const g = graph({ x: input([2]), w: param(tensor([0.1, 0.2])) }, ({ x, w }) => ({
      y: mul(cast(mul(x, 1e-3), { dtype: 'float32' }), add(w, 1000)),
    }));
    expect(checkGradients(g, { x: Float32Array.of(1, 2) }, { rel: 1e-7, abs: 1e-9 }).passed).to.equal(true);
    expect(checkGradients(g, { x: tensor([1, 2]), w: [3, 4] }, { rel: 1e-7, abs: 1e-9 }).checked).to.equal(4);
  });

  it('holds what stopGradient gives where it is, as gradients do', () => {
    const g = graph({ x: input([3]) }, ({ x }) => ({ y: mul(x, stopGradient(exp(x))) }));
    expect(checkGradients(g, { x: [0, 1, 2] })).to.include({ passed: true, checked: 3 });
  });

  it('checks gradients of gradients, by parameters of the same names', () => {
    const g = graph({ x: input([3]) }, ({ x }) => ({ y: sum(mul(x, exp(x))) }));
    const slopes = gradient(g, { of: 'y', wrt: ['x'] });
    expect(checkGradients(slopes, { x: [0, 1, 2] })).to.include({ passed: true, checked: 3 });
  });

  it('has presets, which options beside them override', () => {
    const worst = (options: CheckOptions) => checkGradients(model, feeds, options);
    expect(worst({ preset: 'strict' }).worst).to.be.lessThan(1e-9);
    expect(worst({ preset: 'relaxed' }).passed).to.equal(true);
    const many = graph({ x: input([100]) }, ({ x }) => ({ y: exp(x) }));
    const x = Array.from({ length: 100 }, (_, i) => i / 100);
    expect(checkGradients(many, { x }, { preset: 'quick' }).checked).to.equal(16);
    expect(checkGradients(many, { x }, { preset: 'quick', elements: 7 }).checked).to.equal(7);
  });

  it('takes outputs and parameters by name, and leaves integers alone', () => {
    const g = graph({ x: input([2]), k: input([2], { dtype: 'int32' }) }, ({ x, k }) => ({ y: mul(x, k), n: add(k, 1) }));
    expect(checkGradients(g, { x: [1, 2], k: [3, 4] })).to.include({ passed: true, checked: 2 });
    expect(checkGradients(model, feeds, { of: ['h'], wrt: ['b'] }).checked).to.equal(2);
  });

  it('checks what another backend computes', async () => {
    const backend = await wasm();
    expect(checkGradients(model, feeds, { backend, rel: 1e-6 })).to.include({ passed: true, checked: 14 });
    await backend.close();
  });

  it('refuses unknown options, presets, methods and names, tolerances that are none, and what cannot be moved', () => {
    const refused = (options: object, text: RegExp): void =>
      void expect(() => checkGradients(model as Graph, feeds, options)).to.throw(EinstreamError, text);
    refused({ epsilon: 1 }, /an option must be known: preset, of, wrt/);
    refused({ preset: 'lax' }, /a preset is one of strict, relaxed, quick/);
    refused({ method: 'complexStep' }, /a method is one of forward, central, fourthOrder, richardson/);
    refused({ eps: 0 }, /eps is a positive number/);
    refused({ rel: NaN }, /rel is a positive number/);
    refused({ wrt: ['loss'] }, /checked by inputs and params/);
    refused({ of: ['nothing'] }, /of must name a value of the graph/);
    refused(null as never, /options are one object/);
    expect(() => checkGradients(model, { x: [[1, 2]] }, { backend: js() })).to.throw(EinstreamError);
  });
});
