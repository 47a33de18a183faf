/**
 * @file Random graphs full of transposes: in any order of up to five axes, read several times, broadcast, folded, contracted, kept.
 *
 * Sizes are few, so that values meet. Some moves read two values through one order, and some turn what they made back again.
 */
import fc from 'fast-check';
import { constant, graph, input, named, ops, type GraphSymbol } from '../../src/index.js';
import { broadcastDims, type Dims } from '../../src/ops/dims.js';
import type { ComputedDType } from '../../src/tensor/dtype.js';
import { numElements, type Shape } from '../../src/tensor/shape.js';
import type { Tensor } from '../../src/tensor/tensor.js';
import { elements, type ElementRule, type RandomGraph } from './random-graph.js';

interface Move {
  readonly kind: number;
  readonly picks: readonly [number, number, number];
  readonly order: number;
  readonly axis: number;
}

export interface TransposedGraph extends RandomGraph {
  /** Names of values that somebody keeps. */
  readonly keep: readonly string[];
}

type Value = GraphSymbol;
const shapeOf = (value: Value): Shape => value.dims as Shape;
const call = (name: string, ...args: readonly unknown[]): Value => ops[name](...args) as Value;

/** One of all orders of as many axes. */
export function orderBy(number: number, rank: number): readonly number[] {
  const left = Array.from({ length: rank }, (_, axis) => axis);
  let rest = number;
  return Array.from({ length: rank }, (_, at) => {
    const [axis] = left.splice(rest % left.length, 1);
    rest = Math.floor(rest / (rank - at));
    return axis;
  });
}

const turn = (value: Value, order: number): Value => call('transpose', value, { perm: orderBy(order, shapeOf(value).length) });

const fits = (a: Dims, b: Dims): boolean => {
  try {
    return numElements(broadcastDims([a, b]) as Shape) <= 128;
  } catch {
    return false;
  }
};

const UNARY = ['relu', 'neg', 'exp', 'tanh', 'isnan', 'square'];
const BINARY = ['add', 'mul', 'sub', 'maximum', 'less', 'div'];
const FOLDS = ['sum', 'max', 'argmax', 'mean', 'count', 'prod', 'logsumexp', 'var', 'any', 'min', 'argmin', 'sumsq'];
const ALONG = ['softmax', 'logSoftmax', 'softmax', 'layerNorm'];
const pick = <T>(from: readonly T[], number: number): T => from[number % from.length];

/** What a move makes of the values so far. */
const KINDS: readonly ((values: readonly Value[], move: Move) => Value)[] = [
  (values, { picks, order }) => turn(pick(values, picks[0]), order),
  (values, { picks, order }) => turn(pick(values, picks[0]), order),
  (values, { picks, axis }) => call(pick(UNARY, axis), pick(values, picks[0])),
  (values, { picks, order, axis }) => call(pick(UNARY, axis), turn(pick(values, picks[0]), order)),
  beside,
  beside,
  (values, move) => {
    const x = pick(values, move.picks[0]);
    const y = from(values, move.picks[1], ({ length }) => length === shapeOf(x).length, shapeOf(x)) ?? x;
    return call(pick(BINARY, move.axis), turn(x, move.order), turn(y, move.order));
  },
  (values, move) => {
    const made = beside(values, move);
    return turn(made, move.order);
  },
  (values, { picks, axis }) => call('mul', pick(values, picks[0]), [2, -1, 0.5][axis % 3]),
  (values, { picks, order, axis }) => {
    const x = pick(values, picks[0]);
    const rank = shapeOf(x).length;
    const one = rank === 0 ? null : axis % rank;
    const some = orderBy(order, rank).slice(0, axis % (rank + 1));
    return call(pick(FOLDS, picks[1]), x, { axis: picks[2] % 3 === 0 ? some : one, keepdims: picks[2] % 2 === 0 });
  },
  (values, { picks, axis }) => {
    const x = pick(values, picks[0]);
    const name = pick(ALONG, picks[1]);
    const rank = shapeOf(x).length;
    if (rank === 0) return x;
    return call(name, x, name === 'layerNorm' ? { axes: axis % rank } : { axis: axis % rank });
  },
  (values, { picks, order }) => {
    const x = pick(values, picks[0]);
    const y = from(values, picks[1], () => true, shapeOf(x)) ?? x;
    const letters = (value: Value): string => 'fedcba'.slice(0, shapeOf(value).length).split('').reverse().join(''); // prettier-ignore
    const all = [...new Set(letters(x) + letters(y))].sort();
    const kept = orderBy(order, all.length).map((at) => all[at]).slice(0, picks[2] % (all.length + 1)); // prettier-ignore
    return ops['einsum'](`${letters(x)},${letters(y)}->${kept.join('')}`, x, y) as Value;
  },
  (values, move) => {
    const x = pick(values, move.picks[0]);
    return call('where', beside(values, move), turn(turn(x, move.order), move.axis), x);
  },
  (values, { picks, order }) => {
    const x = pick(values, picks[0]);
    return call('reshape', x, { shape: orderBy(order, shapeOf(x).length).map((axis) => shapeOf(x)[axis]) });
  },
];

