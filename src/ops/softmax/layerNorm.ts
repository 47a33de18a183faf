/**
 * @file Layer normalisation, with weight and bias laid along the normalised axes.
 */
import { fault } from '../../errors/index.js';
import { formatShape } from '../../tensor/shape.js';
import { broadcastDims, type Dims } from '../dims.js';
import { dimsOf } from '../dimsOf.js';
import { foldAxes, type Axes } from '../foldAxes.js';
import { isOperand, type Operand, type ResultOf } from '../interpreter.js';
import { defineOp, type AnyOp, type Place } from '../op.js';
import { axes, real } from '../params.js';
import { unsqueeze } from '../movement/unsqueeze.js';
import { floating } from '../rules.js';
import { s } from '../scalar.js';
import type { GradientOps } from '../vjp.js';

/** `axes`: what is normalised over, the last by default. `eps` keeps the divisor from 0. */
export interface LayerNormParams {
  readonly axes?: Axes;
  readonly eps?: number;
}

const normalise = defineOp<3, LayerNormParams>({
  name: 'layerNorm',
  doc: 'Each group along the axes shifted to mean 0 and scaled to variance 1 (biased), then times weight, plus bias. Both broadcast against x.',
  aliases: ['layernorm', 'layer_norm'],
  arity: 3,
  minInputs: 1,
  params: { axes: axes([-1]), eps: real(1e-5) },
  dtype: floating,
  shape: normalisedDims,
  fold: (params, inputs) => ({
    axes: foldAxes(params.axes, inputs[0].length, 'layerNorm'),
    folds: [
      { monoid: 'sum', value: ([x]) => x },
      {
        monoid: 'sum',
        value: ([x], [total]) => {
          const distance = s.sub(x, s.div(total, s.count));
          return s.mul(distance, distance);
        },
      },
    ],
    result: ([total, squares], [x, weight, bias]) => {
      const normal = s.div(s.sub(x, s.div(total, s.count)), s.sqrt(s.add(s.div(squares, s.count), params.eps ?? 1e-5)));
      const scaled = weight === undefined ? normal : s.mul(normal, weight);
      return bias === undefined ? scaled : s.add(scaled, bias);
    },
    emits: 'element',
  }),
  tolerance: { relative: 1e-5, absolute: 1e-6 },
  vjp: normalisedGradients,
  examples: [
    {
      inputs: [
        [
          [1, 3],
          [0, 4],
        ],
      ],
      params: { eps: 0 },
      output: [
        [-1, 1],
        [-1, 1],
      ],
    },
  ],
});

/** By x, weight and bias (Ba et al., Layer Normalization, 2016). */
function normalisedGradients(
  dy: Operand,
  [x, weight, bias]: readonly (Operand | undefined)[],
  _y: Operand,
  g: GradientOps,
  { axes: along = [-1], eps = 1e-5 }: LayerNormParams,
): readonly (Operand | undefined)[] {
  const over = { axis: along, keepdims: true };
  const centred = g.sub(x, g.mean(x, over));
  const scale = g.rsqrt(g.add(g.mean(g.square(centred), over), eps));
  const normal = g.mul(centred, scale);
  const inner = weight === undefined ? dy : g.mul(dy, weight);
  const common = g.add(g.mean(inner, over), g.mul(normal, g.mean(g.mul(inner, normal), over)));
  return [g.mul(scale, g.sub(inner, common)), weight && g.mul(dy, normal), bias && dy];
}

function normalisedDims([dims, ...rest]: readonly (Dims | undefined)[], params: LayerNormParams, place: Place): Dims | undefined {
  if (dims === undefined) return undefined;
  const along = foldAxes(params.axes, dims.length, place);
  for (const other of rest) if (other !== undefined) checkFit(dims, other, along, place);
  return dims;
}

function checkFit(dims: Dims, other: Dims, along: readonly number[], place: Place): void {
  const both = broadcastDims([dims, other], place);
  const grows = both.length > dims.length || both.some((dim, axis) => dims[axis] === 1 && typeof dim === 'number' && dim !== 1);
  // Aligned at the right it would lie along other axes than those that are normalised.
  const astray = !isTrailing(along, dims.length) && other.length > 0 && other.length < dims.length - along[0];
  if (!grows && !astray) return;
  throw fault('E_SHAPE', {
    ...place,
    rule: 'weight and bias must lie along the normalised axes',
    expected: `a shape that broadcasts to ${formatShape(dims)} and reaches axis ${along[0] ?? 0}`,
    actual: formatShape(other),
    hint: 'give one size for each normalised axis, and 1 for the axes between and behind them',
  });
}

const isTrailing = (along: readonly number[], rank: number): boolean =>
  along.every((axis, i) => axis === rank - along.length + i);

/** A tensor with one axis for each of `along`, seen with size 1 where x has an axis between or behind them. */
function placed(operand: Operand, along: readonly number[], rank: number): Operand {
  if (isTrailing(along, rank) || dimsOf(operand)?.length !== along.length) return operand;
  const missing = Array.from({ length: rank - along[0] }, (_, i) => along[0] + i).filter((axis) => !along.includes(axis));
  return unsqueeze(operand, { axis: missing.map((axis) => axis - rank) });
}

/** Weight and bias may be left out. */
export interface LayerNorm {
  <A extends Operand>(x: A, params?: LayerNormParams): ResultOf<A>;
  <A extends Operand, B extends Operand>(x: A, weight: B, params?: LayerNormParams): ResultOf<A | B>;
  <A extends Operand, B extends Operand, C extends Operand>(
    x: A,
    weight: B,
    bias: C,
    params?: LayerNormParams,
  ): ResultOf<A | B | C>;
  readonly definition: AnyOp;
}

/**
 * Layer normalisation: along `axes` (the last by default) x is shifted to mean 0 and scaled to variance 1 (biased,
 * `eps` added), then multiplied by `weight`, then `bias` is added. Weight and bias have one size for each of `axes`, in
 * ascending order, wherever these lie.
 *
 * ```ts
 * layerNorm(tensor([[1, 3], [0, 4]]), tensor([1, 10]), tensor([0, 5]), { eps: 0 }).toArray() // => [[-1, 15], [-1, 15]]
 * ```
 *
 * @throws EinstreamError E_SHAPE for an axis that x does not have, or a weight that does not fit
 */
export const layerNorm: LayerNorm = Object.assign(
  (x: Operand, ...rest: readonly unknown[]): unknown => {
    const call = normalise as (...args: readonly unknown[]) => unknown;
    const dims = isOperand(x) ? dimsOf(x) : undefined;
    const params = rest.find((item) => item !== undefined && !isOperand(item)) as LayerNormParams | undefined;
    if (dims === undefined || params?.axes === undefined) return call(x, ...rest);
    const along = foldAxes(axes([-1])(params.axes, refuseAxes), dims.length, 'layerNorm');
    return call(x, ...rest.map((item) => (isOperand(item) ? placed(item, along, dims.length) : item)));
  },
  { definition: normalise.definition },
);

function refuseAxes(expected: string): never {
  throw fault('E_ARGUMENT', { op: 'layerNorm', rule: `parameter axes must be ${expected}` });
}
