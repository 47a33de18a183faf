/**
 * @file Graphs before and after each rule of simplification, and what looks like a rule and is none.
 *
 * A case is an expression of inputs x and y (float32 [2]), i and j (int32 [2]), b (bool [2]), d (float64 [2]), m (float32 [2, 3]).
 */
import type { GraphSymbol } from '../../src/graph/builder.js';
import { graph, input } from '../../src/graph/builder.js';
import type { Graph } from '../../src/graph/graph.js';
import * as e from '../../src/index.js';
import { ops } from '../../src/ops/registry.js';
import { tensor } from '../../src/tensor/index.js';

export type Symbols = Readonly<Record<'x' | 'y' | 'i' | 'j' | 'b' | 'd' | 'm' | 'n', GraphSymbol>>;
type Build = (symbols: Symbols) => GraphSymbol;

const int = (value: number) => tensor(value, { dtype: 'int32' });
const yes = tensor([true, true]);

/** The graph of a case: its output is `out`. */
export const caseGraph = (build: Build): Graph =>
  graph(
    {
      x: input([2]),
      y: input([2]),
      i: input([2], { dtype: 'int32' }),
      j: input([2], { dtype: 'int32' }),
      b: input([2], { dtype: 'bool' }),
      d: input([2], { dtype: 'float64' }),
      m: input([2, 3]),
      n: input([null]),
    },
    (symbols) => ({ out: build(symbols) }),
  );

export interface RuleCase {
  readonly rule: string;
  readonly build: Build;
  /** How the output prints: `x`, or `neg(x)`. */
  readonly after: string;
}

const c = (rule: string, build: Build, after: string): RuleCase => ({ rule, build, after });

