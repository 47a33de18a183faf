/**
 * @file Random graphs of sums of products and views: what may be joined into one einsum, and what must not.
 *
 * A graph is drawn as a list of moves, each of which names an op and picks operands among the values so far by numbers taken modulo
 * their count, so every list is a valid graph. Sizes are 1 to 3, also where axes are declared by name or left open.
 */
import fc from 'fast-check';
import { graph, input, param, type Declaration, type GraphSymbol } from '../../src/graph/builder.js';
import type { Graph } from '../../src/graph/graph.js';
import { broadcastTo, dot, einsum, matmul, mul, outer, relu, squeeze, sum, transpose, unsqueeze } from '../../src/index.js';
import { arrayOf, type ComputedDType } from '../../src/tensor/dtype.js';
import { numElements, type Shape } from '../../src/tensor/shape.js';
import { tensorOver, type Tensor } from '../../src/tensor/tensor.js';

export interface ProductChain {
  readonly graph: Graph;
  readonly feeds: Readonly<Record<string, Tensor>>;
}

interface Move {
  readonly op: number;
  readonly picks: readonly [number, number];
  readonly bits: number;
}

interface Source {
  readonly shape: Shape;
  readonly kind: 'input' | 'named' | 'open' | 'param';
  readonly seed: number;
}

const LETTERS = [...'ijkl'];
const at = <T>(list: readonly T[], index: number): T => list[index % list.length];

/** Letters for the axes of some operands, such that sizes fit; a letter may come twice in one operand. */
function subscripts(shapes: readonly Shape[], bits: number): readonly string[] {
  const sizes = new Map<string, number>();
  let state = bits;
  return shapes.map((shape) => {
    const own = new Map<string, number>();
    return shape
      .map((size) => {
        state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
        const fits = LETTERS.filter((letter) => {
          const [mine, all] = [own.get(letter), sizes.get(letter)];
          return (mine === undefined || mine === size) && (all === undefined || all === size || all === 1 || size === 1);
        });
        // A letter that nobody has yet always fits: of four axes of sizes 1 to 3 some letter is free or equal.
        const letter = fits.length === 0 ? '' : at(fits, state >>> 20);
        own.set(letter, size);
        sizes.set(letter, Math.max(size, sizes.get(letter) ?? 1));
        return letter;
      })
      .join('');
  });
}

function anEinsum(operands: readonly GraphSymbol[], shapes: readonly Shape[], bits: number): GraphSymbol | undefined {
  const terms = subscripts(shapes, bits);
  if (terms.some((term, k) => term.length !== shapes[k].length)) return undefined;
  const letters = [...new Set(terms.join(''))];
  const kept = letters.filter((_, k) => (bits >> k) % 2 === 0);
  const output = bits % 3 === 0 ? kept.reverse() : kept;
  return einsum(`${terms.join()}->${output.join('')}`, ...operands);
}

const broadcasts = (a: Shape, b: Shape): boolean =>
  a.every((size, k) => {
    const other = b[b.length - a.length + k];
    return other === undefined || size === other || size === 1 || other === 1;
  });

interface Value {
  readonly symbol: GraphSymbol;
  /** As it will be fed; the symbol may know less. */
  readonly shape: Shape;
}

/** The next value, or undefined where the move fits nothing. */
function apply({ op, picks, bits }: Move, values: readonly Value[]): GraphSymbol | undefined {
  const { symbol: x, shape } = at(values, picks[0]);
  const { symbol: y, shape: other } = at(values, picks[1]);
  const axis = shape.length === 0 ? undefined : bits % shape.length;
  switch (op % 14) {
    case 0:
    case 1:
    case 2:
      return anEinsum([x, y], [shape, other], bits);
    case 3:
    case 4:
      return anEinsum([x], [shape], bits);
    case 5:
      return transpose(x, { perm: shape.map((_, k) => (k + bits) % shape.length) });
    case 6:
      return unsqueeze(x, { axis: bits % (shape.length + 1) });
    case 7:
      return shape.some((size) => size === 1) && axis !== undefined && shape[axis] === 1 ? squeeze(x, { axis }) : undefined;
    case 8:
      return broadcastTo(x, {
        shape: [...(bits % 2 === 0 ? [2] : []), ...shape.map((size) => (size === 1 ? [null, 2, 3][bits % 3] : size))],
      });
    case 9:
    case 10:
      return axis === undefined ? sum(x) : sum(x, { axis: bits % 5 === 0 ? null : axis, keepdims: bits % 2 === 0 });
    case 11:
      return broadcasts(shape, other) ? mul(x, y) : undefined;
    case 12:
      if (shape.length === 1 && other.length === 1 && bits % 2 === 0) return outer(x, y);
      if (shape.length === 0 || other.length === 0 || shape.at(-1) !== other.at(other.length < 2 ? -1 : -2)) return undefined;
      if (bits % 3 === 0) return dot(x, y);
      return broadcasts(shape.slice(0, -2), other.slice(0, -2)) ? matmul(x, y) : undefined;
    default:
      return relu(x);
  }
}

