/** @file Gradients where sizes are not known before they run, and where dtypes are mixed. */
import { expect } from 'chai';
import {
  add,
  cast,
  concat,
  einsum,
  EinstreamError,
  evaluateSync,
  exp,
  flip,
  gradient,
  graph,
  hvp,
  input,
  inferShapes,
  layerNorm,
  logSoftmax,
  logsumexp,
  matmul,
  max,
  mean,
  mul,
  param,
  prod,
  range,
  reshape,
  slice,
  softmax,
  std,
  sub,
  sum,
  take,
  tanh,
  tensor,
  transpose,
  variance,
  zeros,
  type Dims,
  type Graph,
  type GraphSymbol,
} from '../../src/index.js';
import { checkGradients } from '../../src/testing.js';
import { differentBits } from '../support/sameBits.js';

type Build = (x: GraphSymbol, y: GraphSymbol) => GraphSymbol;

/** Functions of a matrix and a row that broadcasts against it. */
const FUNCTIONS: Readonly<Record<string, Build>> = {
  broadcasting: (x, y) => mul(x, y),
  'sums and means': (x, y) => sub(sum(mul(x, y), { axis: 0 }), mean(x)),
  extremes: (x, y) => add(max(x, { axis: 1 }), max(y)),
  products: (x, y) => add(prod(x), prod(mul(x, y), { axis: 0 })),
  spread: (x, y) => add(std(x, { axis: 0 }), variance(y)),
  exponentials: (x, y) => add(logsumexp(x, { axis: 1 }), logsumexp(y)),
  softmax: (x, y) => mul(softmax(x), add(logSoftmax(y), 1)),
  normalisation: (x, y) => layerNorm(x, y, y, { eps: 1e-3 }),
  contraction: (x, y) => add(einsum('ij,ik->jk', x, x), einsum('ij,j->', x, y)),
  products_of_matrices: (x, y) => matmul(matmul(x, transpose(x)), add(matmul(x, y), 1)),
  movement: (x, y) => mul(flip(slice(x, { specs: [range(1, null)] }), { axis: 0 }), y),
  joining: (x) => exp(concat([x, x], { axis: 1 })),
  reshaping: (x) => tanh(reshape(transpose(x), { shape: [-1] })),
};

const FEEDS = { x: tensor([[0.5, -1.25, 0.75], [2, 0.3, -0.6]], { dtype: 'float64' }), y: tensor([1.5, -0.4, 0.9], { dtype: 'float64' }) }; // prettier-ignore

const built = (build: Build, x: Dims, y: Dims): Graph =>
  graph({ x: input(x, { dtype: 'float64' }), y: input(y, { dtype: 'float64' }) }, (s) => ({ z: sum(build(s.x, s.y)) }));

const what = { of: 'z', wrt: ['x', 'y'] } as const;