export const EXACT_CASES: readonly RuleCase[] = [
  c('x · 1 = x', ({ x }) => e.mul(1, x), 'x'),
  c('x · 1 = x', ({ n }) => e.mul(n, 1), 'n'),
  c('x · 1 = x', ({ m }) => e.mul(m, tensor([1, 1, 1])), 'm'),
  c('x / 1 = x', ({ x }) => e.div(x, 1), 'x'),
  c('x + (−0) = x', ({ x }) => e.add(x, -0), 'x'),
  c('x − 0 = x', ({ x }) => e.sub(x, 0), 'x'),
  c('x + 0 = x, of integers', ({ i }) => e.add(int(0), i), 'i'),
  c('x − 0 = x', ({ i }) => e.sub(i, int(0)), 'i'),
  c('x · 0 = 0, of integers', ({ i }) => e.mul(i, int(0)), 'zerosLike(i)'),
  c('x − x = 0, of integers', ({ i }) => e.sub(i, i), 'zerosLike(i)'),
  c('x¹ = x', ({ x }) => e.pow(x, 1), 'x'),
  c('x · (−1) = −x', ({ x }) => e.mul(-1, x), 'neg(x)'),
  c('x · (−1) = −x', ({ x }) => e.div(x, -1), 'neg(x)'),
  c('−(−x) = x', ({ x }) => e.neg(e.neg(x)), 'x'),
  c('−(−x) = x', ({ i }) => e.neg(e.neg(e.neg(i))), 'neg(i)'),
  c('x − (−y) = x + y', ({ x, y }) => e.sub(x, e.neg(y)), 'add(x, y)'),
  c('x − (−y) = x + y', ({ x, y }) => e.add(e.neg(x), y), 'sub(y, x)'),
  c('x − (−y) = x + y', ({ i, j }) => e.sub(i, e.neg(j)), 'add(i, j)'),
  c('(−x) · (−y) = x · y', ({ x, y }) => e.mul(e.neg(x), e.neg(y)), 'mul(x, y)'),
  c('(−x) · (−y) = x · y', ({ i, j }) => e.mul(e.neg(i), e.neg(j)), 'mul(i, j)'),
  c('(−x) · c = x · (−c)', ({ x }) => e.mul(e.neg(x), 0.5), 'mul(x, constant_11)'),
  c('(−x) · c = x · (−c)', ({ d }) => e.div(e.neg(d), -3), 'div(d, constant_11)'),
  c('(−x) · c = x · (−c)', ({ d }) => e.mul(-3, e.neg(d)), 'mul(constant_11, d)'),
  c('|−x| = |x|', ({ x }) => e.abs(e.neg(x)), 'abs(x)'),
  c('|−x| = |x|', ({ x }) => e.square(e.abs(x)), 'square(x)'),
  c('once is enough', ({ x }) => e.relu(e.relu(x)), 'relu(x)'),
  c('once is enough', ({ x }) => e.floor(e.ceil(x)), 'ceil(x)'),
  c('what is positive already', ({ x }) => e.relu(e.abs(x)), 'abs(x)'),
  c('what is positive already', ({ x }) => e.abs(e.exp(x)), 'exp(x)'),
  c('not not x = x', ({ b }) => e.logicalNot(e.logicalNot(b)), 'b'),
  c('not (x = y) is x ≠ y', ({ x, y }) => e.logicalNot(e.equal(x, y)), 'notEqual(x, y) {"tolerance":0}'),
  c('x and true = x', ({ b }) => e.logicalAnd(b, tensor(true)), 'b'),
  c('x and true = x', ({ b }) => e.logicalXor(tensor(false), b), 'b'),
  c('x and x = x', ({ x }) => e.maximum(x, x), 'x'),
  c('identity x = x', ({ x }) => ops['identity'](x) as GraphSymbol, 'x'),
  c('x as it is', ({ d }) => e.cast(d, { dtype: 'float64' }), 'd'),
  c('a cast through what holds more', ({ x }) => e.cast(e.cast(x, { dtype: 'float64' }), { dtype: 'int32' }), 'cast(x) {"dtype":"int32"}'), // prettier-ignore
  c('a choice that is made', ({ x, y }) => e.where(yes, x, y), 'x'),
  c('a choice that is made', ({ b, y }) => e.where(b, y, y), 'y'),
  c('axes in the order that they have', ({ m }) => e.transpose(m, { perm: [0, -1] }), 'm'),
  c('a transpose of a transpose', ({ m }) => e.transpose(e.transpose(m)), 'm'),
  c('a shape that is there already', ({ m }) => e.broadcastTo(m, { shape: [2, -1] }), 'm'),
  c('a shape there and back', ({ m }) => e.reshape(e.reshape(m, { shape: [6] }), { shape: [2, 3] }), 'm'),
  c('a shape of a shape', ({ m }) => e.reshape(e.unsqueeze(m, { axis: 0 }), { shape: [-1] }), 'reshape(m) {"shape":[-1]}'),
  c('a broadcast of a broadcast', ({ x }) => e.broadcastTo(e.broadcastTo(x, { shape: [3, 2] }), { shape: [4, 3, 2] }), 'broadcastTo(x) {"shape":[4,3,2]}'), // prettier-ignore
  c('an extreme or a product over no axes', ({ x }) => e.max(x, { axis: [] }), 'x'),
  c('a sum over no axes, of integers', ({ i }) => e.sum(i, { axis: [] }), 'i'),
];

export const FAST_CASES: readonly RuleCase[] = [
  c('x + 0 = x', ({ x }) => e.add(x, 0), 'x'),
  c('x − (−0) = x', ({ x }) => e.sub(x, -0), 'x'),
  c('x · 0 = 0', ({ x }) => e.mul(x, 0), 'zerosLike(x)'),
  c('x − x = 0', ({ x }) => e.sub(x, x), 'zerosLike(x)'),
  c('x / x = 1', ({ x }) => e.div(x, x), 'onesLike(x)'),
  c('what undoes the other', ({ x }) => e.exp(e.log(x)), 'x'),
  c('what undoes the other', ({ x }) => e.oneMinus(e.oneMinus(x)), 'x'),
  c('√(x²) = |x|', ({ x }) => e.sqrt(e.square(x)), 'abs(x)'),
  c('−(x − y) = y − x', ({ x, y }) => e.neg(e.sub(x, y)), 'sub(y, x)'),
  c('a power that has a name', ({ x }) => e.pow(x, 2), 'square(x)'),
  c('x / c = x · (1/c)', ({ x }) => e.div(x, 3), 'mul(x, constant_10)'),
  c('(x · a) · b = x · ab', ({ x }) => e.mul(e.mul(x, 3), 5), 'mul(x, constant_12)'),
  c('a sum or mean over no axes', ({ x }) => e.mean(x, { axis: [] }), 'x'),
];

