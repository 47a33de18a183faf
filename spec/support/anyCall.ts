/**
 * @file Any call of an op: operands of all dtypes and layouts that fit it, and parameters of its own.
 */
import fc from 'fast-check';
import type { AnyOp, Params } from '../../src/ops/op.js';
import { numElements, type Shape } from '../../src/tensor/shape.js';
import type { Tensor } from '../../src/tensor/tensor.js';
import { slice } from '../../src/ops/index.js';
import type { SliceSpec } from '../../src/tensor/index.js';
import { anyDType, anyLie, anySmallShape, broadcastable, lying, tensorLike } from './anyLayout.js';

export interface Call {
  readonly op: string;
  readonly operands: readonly Tensor[];
  readonly params: Params;
}

type Operands = fc.Arbitrary<readonly Tensor[]>;
type Draw = fc.Arbitrary<readonly [readonly Tensor[], Params]>;

const none = fc.constant<Params>({});
const one = (shape: Shape): Operands => tensorLike(shape).map((x) => [x]);
const axisOf = (rank: number): fc.Arbitrary<number> => fc.integer({ min: -rank, max: rank - 1 });
const someAxes = (rank: number): fc.Arbitrary<readonly number[] | null> =>
  fc.option(fc.shuffledSubarray(Array.from({ length: rank }, (_, axis) => axis)), { freq: 4 });

/** A shape, then one operand of it, then parameters that fit. */
const onShape = (paramsOf: (shape: Shape) => fc.Arbitrary<Params>, options?: Parameters<typeof anySmallShape>[0]): Draw =>
  anySmallShape(options).chain((shape) => fc.tuple(one(shape), paramsOf(shape)));

const broadcasting = (count: number, params: fc.Arbitrary<Params>): Draw =>
  fc.tuple(
    anySmallShape().chain((shape) =>
      fc.tuple(...Array.from({ length: count }, () => broadcastable(shape).chain((s) => tensorLike(s)))),
    ),
    params,
  );

const bound = fc.constantFrom(-Infinity, -3, -0.5, 0, 2, 7.25, Infinity);
/** Parameters of those elementwise ops that have any. */
export const ELEMENTWISE: Readonly<Record<string, fc.Arbitrary<Params>>> = {
  elu: fc.record({ alpha: fc.constantFrom(1, 0.25, -2) }),
  clip: fc.record({ min: bound, max: bound }),
  cast: fc.record({ dtype: anyDType }),
};

const reduction = (op: AnyOp): Draw =>
  onShape((shape) =>
    fc.record({
      axis: someAxes(shape.length),
      keepdims: fc.boolean(),
      ...('ddof' in op.params ? { ddof: fc.nat(1) } : {}),
    }),
  );

/** Weight and bias, when there are any, have the shape of the normalised axes. */
const layerNorm: Draw = fc
  .tuple(fc.array(fc.constantFrom(1, 2, 3), { minLength: 1, maxLength: 3 }), fc.nat(2), fc.nat(9), fc.constantFrom(0, 1e-5))
  .chain(([shape, extra, pick, eps]) => {
    const axis = pick % shape.length;
    const beside = Array.from({ length: extra }, () => tensorLike([shape[axis]]));
    return fc.tuple(fc.tuple(tensorLike(shape), ...beside), fc.constant({ axes: [axis], eps }));
  });

const spec = (size: number): fc.Arbitrary<unknown> => {
  const end = fc.option(fc.integer({ min: -size - 1, max: size + 1 }));
  const range = fc.record({ kind: fc.constant('range'), start: end, stop: end, step: fc.constantFrom(1, 2, -1, -2) });
  return size === 0
    ? fc.oneof(fc.constant(null), range)
    : fc.oneof(
        fc.constant(null),
        range,
        fc.record({ kind: fc.constant('at'), index: fc.integer({ min: -size, max: size - 1 }) }),
      );
};

/** The same elements under other sizes: neighbours joined, or an axis cut in two. */
const reshaped = (shape: Shape): fc.Arbitrary<Shape> => {
  const count = numElements(shape);
  const cut = [1, 2, 3].filter((n) => count % n === 0);
  return fc.constantFrom([count], [...shape].reverse(), [1, ...shape], ...cut.map((n) => [n, count / n]));
};

const alongAxis = (shape: Shape): fc.Arbitrary<number> => fc.integer({ min: 0, max: shape.length - 1 });

const concat: Draw = anySmallShape().chain((given) => {
  const shape = given.length === 0 ? [2] : given;
  return alongAxis(shape).chain((axis) => {
    const part = fc.nat(3).chain((size) => tensorLike(shape.with(axis, size)));
    return fc.tuple(fc.array(part, { minLength: 1, maxLength: 3 }), fc.constant({ axis }));
  });
});

