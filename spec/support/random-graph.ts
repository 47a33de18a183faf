/**
 * @file Random valid graphs with feeds, for laws: composed in any order, serialised, optimised, differentiated …
 *
 * A graph is drawn as a list of moves. A move names an op and picks operands among the values so far, by numbers taken
 * modulo their count, so every list is a valid graph and shrinking drops moves. Sizes are 1 to 4, ranks 0 to 3;
 * elements are quarters in [−2, 2] unless others are asked for, so that sums are exact; NaN and −0 turn up by themselves
 * (0/0, log of negatives).
 */
import fc from 'fast-check';
import { graph, input, param, type Declaration, type GraphSymbol } from '../../src/graph/builder.js';
import type { Graph } from '../../src/graph/graph.js';
import '../../src/ops/index.js';
import { findOp, ops } from '../../src/ops/registry.js';
import type { Shape } from '../../src/tensor/shape.js';
import { numElements } from '../../src/tensor/shape.js';
import { tensorOver, type Tensor } from '../../src/tensor/tensor.js';
import { arrayOf, type ComputedDType } from '../../src/tensor/dtype.js';

export interface RandomGraph {
  readonly graph: Graph;
  /** A tensor for each input; params keep their values. */
  readonly feeds: Readonly<Record<string, Tensor>>;
}

interface Move {
  readonly op: number;
  readonly picks: readonly [number, number, number];
  readonly axis: number;
}

interface Source {
  readonly shape: Shape;
  readonly dtype: ComputedDType;
  readonly param: boolean;
  readonly seed: number;
}

const UNARY = [
  'neg',
  'abs',
  'sign',
  'square',
  'relu',
  'sigmoid',
  'tanh',
  'exp',
  'floor',
  'round',
  'sqrt',
  'log',
  'oneMinus',
  'isnan',
  'logicalNot',
  'identity',
];
const BINARY = [
  'add',
  'sub',
  'mul',
  'div',
  'maximum',
  'minimum',
  'less',
  'greaterEqual',
  'equal',
  'notEqual',
  'logicalAnd',
  'xor',
];
const REDUCTIONS = ['sum', 'mean', 'max', 'min', 'prod', 'count', 'any', 'all', 'argmax', 'logsumexp'];
const OTHERS = [
  'softmax',
  'logSoftmax',
  'transpose',
  'reshape',
  'unsqueeze',
  'where',
  'clip',
  'einsum',
  'concat',
  'scale',
  'keepdims',
];
/** The ops that graphs are made of, by what a move calls them. */
export const MOVES: readonly string[] = [...UNARY, ...BINARY, ...REDUCTIONS, ...OTHERS];

/** The element of a tensor that a number stands for. */
export type ElementRule = (drawn: number, dtype: ComputedDType) => number;

export interface GraphChoice {
  readonly maxMoves?: number;
  readonly moves?: readonly string[];
  readonly dtypes?: readonly ComputedDType[];
  readonly element?: ElementRule;
}

const dimsOf = (symbol: GraphSymbol): Shape => symbol.dims as Shape;
const call = (name: string, ...args: readonly unknown[]): GraphSymbol => {
  if (findOp(name) === undefined) throw new Error(`random graphs use ${name}, which is not registered`);
  return ops[name](...args) as GraphSymbol;
};

const broadcasts = (a: Shape, b: Shape): boolean => {
  for (let k = 1; k <= Math.min(a.length, b.length); k++) {
    const [x, y] = [a[a.length - k], b[b.length - k]];
    if (x !== y && x !== 1 && y !== 1) return false;
  }
  return true;
};

/** The first value from `from` on, in a circle, that broadcasts with all of `others`. */
function partner(values: readonly GraphSymbol[], from: number, others: readonly GraphSymbol[]): GraphSymbol {
  for (let k = 0; k < values.length; k++) {
    const value = values[(from + k) % values.length];
    if (others.every((other) => broadcasts(dimsOf(value), dimsOf(other)))) return value;
  }
  return others[0];
}

