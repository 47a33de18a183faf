/**
 * @file Softmax and layer norm written out, as passes find them in graphs.
 */
import { add, div, exp, max, mean, sqrt, square, sub, sum, type GraphSymbol } from '../../src/index.js';

export const row = { axis: -1, keepdims: true };

export const softmaxOf = (v: GraphSymbol, over: object = row): GraphSymbol => {
  const e = exp(sub(v, max(v, over)));
  return div(e, sum(e, over));
};

export const normalOf = (v: GraphSymbol): GraphSymbol => {
  const centred = sub(v, mean(v, row));
  return div(centred, sqrt(add(mean(square(centred), row), 1e-5)));
};
