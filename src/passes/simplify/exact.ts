/**
 * @file Rules of arithmetic and logic that change no bit: NaN, −0, infinities and the wrapping of int32 stay.
 *
 * What looks like one of them and is none: x + 0 (−0 becomes 0), x · 0 and x − x (NaN), x / x, 1 − (1 − x), not (x < y).
 * Those of them that hold for int32 are here; the rest is in `fast.ts`.
 */
import type { NodeId, OpNode } from '../../graph/graph.js';
import type { Tensor } from '../../tensor/tensor.js';
import { behind, beside, numberLike, under, type Instead, type SimplifyRule, type Values } from './rule.js';

const isMinusZero = (x: number): boolean => Object.is(x, -0);
const isZero = (x: number): boolean => Object.is(x, 0);
const valueOf = (id: NodeId | undefined): Instead | undefined => (id === undefined ? undefined : { value: id });
const isOf = (id: NodeId, values: Values, ...dtypes: readonly string[]): boolean => dtypes.includes(values.typeOf(id).dtype!);

/**
 * What is negated, if its sign may go elsewhere: −x of int32 has no −0, and −(−2³¹) is −2³¹, so beside floats it is another number than
 * the float with the other sign.
 */
const opposite = (id: NodeId, { inputs }: OpNode, values: Values): NodeId | undefined => {
  const x = under(id, ['neg'], values);
  if (x === undefined || isOf(x, values, 'float32', 'float64')) return x;
  return inputs.every((each) => isOf(each, values, 'int32', 'bool')) ? x : undefined;
};

/** What is negated and the constant beside it, whose sign is the other one then. */
function numberAgainst(node: OpNode, negated: NodeId, constant: NodeId, values: Values): readonly [NodeId, Tensor] | undefined {
  const x = under(negated, ['neg'], values);
  if (x === undefined || !isOf(x, values, 'float32', 'float64')) return undefined;
  const number = values.numberOf(constant, x);
  const opposed = number === undefined ? undefined : numberLike(node, values, -number);
  return opposed && [x, opposed];
}

/** Ops that change nothing of what they gave themselves, and what else they leave as it is. */
const ROUNDINGS = ['floor', 'ceil', 'round', 'trunc', 'sign'];
const LEAVE: Readonly<Record<string, readonly string[]>> = {
  relu: ['relu'],
  abs: ['abs', 'relu'],
  sign: ['sign'],
  floor: ROUNDINGS,
  ceil: ROUNDINGS,
  round: ROUNDINGS,
  trunc: ROUNDINGS,
};

/** Ops that give 0 and what is above it, and NaN. */
const POSITIVE = ['abs', 'square', 'exp', 'exp2', 'sigmoid'];

/** dtypes that hold every value of the one named. */
const WIDER: Readonly<Record<string, readonly string[]>> = {
  bool: ['bool', 'int32', 'float32', 'float64'],
  int32: ['int32', 'float64'],
  float32: ['float32', 'float64'],
  float64: ['float64'],
};