const take: Draw = anySmallShape({ maxRank: 3 }).chain((given) => {
  const shape = given.length === 0 ? [3] : given;
  return fc
    .tuple(alongAxis(shape), anySmallShape({ maxRank: 2 }), anyLie(fc.constant('plain')), fc.nat(20))
    .chain(([axis, at, lie, far]) => {
      const indices = lying(at, 'int32', lie);
      const size = shape[axis];
      const { array } = indices.buffer;
      // Most draws stay inside; some go one beyond, and must be refused.
      const reach = size + (far === 0 ? 1 : 0);
      for (let i = 0; i < array.length; i++) array[i] = reach === 0 ? 0 : Number(array[i]) % reach;
      return fc.tuple(
        tensorLike(shape).map((x) => [x, indices]),
        fc.constant({ axis }),
      );
    });
});

/** What a slice of a tensor gives, put back. */
const sliceScatter: Draw = anySmallShape().chain((shape) =>
  fc
    .tuple(tensorLike(shape), fc.tuple(...shape.map(spec)))
    .chain(([like, specs]) =>
      tensorLike(slice(like, { specs: specs as readonly SliceSpec[] }).shape).map(
        (x) => [[x, like], { specs }] as readonly [readonly Tensor[], Params],
      ),
    ),
);

const small = fc.integer({ min: 0, max: 4 });
const pair = (shapes: fc.Arbitrary<readonly [Shape, Shape]>): Draw =>
  fc.tuple(
    shapes.chain(([a, b]) => fc.tuple(tensorLike(a), tensorLike(b))),
    none,
  );