/** Small whole numbers, so that sums of products are exact in float64, unless `fractions` are wanted. */
function elements(seed: number, shape: Shape, dtype: ComputedDType, fractions: number): Tensor {
  const data = new (arrayOf(dtype))(numElements(shape)) as Float64Array;
  let state = seed >>> 0;
  for (let i = 0; i < data.length; i++) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    const whole = ((state >>> 16) % 5) - 2;
    data[i] =
      dtype === 'bool'
        ? whole & 1
        : dtype === 'int32'
          ? (whole << 24) + (state >>> 20)
          : whole + fractions * ((state >>> 8) / 2 ** 24);
  }
  return tensorOver(data, dtype, shape);
}

/** The declared dims: sizes, names that equal sizes share, or nothing. */
const declaredDims = ({ shape, kind }: Source): readonly (number | string | null)[] =>
  shape.map((size) => (kind === 'named' ? `n${size}` : kind === 'open' ? null : size));

/** The moves that fit, each with the shape that it gives: found on a graph whose sizes are all declared. */
function fitting(sources: readonly Source[], moves: readonly Move[], dtype: ComputedDType): readonly (readonly [Move, Shape])[] {
  const fit: (readonly [Move, Shape])[] = [];
  graph(Object.fromEntries(sources.map(({ shape }, k) => [`x${k}`, input(shape, { dtype })])), (symbols) => {
    const values = Object.values(symbols).map((symbol): Value => ({ symbol, shape: symbol.dims as Shape }));
    for (const move of moves) {
      const symbol = apply(move, values);
      const shape = symbol?.dims as Shape | undefined;
      if (symbol === undefined || shape!.length > 4 || numElements(shape!) > 200) continue;
      values.push({ symbol, shape: shape! });
      fit.push([move, shape!]);
    }
    return { y: values[0].symbol };
  });
  return fit;
}

interface Drawn {
  readonly sources: readonly Source[];
  readonly moves: readonly Move[];
  /** Outputs beside the last value. */
  readonly wanted: number;
}

function build({ sources, moves, wanted }: Drawn, dtype: ComputedDType, fractions: number): ProductChain {
  const declared: Record<string, Declaration> = {};
  const feeds: Record<string, Tensor> = {};
  sources.forEach((source, k) => {
    const value = elements(source.seed, source.shape, dtype, fractions);
    declared[`x${k}`] = source.kind === 'param' ? param(value) : input(declaredDims(source), { dtype });
    if (source.kind !== 'param') feeds[`x${k}`] = value;
  });
  const made = graph(declared, (symbols) => {
    const values = Object.values(symbols).map((symbol, k): Value => ({ symbol, shape: sources[k].shape }));
    for (const [move, shape] of fitting(sources, moves, dtype)) values.push({ symbol: apply(move, values)!, shape });
    const outputs: Record<string, GraphSymbol> = { y0: values[values.length - 1].symbol };
    for (let k = 1; k <= wanted; k++) outputs[`y${k}`] = values[(k * 7) % values.length].symbol;
    return outputs;
  });
  return { graph: made, feeds };
}

export interface ChainOptions {
  readonly maxMoves?: number;
  /** How far elements are from whole numbers; 0 by default, and then their sums are exact in float64. */
  readonly fractions?: number;
  /** How sources may be declared; in all ways by default. */
  readonly kinds?: readonly Source['kind'][];
}

const ALL_KINDS = ['input', 'named', 'open', 'param'] as const;

/** Graphs of up to 12 sums of products and views, in `dtype`. */
export const anyProductChain = (
  dtype: ComputedDType,
  { maxMoves = 12, fractions = 0, kinds = ALL_KINDS }: ChainOptions = {},
): fc.Arbitrary<ProductChain> => {
  const source = fc.record<Source>({
    shape: fc.array(fc.integer({ min: 1, max: 3 }), { maxLength: 3 }),
    kind: fc.constantFrom(...kinds),
    seed: fc.nat(),
  });
  const move = fc.record<Move>({ op: fc.nat(99), picks: fc.tuple(fc.nat(99), fc.nat(99)), bits: fc.nat(9999) });
  return fc
    .record<Drawn>({
      sources: fc.array(source, { minLength: 1, maxLength: 4 }),
      moves: fc.array(move, { minLength: 2, maxLength: maxMoves }),
      wanted: fc.nat(2),
    })
    .map((drawn) => build(drawn, dtype, fractions));
};
