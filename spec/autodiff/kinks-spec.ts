/** @file Gradients where functions bend, jump, or leave the numbers: one table, in float64 and float32 (N10). */
import { expect } from 'chai';
import { backward, evaluateSync, gradient, graph, input, ops, tensor, variable, type Graph, type GraphSymbol, type Variable } from '../../src/index.js'; // prettier-ignore
import { js } from '../../src/backends/index.js';

const backend = js({ kernels: 'interpret' });
const I = Infinity;

interface Row {
  readonly op: string;
  readonly at: readonly (number | readonly number[])[];
  readonly params?: Readonly<Record<string, unknown>>;
  /** Of the sum of the result, by each operand. */
  readonly slopes: readonly (number | readonly number[])[];
  readonly why: string;
}

const TABLE: readonly Row[] = [
  { op: 'relu', at: [[-1, 0, -0, 2]], slopes: [[0, 0, 0, 1]], why: 'flat at 0' },
  { op: 'abs', at: [[-2, 0, -0, 3]], slopes: [[-1, 0, -0, 1]], why: 'between both slopes at 0' },
  { op: 'sign', at: [[-2, 0, 3]], slopes: [[0, 0, 0]], why: 'constant but for a jump' },
  { op: 'floor', at: [[0, 0.5, 1]], slopes: [[0, 0, 0]], why: 'constant but for jumps' },
  { op: 'oneMinus', at: [[0, 5]], slopes: [[-1, -1]], why: '−1 everywhere' },
  { op: 'maximum', at: [[1, 2, 0], [2, 1, 0]], slopes: [[0, 1, 0.5], [1, 0, 0.5]], why: 'ties share evenly' }, // prettier-ignore
  { op: 'minimum', at: [[1, 2, -0], [2, 1, 0]], slopes: [[1, 0, 0.5], [0, 1, 0.5]], why: 'ties share evenly, also of both zeros' }, // prettier-ignore
  { op: 'max', at: [[1, 3, 3, 2, 3]], slopes: [[0, 1 / 3, 1 / 3, 0, 1 / 3]], why: 'three ties have a third each' },
  { op: 'min', at: [[1, 1]], slopes: [[0.5, 0.5]], why: 'ties share evenly' },
  { op: 'max', at: [[-I, I, I]], slopes: [[0, 0.5, 0.5]], why: 'infinities tie too' },
  { op: 'prod', at: [[2, 0, 3]], slopes: [[0, 6, 0]], why: 'one zero: only its own slope is left' },
  { op: 'prod', at: [[0, 5, 0]], slopes: [[0, 0, 0]], why: 'two zeros: no slope is left' },
  {
    op: 'clip',
    at: [[-1, 0, 0.5, 1, 2]],
    params: { min: 0, max: 1 },
    slopes: [[0, 1, 1, 1, 0]],
    why: 'both ends count as inside',
  },
  { op: 'sqrt', at: [[0, 4]], slopes: [[I, 0.25]], why: 'a vertical tangent at 0' },
  { op: 'log', at: [[0, 2]], slopes: [[I, 0.5]], why: 'steeper than any number at 0' },
  { op: 'reciprocal', at: [[0, 2]], slopes: [[-I, -0.25]], why: 'both branches fall at 0' },
  { op: 'exp', at: [[-I, 0]], slopes: [[0, 1]], why: 'flat far down' },
  { op: 'tanh', at: [[-I, 0, I]], slopes: [[0, 1, 0]], why: 'flat far out' },
  { op: 'sigmoid', at: [[-I, 0, I]], slopes: [[0, 0.25, 0]], why: 'flat far out' },
  { op: 'softplus', at: [[-I, 0, I]], slopes: [[0, 0.5, 1]], why: 'the sigmoid' },
  { op: 'pow', at: [[0, 0, 2], [2, 0, 3]], slopes: [[0, 0, 12], [0, 0, 8 * Math.LN2]], why: '0⁰ is 1 whatever leads there' }, // prettier-ignore
  { op: 'div', at: [[0, 1], [2, 4]], slopes: [[0.5, 0.25], [-0, -1 / 16]], why: 'by the divisor −x/y²' }, // prettier-ignore
  { op: 'l2norm', at: [[0, 0]], slopes: [[0, 0]], why: 'the tip of the cone is flat' },
  { op: 'std', at: [[2, 2]], slopes: [[0, 0]], why: 'the tip of the cone is flat' },
  { op: 'hypot', at: [[0, 3], [0, 4]], slopes: [[0, 0.6], [0, 0.8]], why: 'the tip of the cone is flat' }, // prettier-ignore
  { op: 'atan2', at: [[0], [0]], slopes: [[NaN], [NaN]], why: 'no angle there, and no limit of slopes' },
  { op: 'logsumexp', at: [[-I, 0]], slopes: [[0, 1]], why: 'what is −∞ has no share' },
  { op: 'logsumexp', at: [[-I, -I]], slopes: [[0, 0]], why: 'nor has any, where all are' },
  { op: 'softmax', at: [[-I, 0]], slopes: [[0, 0]], why: 'a masked entry has none' },
  { op: 'greater', at: [[1, 2], [1, 0]], slopes: [[0, 0], [0, 0]], why: 'comparisons pass nothing' }, // prettier-ignore
];