/** What stays as it is, though a rule of algebra looks like it (J12). */
export const TRAPS: readonly { readonly why: string; readonly build: Build }[] = [
  ...FAST_CASES.map(({ rule, build }) => ({ why: `${rule}, but not of all floats`, build })),
  { why: '0 · ∞ is NaN', build: ({ x }) => e.mul(0, x) },
  { why: 'x + 0 makes 0 of −0', build: ({ d }) => e.add(d, 0) },
  { why: 'x − (−0) makes 0 of −0', build: ({ d }) => e.sub(d, -0) },
  { why: 'int32 by 1.0 is float32', build: ({ i }) => e.mul(i, tensor(1)) },
  { why: 'int32 by 1 is float32 where it is divided', build: ({ i }) => e.div(i, int(1)) },
  { why: 'bool by 1 is int32', build: ({ b }) => e.mul(b, int(1)) },
  { why: 'the constant is larger', build: ({ x }) => e.mul(x, tensor([[1, 1], [1, 1]])) }, // prettier-ignore
  { why: 'the constant may be larger', build: ({ n }) => e.mul(n, tensor([1, 1])) },
  { why: 'not (x < y) is true of NaN', build: ({ x, y }) => e.logicalNot(e.less(x, y)) },
  { why: 'not not of a number is a bool', build: ({ x }) => e.logicalNot(e.logicalNot(x)) },
  { why: '−bool is int32', build: ({ b }) => e.neg(e.neg(b)) },
  { why: 'relu(−x) is not relu x', build: ({ x }) => e.relu(e.neg(x)) },
  { why: '−x of int32 wraps where it is divided', build: ({ i, j }) => e.div(e.neg(i), e.neg(j)) },
  { why: '−0 of int32 is 0, added to a float', build: ({ x, i }) => e.add(e.neg(i), x) },
  { why: '−0 of int32 is 0, taken from a float', build: ({ x, i }) => e.sub(x, e.neg(i)) },
  { why: '−false is 0, added to a float', build: ({ x, b }) => e.add(x, e.neg(b)) },
  { why: '−(−2³¹) is −2³¹, by a float', build: ({ x, i }) => e.mul(e.neg(i), e.neg(x)) },
  { why: '−(−2³¹) is −2³¹, by a number', build: ({ i }) => e.mul(e.neg(i), tensor(0.5)) },
  { why: 'a − b is not b − a', build: ({ x, y }) => e.neg(e.sub(x, y)) },
  { why: '(x + a) + b rounds twice', build: ({ x }) => e.add(e.add(x, 0.1), 0.2) },
  { why: '(x + y) + z may overflow early, x + (y + z) not', build: ({ x, y }) => e.sub(e.add(x, y), y) },
  { why: '(x · y) / y overflows', build: ({ x, y }) => e.div(e.mul(x, y), y) },
  { why: 'int32 through float32 loses digits', build: ({ i }) => e.cast(e.cast(i, { dtype: 'float32' }), { dtype: 'int32' }) },
  { why: 'float32 through int32 is truncated', build: ({ x }) => e.cast(e.cast(x, { dtype: 'int32' }), { dtype: 'float32' }) },
  { why: 'a sum starts from 0: that of −0 alone is 0', build: ({ x }) => e.sum(x, { axis: [] }) },
  { why: 'the choice is one for each element', build: ({ x, y }) => e.where(tensor([true, false]), x, y) },
  { why: 'the chosen one is smaller than both', build: ({ x, m }) => e.where(tensor(true), e.sum(x), m) },
  { why: 'a size that is not known may not fit', build: ({ n }) => e.reshape(e.reshape(n, { shape: [2, -1] }), { shape: [-1] }) },
  { why: '|−2³¹| is −2³¹', build: ({ i }) => e.relu(e.abs(i)) },
  { why: '65536² wraps', build: ({ i }) => e.abs(e.square(i)) },
  { why: 'stopGradient is for gradients', build: ({ x }) => ops['stopGradient'](x) as GraphSymbol },
];
