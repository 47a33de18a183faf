/**
 * @file The model: two layers, once as a loss to learn from and once as a classifier. Both have the same params.
 */
import {
  add,
  crossEntropy,
  einsum,
  graph,
  input,
  param,
  relu,
  softmax,
  tensor,
  zeros,
  type GraphSymbol,
  type Tensor,
} from '../../../src/index.js';
import { random } from '../stream/signals.js';
import { PIXELS } from './images.js';

const HIDDEN = 64;

export type Params = Readonly<Record<'w1' | 'b1' | 'w2' | 'b2', Tensor>>;

/** Normal numbers of variance 2 / rows (He et al., 2015), the same at every start. */
function drawn(rows: number, columns: number, next: () => number): Tensor {
  const scale = Math.sqrt(2 / rows);
  const normal = (): number => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next());
  const values = Float32Array.from({ length: rows * columns }, () => scale * normal());
  return tensor(values, { shape: [rows, columns] });
}

const next = random(28);
const start: Params = { w1: drawn(PIXELS, HIDDEN, next), b1: zeros([HIDDEN]), w2: drawn(HIDDEN, 10, next), b2: zeros([10]) };

type Symbols = Readonly<Record<keyof Params, GraphSymbol>>;

const logitsOf = (x: GraphSymbol, { w1, b1, w2, b2 }: Symbols): GraphSymbol => {
  const hidden = relu(add(einsum('np,ph->nh', x, w1), b1));
  return add(einsum('nh,hc->nc', hidden, w2), b2);
};

const params = { w1: param(start.w1), b1: param(start.b1), w2: param(start.w2), b2: param(start.b2) };

/** From images [n, PIXELS] and one-hot rows [n, 10] to their loss. */
export const learner = graph({ x: input(['n', PIXELS]), t: input(['n', 10]), ...params }, ({ x, t, ...rest }) => ({
  loss: crossEntropy(logitsOf(x, rest), t),
}));

/** From images [n, PIXELS] to the probabilities of the ten digits, [n, 10]. */
export const classifier = graph({ x: input(['n', PIXELS]), ...params }, ({ x, ...rest }) => ({
  probabilities: softmax(logitsOf(x, rest), { axis: -1 }),
}));

export { start as firstParams };