export const EXACT_RULES: readonly SimplifyRule[] = [
  { name: 'x · 1 = x', match: ['mul'], rewrite: (node, values) => beside(node, values, (c) => c === 1) },
  { name: 'x / 1 = x', match: ['div'], rewrite: ({ inputs: [x, y] }, values) => behind(x, y, values, (c) => c === 1) },
  { name: 'x + (−0) = x', match: ['add'], rewrite: (node, values) => beside(node, values, isMinusZero) },
  { name: 'x − 0 = x', match: ['sub'], rewrite: ({ inputs: [x, y] }, values) => behind(x, y, values, isZero) },
  {
    name: 'x + 0 = x, of integers',
    match: ['add'],
    rewrite: (node, values) =>
      node.inputs.every((id) => isOf(id, values, 'int32', 'bool')) ? beside(node, values, (c) => c === 0) : undefined,
  },
  {
    name: 'x · 0 = 0, of integers',
    match: ['mul'],
    rewrite: (node, values) => {
      if (!node.inputs.every((id) => isOf(id, values, 'int32', 'bool'))) return undefined;
      const found = beside(node, values, (c) => c === 0);
      return found !== undefined && 'value' in found ? { op: 'zerosLike', inputs: [found.value] } : undefined;
    },
  },
  {
    name: 'x − x = 0, of integers',
    match: ['sub'],
    rewrite: ({ inputs: [x, y] }, values) =>
      x === y && isOf(x, values, 'int32', 'bool') ? { op: 'zerosLike', inputs: [x] } : undefined,
  },
  { name: 'x¹ = x', match: ['pow'], rewrite: ({ inputs: [x, y] }, values) => behind(x, y, values, (c) => c === 1) },
  {
    name: 'x · (−1) = −x',
    match: ['mul', 'div'],
    rewrite: (node, values) => {
      const [x, y] = node.inputs;
      const found = node.op === 'mul' ? beside(node, values, (c) => c === -1) : behind(x, y, values, (c) => c === -1);
      return found !== undefined && 'value' in found ? { op: 'neg', inputs: [found.value] } : undefined;
    },
  },
  { name: '−(−x) = x', match: ['neg'], rewrite: ({ inputs: [x] }, values) => valueOf(under(x, ['neg'], values)) },
  {
    name: 'x − (−y) = x + y',
    match: ['sub', 'add'],
    rewrite: (node, values) => {
      const { op } = node;
      const [x, y] = node.inputs;
      const second = opposite(y, node, values);
      if (second !== undefined) return { op: op === 'sub' ? 'add' : 'sub', inputs: [x, second] };
      const first = op === 'add' ? opposite(x, node, values) : undefined;
      return first === undefined ? undefined : { op: 'sub', inputs: [y, first] };
    },
  },
  {
    name: '(−x) · (−y) = x · y',
    match: ['mul'],
    rewrite: (node, values) => {
      const [x, y] = node.inputs.map((id) => opposite(id, node, values));
      return x === undefined || y === undefined ? undefined : { op: 'mul', inputs: [x, y] };
    },
  },
  {
    name: '(−x) · c = x · (−c)',
    match: ['mul', 'div'],
    rewrite: (node, values) => {
      const [x, y] = node.inputs;
      const second = numberAgainst(node, x, y, values);
      if (second !== undefined) return { op: node.op, inputs: second };
      const first = numberAgainst(node, y, x, values);
      return first && { op: node.op, inputs: first.toReversed() };
    },
  },
  {
    name: '|−x| = |x|',
    match: ['abs', 'square'],
    rewrite: ({ op, inputs: [x] }, values) => {
      const inner = under(x, op === 'abs' ? ['neg'] : ['neg', 'abs'], values);
      return inner === undefined ? undefined : { op, inputs: [inner] };
    },
  },
  {
    name: 'once is enough',
    match: Object.keys(LEAVE),
    rewrite: ({ op, inputs: [x] }, values) => (under(x, LEAVE[op], values) === undefined ? undefined : { value: x }),
  },
  {
    // Of floats: |−2³¹| and 65536² wrap to what is below 0.
    name: 'what is positive already',
    match: ['relu', 'abs'],
    rewrite: ({ inputs: [x] }, values) =>
      isOf(x, values, 'float32', 'float64') && under(x, POSITIVE, values) !== undefined ? { value: x } : undefined,
  },
  {
    name: 'not not x = x',
    match: ['logicalNot'],
    rewrite: ({ inputs: [x] }, values) => valueOf(under(x, ['logicalNot'], values)),
  },
  {
    name: 'not (x = y) is x ≠ y',
    match: ['logicalNot'],
    rewrite: ({ inputs: [x] }, values) => {
      const { op, inputs, params } = values.opOf(x) ?? {};
      if (op !== 'equal' && op !== 'notEqual') return undefined;
      return { op: op === 'equal' ? 'notEqual' : 'equal', inputs: inputs!, params };
    },
  },
  {
    name: 'x and true = x',
    match: ['logicalAnd', 'logicalOr', 'logicalXor'],
    rewrite: (node, values) => beside(node, values, (c) => (c !== 0) === (node.op === 'logicalAnd')),
  },
  {
    name: 'x and x = x',
    match: ['maximum', 'minimum', 'logicalAnd', 'logicalOr'],
    rewrite: ({ inputs: [x, y] }) => (x === y ? { value: x } : undefined),
  },
  { name: 'identity x = x', match: ['identity'], rewrite: ({ inputs: [x] }) => ({ value: x }) },
  { name: 'x as it is', match: ['cast'], rewrite: ({ inputs: [x] }) => ({ value: x }) },
  {
    name: 'a cast through what holds more',
    match: ['cast'],
    rewrite: ({ inputs: [x], params }, values) => {
      const inner = under(x, ['cast'], values);
      if (inner === undefined) return undefined;
      const [from, through] = [inner, x].map((id) => values.typeOf(id).dtype);
      return from !== undefined && WIDER[from].includes(through!) ? { op: 'cast', inputs: [inner], params } : undefined;
    },
  },
  {
    name: 'a choice that is made',
    match: ['where'],
    needsSizes: true,
    rewrite: ({ inputs: [condition, x, y] }, values) => {
      if (x === y) return { value: x };
      const made = values.numberOf(condition, x) ?? values.numberOf(condition, y);
      return made === undefined ? undefined : { value: made === 0 ? y : x };
    },
  },
];
