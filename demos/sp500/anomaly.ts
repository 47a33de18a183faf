/**
 * @file How strange was today? One graph: log returns, z-scores, covariance, and the distance from what was usual.
 *
 * The score is the Mahalanobis distance of today's returns from those of the 120 days before. It grows when a return is
 * large for these times, and grows more when returns that go together did not: a low far below a close.
 */
import {
  add,
  at,
  constant,
  div,
  einsum,
  eye,
  graph,
  input,
  log,
  mean,
  mul,
  named,
  range,
  slice,
  sqrt,
  std,
  sub,
  type GraphSymbol,
} from '../../src/index.js';
import { COLUMNS } from './days.js';

/** Trading days that today is compared with: half a year. */
const BEFORE = 120;

/** Days of prices in one window: those before, today, and one more, as a return needs two prices. */
export const DAYS = BEFORE + 2;

/** Share of the identity mixed into the covariance, so that its inverse does not depend on noise. */
const RIDGE = 0.1;

const float64 = { dtype: 'float64' } as const;
const size = COLUMNS.length;

/**
 * The inverse of a positive definite matrix by Newton's iteration, X ← X (2 − C X): nothing but einsums.
 * The error is squared at each step. Eigenvalues of `c` lie between RIDGE and RIDGE + (1 − RIDGE)·size, so nine steps
 * from the best multiple of the identity reach the last bit of float64.
 */
function inverse(c: GraphSymbol, identity: GraphSymbol): GraphSymbol {
  const [least, most] = [RIDGE, RIDGE + (1 - RIDGE) * size];
  const two = mul(identity, 2);
  let x = mul(identity, 2 / (least + most));
  for (let step = 0; step < 9; step++) x = einsum('ij,jk->ik', x, sub(two, einsum('ij,jk->ik', c, x)));
  return x;
}

const declarations = { prices: input([DAYS, size], float64), identity: constant(eye(size, float64)) };

export const anomaly = graph(declarations, ({ prices, identity }) => {
  const logs = log(prices);
  const returns = named('returns', sub(slice(logs, range(1, null)), slice(logs, range(null, -1))));
  const before = named('before', slice(returns, range(null, -1)));
  const today = named('today', slice(returns, at(-1)));

  const usual = mean(before, { axis: 0 });
  const spread = std(before, { axis: 0 });
  const z = named('z', div(sub(today, usual), spread));
  const history = div(sub(before, usual), spread);
  const covariance = named('covariance', div(einsum('tf,tg->fg', history, history), BEFORE));
  const precision = named('precision', inverse(add(mul(covariance, 1 - RIDGE), mul(identity, RIDGE)), identity));

  return { score: sqrt(einsum('f,fg,g->', z, precision, z)), change: slice(today, at(COLUMNS.indexOf('close'))) };
});