const sumOf = (row: Row, operands: readonly unknown[]): unknown => {
  const y = ops[row.op](...operands, row.params ?? {});
  return ops['sum'](ops['mul'](y, 1.0));
};

const asArray = (value: number | readonly number[]): readonly number[] => (typeof value === 'number' ? [value] : value);

describe('gradients at kinks, at zero and at infinity (N10, F007)', () => {
  for (const dtype of ['float64', 'float32'] as const) {
    const tolerance = dtype === 'float64' ? 1e-12 : 1e-5;
    for (const row of TABLE) {
      it(`${row.op} at ${JSON.stringify(row.at, (_k, v: unknown) => (typeof v === 'number' && !Number.isFinite(v) ? String(v) : v))}, ${dtype}: ${row.why}`, () => {
        const operands = row.at.map((value) => tensor([...asArray(value)], { dtype }));
        const isFlat = row.op === 'greater';
        const g = graph(Object.fromEntries(operands.map((x, k) => [`x${k}`, input(x.shape, { dtype })])), (symbols) => {
          const y = sumOf(row, Object.values(symbols)) as GraphSymbol;
          return { y: isFlat ? (ops['cast'](y, { dtype }) as GraphSymbol) : y };
        }) as Graph;
        const feeds = Object.fromEntries(operands.map((x, k) => [`x${k}`, x]));
        const found = evaluateSync(gradient(g, { of: 'y', wrt: Object.keys(feeds) }), feeds, { backend });
        const xs = operands.map((x) => variable(x));
        const y = sumOf(row, xs) as Variable;
        const back = isFlat ? undefined : y.requiresGrad ? backward(y) : undefined;
        row.slopes.forEach((want, k) => {
          const eager = back?.of(xs[k]) ?? found[`x${k}`];
          for (const got of [found[`x${k}`], eager])
            asArray(want).forEach((slope, i) => {
              const value = got.data[i] as number;
              if (Number.isFinite(slope))
                expect(value, `operand ${k}[${i}]`).to.be.closeTo(slope, tolerance * Math.max(1, Math.abs(slope)));
              else expect(value, `operand ${k}[${i}]`).to.deep.equal(slope);
            });
        });
      });
    }
  }

  it('stay finite where the branch that was not taken is not', () => {
    const x = variable(tensor([0, -1, 4]));
    const safe = ops['where'](ops['greater'](x, 0), ops['log'](x), ops['mul'](x, 0.5)) as Variable;
    backward(ops['sum'](safe) as Variable);
    expect(x.grad!.toArray()).to.deep.equal([0.5, 0.5, 0.25]);
  });
});