/** The first value from one on, in a circle, that passes and broadcasts. */
const from = (values: readonly Value[], at: number, test: (shape: Shape) => boolean, others: Shape): Value | undefined =>
  values.map((_, k) => pick(values, at + k)).find((value) => test(shapeOf(value)) && fits(shapeOf(value), others));

function beside(values: readonly Value[], { picks, axis, order }: Move): Value {
  const x = order % 3 === 0 ? turn(pick(values, picks[0]), order) : pick(values, picks[0]);
  return call(pick(BINARY, axis), x, from(values, picks[1], () => true, shapeOf(x)) ?? x);
}

const tryOp = (make: () => Value): Value | undefined => {
  try {
    return make();
  } catch {
    return undefined; // shapes that do not fit, or an extreme of nothing
  }
};

const DTYPES: readonly ComputedDType[] = ['float32', 'float32', 'float64', 'int32', 'bool'];

/** Random graphs of transposes and what may read them, with feeds, and names of values to keep. The output `last` is the latest value. */
export const transposedGraph = (element: ElementRule, most = 14, dtypes = DTYPES): fc.Arbitrary<TransposedGraph> =>
  fc
    .record({
      sources: fc.array(
        fc.record({
          shape: fc.array(fc.constantFrom(2, 3, 3, 1), { maxLength: 5 }),
          dtype: fc.constantFrom(...dtypes),
          seed: fc.nat(),
          isConstant: fc.nat(5),
        }),
        { minLength: 1, maxLength: 4 },
      ),
      moves: fc.array(
        fc.record({
          kind: fc.nat(KINDS.length - 1),
          picks: fc.tuple(fc.nat(99), fc.nat(99), fc.nat(99)),
          order: fc.nat(119),
          axis: fc.nat(29),
        }),
        { minLength: 1, maxLength: most },
      ),
      wanted: fc.array(fc.nat(99), { minLength: 1, maxLength: 3 }),
      kept: fc.array(fc.nat(99), { maxLength: 2 }),
    })
    .map(({ sources, moves, wanted, kept }) => {
      const feeds: Record<string, Tensor> = {};
      const declared = sources.map(({ shape, dtype, seed, isConstant }, k) => {
        const value = elements(seed, numElements(shape) > 128 ? shape.slice(0, 3) : shape, dtype, element);
        if (isConstant === 0) return [`x${k}`, constant(value)] as const;
        feeds[`x${k}`] = value;
        return [`x${k}`, input(value.shape, { dtype })] as const;
      });
      let count = 0;
      const made = graph(Object.fromEntries(declared), (symbols) => {
        const values: Value[] = Object.values<Value>(symbols);
        for (const move of moves) {
          const next = tryOp(() => pick(KINDS, move.kind)(values, move));
          if (next === undefined || values.includes(next) || shapeOf(next).length > 5 || numElements(shapeOf(next)) > 128)
            continue;
          values.push(named(`v${count++}`, next));
        }
        const outputs = Object.fromEntries(wanted.map((at, k) => [`y${k}`, pick(values, at)]));
        return { ...outputs, last: values.at(-1)! };
      });
      return { graph: made, feeds, keep: count === 0 ? [] : [...new Set(kept.map((at) => `v${at % count}`))] };
    });
