/**
 * @file Rules that hold for real numbers and not for floating ones, for whoever asks for `fastMath`.
 *
 * They may lose a NaN, an infinity, the sign of a zero or the last digits: x · 0 = 0 says nothing of x = ∞.
 */
import type { NodeId, OpNode } from '../../graph/graph.js';
import { behind, beside, numberLike, under, type Instead, type SimplifyRule, type Values } from './rule.js';
import { foldsNothing } from './shapes.js';

const filled = (op: 'zerosLike' | 'onesLike', found: Instead | undefined): Instead | undefined =>
  found !== undefined && 'value' in found ? { op, inputs: [found.value] } : undefined;

/** Pairs of functions that undo each other, from either side. */
const INVERSE: readonly (readonly [string, string])[] = [
  ['exp', 'log'],
  ['log', 'exp'],
  ['exp2', 'log2'],
  ['log2', 'exp2'],
  ['expm1', 'log1p'],
  ['log1p', 'expm1'],
  ['square', 'sqrt'],
  ['reciprocal', 'reciprocal'],
  ['oneMinus', 'oneMinus'],
];

const POWERS: ReadonlyMap<number, string> = new Map([
  [2, 'square'],
  [0.5, 'sqrt'],
  [-1, 'reciprocal'],
  [-0.5, 'rsqrt'],
]);

/** A constant's number and the operand beside it, of an op that reads one. */
function scaled(node: OpNode, values: Values): readonly [NodeId, number] | undefined {
  const [x, y] = node.inputs;
  const [right, left] = [values.numberOf(y, x), values.numberOf(x, y)];
  return right !== undefined ? [x, right] : left !== undefined ? [y, left] : undefined;
}

export const FAST_RULES: readonly SimplifyRule[] = [
  { name: 'x + 0 = x', match: ['add'], rewrite: (node, values) => beside(node, values, (c) => c === 0) },
  { name: 'x − (−0) = x', match: ['sub'], rewrite: ({ inputs: [x, y] }, values) => behind(x, y, values, (c) => c === 0) },
  {
    name: 'x · 0 = 0',
    match: ['mul'],
    rewrite: (node, values) =>
      filled(
        'zerosLike',
        beside(node, values, (c) => c === 0),
      ),
  },
  {
    name: 'x − x = 0',
    match: ['sub'],
    rewrite: ({ inputs: [x, y] }) => (x === y ? { op: 'zerosLike', inputs: [x] } : undefined),
  },
  { name: 'x / x = 1', match: ['div'], rewrite: ({ inputs: [x, y] }) => (x === y ? { op: 'onesLike', inputs: [x] } : undefined) },
  {
    name: 'what undoes the other',
    match: INVERSE.map(([outer]) => outer),
    rewrite: ({ op, inputs: [x] }, values) => {
      const [, inner] = INVERSE.find(([outer]) => outer === op)!;
      const found = under(x, [inner], values);
      return found === undefined ? undefined : { value: found };
    },
  },
  {
    name: '√(x²) = |x|',
    match: ['sqrt'],
    rewrite: ({ inputs: [x] }, values) => {
      const found = under(x, ['square'], values);
      return found === undefined ? undefined : { op: 'abs', inputs: [found] };
    },
  },
  {
    name: '−(x − y) = y − x',
    match: ['neg'],
    rewrite: ({ inputs: [x] }, values) => {
      const inner = values.opOf(x);
      return inner?.op === 'sub' ? { op: 'sub', inputs: [inner.inputs[1], inner.inputs[0]] } : undefined;
    },
  },
  {
    name: 'a power that has a name',
    match: ['pow'],
    rewrite: ({ inputs: [x, y] }, values) => {
      const number = values.numberOf(y, x);
      const op = number === undefined ? undefined : POWERS.get(number);
      return op === undefined ? undefined : { op, inputs: [x] };
    },
  },
  {
    name: 'x / c = x · (1/c)',
    match: ['div'],
    rewrite: (node, values) => {
      const [x, y] = node.inputs;
      const number = values.numberOf(y, x);
      const constant = number === undefined ? undefined : numberLike(node, values, 1 / number);
      return constant === undefined ? undefined : { op: 'mul', inputs: [x, constant] };
    },
  },
  {
    name: '(x · a) · b = x · ab',
    match: ['mul'],
    rewrite: (node, values) => {
      const outer = scaled(node, values);
      const inner = outer === undefined ? undefined : values.opOf(outer[0]);
      const found = inner?.op === 'mul' ? scaled(inner, values) : undefined;
      if (outer === undefined || found === undefined) return undefined;
      const constant = numberLike(node, values, outer[1] * found[1]);
      return constant === undefined ? undefined : { op: 'mul', inputs: [found[0], constant] };
    },
  },
  {
    name: 'a sum or mean over no axes',
    match: ['sum', 'mean'],
    needsSizes: true,
    rewrite: ({ inputs: [x], params }, values) => (foldsNothing(x, params, values) ? { value: x } : undefined),
  },
];