describe('gradients of open sizes', () => {
  for (const [title, build] of Object.entries(FUNCTIONS)) {
    it(`are those of known sizes: ${title}`, () => {
      const known = built(build, [2, 3], [3]);
      expect(checkGradients(known, FEEDS, { preset: 'strict' }).passed).to.equal(true);
      const want = evaluateSync(gradient(known, what), FEEDS);
      const tried: readonly (readonly [Dims, Dims])[] = [
        [['n', 3], [3]],
        [[2, 'm'], ['m']],
        [['n', 'm'], ['m']],
        [[null, null], [null]],
      ];
      for (const [x, y] of tried) {
        const declared = `${JSON.stringify(x)}, ${JSON.stringify(y)}`;
        let open: Graph;
        try {
          open = gradient(built(build, x, y), what);
        } catch (error) {
          // Some movements need a size: they say so, and name the way out.
          expect(error, declared).to.be.instanceOf(EinstreamError);
          expect((error as EinstreamError).message, declared).to.match(/needs|declare/);
          expect(title).to.be.oneOf(['joining', 'movement', 'reshaping']);
          continue;
        }
        const got = evaluateSync(open, FEEDS);
        for (const name of what.wrt) {
          expect(got[name].shape, declared).to.deep.equal(FEEDS[name].shape);
          (got[name].data as Float64Array).forEach((slope, i) => {
            expect(slope, `${declared}, ${name}[${i}]`).to.be.closeTo(
              want[name].data[i] as number,
              1e-12 * Math.max(1, Math.abs(slope)),
            );
          });
        }
      }
    });
  }

  it('are empty where something taken was empty', () => {
    for (const dims of [
      [3, 0],
      ['n', 'm'],
    ] as const) {
      const g = graph({ x: input(dims), k: input([2], { dtype: 'int32' }) }, ({ x, k }) => ({ y: sum(take(x, k, { axis: 0 })) }));
      const slopes = gradient(g, { of: 'y', wrt: ['x'] });
      expect(evaluateSync(slopes, { x: zeros([3, 0]), k: tensor([0, 2], { dtype: 'int32' }) }).x.shape).to.deep.equal([3, 0]);
    }
    const g = graph({ x: input(['n', 'm']), k: input([3], { dtype: 'int32' }) }, ({ x, k }) => ({
      y: sum(take(x, k, { axis: 0 })),
    }));
    const feeds = { x: [[1, 2], [3, 4], [5, 6]], k: tensor([-1, 0, 2], { dtype: 'int32' }) }; // prettier-ignore
    expect(evaluateSync(gradient(g, { of: 'y', wrt: ['x'] }), feeds).x.toArray()).to.deep.equal([[1, 1], [0, 0], [2, 2]]); // prettier-ignore
  });

  it('serve feeds of any size by one graph, batch by batch', () => {
    const g = graph({ x: input(['n', 2]), w: param(tensor([[1, 2], [3, 4]])) }, ({ x, w }) => ({ loss: mean(mul(matmul(x, w), matmul(x, w))) })); // prettier-ignore
    const slopes = gradient(g, { of: 'loss', wrt: ['w'] });
    expect(inferShapes(slopes, { x: [5, 2] }).get('w.gradient')).to.deep.equal([2, 2]);
    const one = evaluateSync(slopes, { x: [[1, 2]] }).w;
    expect(differentBits(evaluateSync(slopes, { x: [[1, 2], [1, 2], [1, 2], [1, 2]] }).w, one)).to.equal(undefined); // prettier-ignore
    expect(evaluateSync(hvp(g, { of: 'loss', wrt: ['w'] }), { x: [[1, 2]], 'w.direction': [[1, 0], [0, 0]] }).w.toArray()).to.deep.equal([[1, 0], [2, 0]]); // prettier-ignore
  });
});

describe('gradients of mixed dtypes', () => {
  const g = graph(
    { x: input([2]), d: input([2], { dtype: 'float64' }), k: input([2], { dtype: 'int32' }), b: input([2], { dtype: 'bool' }) },
    ({ x, d, k, b }) => ({ y: sum(mul(mul(x, d), mul(k, add(b, 1)))) }),
  );
  const feeds = {
    x: [1, 2],
    d: tensor([3, 4], { dtype: 'float64' }),
    k: tensor([5, 6], { dtype: 'int32' }),
    b: [true, false] as never,
  };

  it('have each operand’s dtype', () => {
    const { x, d } = evaluateSync(gradient(g, { of: 'y', wrt: ['x', 'd'] }), feeds);
    expect([x.dtype, d.dtype]).to.deep.equal(['float32', 'float64']);
    expect([x.toArray(), d.toArray()]).to.deep.equal([[30, 24], [10, 12]]); // prettier-ignore
  });

  it('pass through casts between floating dtypes, and end at integers', () => {
    const h = graph({ x: input([2]) }, ({ x }) => ({
      y: sum(mul(cast(mul(x, 2), { dtype: 'float64' }), 3)),
      z: sum(mul(cast(x, { dtype: 'int32' }), 1.5)),
    }));
    expect(evaluateSync(gradient(h, { of: 'y', wrt: ['x'] }), { x: [1, 2] }).x.toArray()).to.deep.equal([6, 6]);
    const through = evaluateSync(gradient(h, { of: 'z', wrt: ['x'] }), { x: [1, 2] }).x;
    expect([through.dtype, through.toArray()]).to.deep.equal(['float32', [0, 0]]);
  });

  it('are refused by integers and truth values, with a way out', () => {
    for (const name of ['k', 'b'])
      expect(() => gradient(g, { of: 'y', wrt: [name] })).to.throw(EinstreamError, /must be floating-point.*cast it/s);
  });
});