function apply({ op, picks, axis }: Move, values: readonly GraphSymbol[], all: readonly string[]): GraphSymbol {
  const name = all[op % all.length];
  const x = values[picks[0] % values.length];
  const shape = dimsOf(x);
  const y = partner(values, picks[1], [x]);
  const one = shape.length === 0 ? null : axis % shape.length;
  if (UNARY.includes(name)) return call(name, x);
  if (BINARY.includes(name)) return call(name, x, y);
  if (REDUCTIONS.includes(name)) return call(name, x, { axis: axis % 2 === 0 ? null : one });
  switch (name) {
    case 'softmax':
    case 'logSoftmax':
      return call(name, x, { axis: one });
    case 'transpose':
      return call(name, x, { perm: shape.map((_, k) => (k + axis) % shape.length) });
    case 'reshape':
      return call(name, x, { shape: axis % 2 === 0 ? [numElements(shape)] : [...shape].reverse() });
    case 'unsqueeze':
      return shape.length > 3 ? call('identity', x) : call(name, x, { axis: axis % (shape.length + 1) });
    case 'where':
      return call(name, x, y, partner(values, picks[2], [x, y]));
    case 'clip':
      return call(name, x, { min: -1, max: axis % 2 === 0 ? 1 : Infinity });
    case 'einsum':
      return einsumOf(x, y, axis);
    case 'concat':
      return one === null ? call('unsqueeze', x, { axis: 0 }) : call(name, [x, x], { axis: one });
    case 'scale':
      return call('mul', x, [0.5, -0, 2, -1][axis % 4]);
    default:
      return call('sum', x, { axis: one, keepdims: true });
  }
}

/** A product with an implicit diagonal, a transposition or a sum; letters are given by axis from the right. */
function einsumOf(x: GraphSymbol, y: GraphSymbol, axis: number): GraphSymbol {
  const letters = (symbol: GraphSymbol): string => 'edcba'.slice(0, dimsOf(symbol).length).split('').reverse().join('');
  const all = [...new Set(letters(x) + letters(y))].sort();
  const kept = all.filter((_, k) => (axis >> k) % 2 === 0).reverse();
  return ops['einsum'](`${letters(x)},${letters(y)}->${kept.join('')}`, x, y) as GraphSymbol;
}

const quarters: ElementRule = (drawn, dtype) => {
  const quarter = (drawn % 17) - 8;
  return dtype === 'bool' ? quarter & 1 : dtype === 'int32' ? quarter : quarter / 4;
};

/** Elements by a small generator, so that one number stands for a whole tensor. */
export function elements(seed: number, shape: Shape, dtype: ComputedDType, element: ElementRule): Tensor {
  const data = new (arrayOf(dtype))(numElements(shape)) as Float64Array;
  let state = seed >>> 0;
  for (let i = 0; i < data.length; i++) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    data[i] = element(state >>> 16, dtype);
  }
  return tensorOver(data, dtype, shape);
}

function build(
  sources: readonly Source[],
  moves: readonly Move[],
  wanted: number,
  all: readonly string[],
  element: ElementRule,
): RandomGraph {
  const declared: Record<string, Declaration> = {};
  const feeds: Record<string, Tensor> = {};
  sources.forEach(({ shape, dtype, param: isParam, seed }, k) => {
    const value = elements(seed, shape, dtype, element);
    const name = `${isParam ? 'w' : 'x'}${k}`;
    declared[name] = isParam ? param(value) : input(shape, { dtype });
    if (!isParam) feeds[name] = value;
  });
  const made = graph(declared, (symbols) => {
    const values: GraphSymbol[] = Object.values(symbols);
    for (const move of moves) {
      const value = apply(move, values, all);
      // Reshape and stack may grow ranks; values that got too large are left out, so that graphs stay small.
      if (dimsOf(value).length <= 4 && numElements(dimsOf(value)) <= 256) values.push(value);
    }
    const outputs: Record<string, GraphSymbol> = { y0: values[values.length - 1] };
    for (let k = 1; k <= wanted; k++) outputs[`y${k}`] = values[(k * 7) % values.length]!;
    return outputs;
  });
  return { graph: made, feeds };
}

const DTYPES: readonly ComputedDType[] = ['float32', 'float32', 'float64', 'int32', 'bool'];

const source = (dtypes: readonly ComputedDType[]): fc.Arbitrary<Source> =>
  fc.record({
    shape: fc.array(fc.integer({ min: 1, max: 4 }), { maxLength: 3 }),
    dtype: fc.constantFrom(...dtypes),
    param: fc.boolean(),
    seed: fc.nat(),
  });

const move: fc.Arbitrary<Move> = fc.record({
  op: fc.nat({ max: 999 }),
  picks: fc.tuple(fc.nat({ max: 99 }), fc.nat({ max: 99 }), fc.nat({ max: 99 })),
  axis: fc.nat({ max: 31 }),
});

/**
 * Random valid graphs of up to `maxMoves` computing nodes over many ops, with feeds for their inputs. Dims are numbers.
 */
export const randomGraph = ({
  maxMoves = 12,
  moves = MOVES,
  dtypes = DTYPES,
  element = quarters,
}: GraphChoice = {}): fc.Arbitrary<RandomGraph> =>
  fc
    .tuple(
      fc.array(source(dtypes), { minLength: 1, maxLength: 4 }),
      fc.array(move, { minLength: 1, maxLength: maxMoves }),
      fc.nat({ max: 3 }),
    )
    .map(([sources, drawn, wanted]) => build(sources, drawn, wanted, moves, element));