const OTHERS: Readonly<Record<string, Draw>> = {
  layerNorm,
  concat,
  take,
  sliceScatter,
  diagEmbed: onShape(
    (shape) =>
    fc.shuffledSubarray([...shape.map((_, axis) => axis), ...(shape.length > 0 ? [0] : [])], { minLength: shape.length + Math.min(1, shape.length) }).map((axes) => ({ axes })), // prettier-ignore
    { maxRank: 2 },
  ),
  iota: anySmallShape({ maxRank: 7 }).chain((rest) =>
    fc.tuple(
      one([2, ...rest]),
      axisOf(rest.length + 1).map((axis) => ({ axis })),
    ),
  ),
  reshapeLike: anySmallShape({ maxRank: 7 }).chain((shape) =>
    reshaped(shape).chain((to) => fc.tuple(fc.tuple(tensorLike(shape), tensorLike(to)), none)),
  ),
  broadcastLike: anySmallShape().chain((shape) =>
    fc.tuple(
      fc.tuple(
        broadcastable(shape).chain((s) => tensorLike(s)),
        tensorLike(shape),
      ),
      none,
    ),
  ),
  sumLike: anySmallShape().chain((shape) =>
    fc.tuple(
      fc.tuple(
        tensorLike(shape),
        broadcastable(shape).chain((s) => tensorLike(s)),
      ),
      none,
    ),
  ),
  withGradient: fc.tuple(fc.array(anySmallShape().chain((shape) => tensorLike(shape)), { minLength: 1, maxLength: 3 }), fc.constant({ rule: 'none' })), // prettier-ignore
  sizeAlong: onShape((shape) => someAxes(shape.length).map((axis) => ({ axis }))),
  softmax: onShape((shape) => someAxes(shape.length).map((axis) => ({ axis }))),
  logSoftmax: onShape((shape) => someAxes(shape.length).map((axis) => ({ axis }))),
  reshape: onShape((shape) => reshaped(shape).map((to) => ({ shape: to }))),
  transpose: onShape((shape) => fc.shuffledSubarray(shape.map((_, k) => k), { minLength: shape.length }).map((perm) => ({ perm }))), // prettier-ignore
  squeeze: onShape((shape) => fc.constant({ axis: shape.flatMap((size, k) => (size === 1 ? [k] : [])) })),
  unsqueeze: onShape((shape) => axisOf(shape.length + 1).map((axis) => ({ axis })), { maxRank: 3 }),
  broadcastTo: fc
    .tuple(anySmallShape(), fc.nat(2))
    .chain(([shape, lead]) =>
      broadcastable(shape).chain((from) =>
        fc.tuple(one(from), fc.constant({ shape: [...new Array<number>(lead).fill(2), ...shape] })),
      ),
    ),
  flip: onShape((shape) => someAxes(shape.length).map((axis) => ({ axis }))),
  slice: onShape((shape) => fc.tuple(...shape.map(spec)).map((specs) => ({ specs }))),
  pad: onShape((shape) =>
    fc.record({
      pads: fc.tuple(...shape.map(() => fc.tuple(fc.nat(2), fc.nat(2)))),
      value: fc.constantFrom(0, -1, 2.5, NaN, -0),
    }),
  ),
  tile: onShape((shape) => fc.array(fc.nat(3), { minLength: Math.max(1, shape.length), maxLength: shape.length + 1 }).map((reps) => ({ reps })), { maxRank: 3 }), // prettier-ignore
  repeat: onShape((shape) => (shape.length === 0 ? fc.constant({ repeats: 2, axis: 0 }) : fc.record({ repeats: fc.nat(3), axis: axisOf(shape.length) }))), // prettier-ignore
  einsum: fc
    .tuple(small, small, small)
    .chain(([i, j, k]) =>
      fc.tuple(
        fc.tuple(tensorLike([i, j]), tensorLike([j, k])),
        fc.constantFrom<Params>({ spec: 'ij,jk->ki' }, { spec: 'ij,jk->ijk' }, { spec: 'ab,bc' }),
      ),
    ),
  matmul: pair(
    fc.tuple(small, small, small, fc.nat(2)).map(([i, j, k, lead]) => [
      [...new Array<number>(lead).fill(2), i, j],
      [j, k],
    ]),
  ),
  dot: pair(small.map((n) => [[n], [n]])),
  outer: pair(fc.tuple(small, small).map(([n, m]) => [[n], [m]])),
  fusedContraction: fc.tuple(small, small, small, fc.boolean()).chain(([i, j, k, isRow]) => fc.tuple(fc.tuple(tensorLike([i, j]), tensorLike([j, k]), tensorLike(isRow ? [k] : [i, 1])), fc.constantFrom<Params>({ steps: [{ op: 'einsum', params: { spec: 'ij,jk->ik' }, args: [0, 1] }, { op: 'sub', params: {}, args: [3, 2] }, { op: 'mul', params: {}, args: [4, 3] }] }, { steps: [{ op: 'matmul', params: {}, args: [0, 1] }, { op: 'cast', params: { dtype: 'int32' }, args: [3] }, { op: 'less', params: {}, args: [4, 2] }] }))), // prettier-ignore
  fusedFold: anySmallShape({ maxRank: 3 }).chain((shape) => fc.tuple(fc.tuple(tensorLike(shape), broadcastable(shape).chain((s) => tensorLike(s))), axisOf(Math.max(1, shape.length)), fc.nat(2))).map(([operands, axis, which]) => [operands, { steps: foldSteps(operands[0].shape.length === 0 ? null : axis)[which] }]), // prettier-ignore
  fused: fc.tuple(anySmallShape().chain((shape) => fc.tuple(tensorLike(shape), broadcastable(shape).chain((s) => tensorLike(s)))), fc.constant({ steps: [{ op: 'sub', params: {}, args: [0, 1] }, { op: 'cast', params: { dtype: 'int32' }, args: [2] }, { op: 'mul', params: {}, args: [3, 2] }] })), // prettier-ignore
};

/** A centred value, a variance that is dropped, exponentials beside a sum of their logarithm. */
const foldSteps = (axis: unknown): readonly (readonly object[])[] => {
  const over = { axis, keepdims: true };
  return [
    [{ op: 'add', params: {}, args: [0, 1] }, { op: 'mean', params: over, args: [2] }, { op: 'sub', params: {}, args: [2, 3] }],
    [{ op: 'mean', params: over, args: [0] }, { op: 'sub', params: {}, args: [0, 2] }, { op: 'sumsq', params: { axis }, args: [3] }, { op: 'add', params: {}, args: [4, 4] }],
    [{ op: 'max', params: over, args: [0] }, { op: 'sub', params: {}, args: [0, 2] }, { op: 'exp', params: {}, args: [3] }, { op: 'sum', params: over, args: [4] }, { op: 'div', params: {}, args: [4, 5] }, { op: 'mul', params: {}, args: [6, 1] }],
  ]; // prettier-ignore
};

/** Calls of this op that are right by their form; some still have no result (the maximum of nothing). */
export function anyCall(op: AnyOp): fc.Arbitrary<Call> {
  const elementwise = op.expr !== undefined || op.exprFor !== undefined;
  const draw =
    OTHERS[op.name] ??
    (elementwise ? broadcasting(op.minInputs, ELEMENTWISE[op.name] ?? none) : op.fold !== undefined ? reduction(op) : undefined);
  if (draw === undefined) throw new Error(`no calls of ${op.name} can be drawn: name it in anyCall`);
  return draw.map(([operands, params]) => ({ op: op.name, operands, params }));
}
