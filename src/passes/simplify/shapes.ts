/**
 * @file Rules of what moves elements and computes nothing: there and back again, twice where once is enough.
 */
import type { OpNode } from '../../graph/graph.js';
import type { SimplifyRule, Values } from './rule.js';

const RESHAPES = ['reshape', 'squeeze', 'unsqueeze'];

const permOf = ({ params }: OpNode): readonly number[] | undefined =>
  (params as { readonly perm?: readonly number[] }).perm?.map((axis, _, { length }) => (axis < 0 ? axis + length : axis));

const isInOrder = (perm: readonly number[]): boolean => perm.every((axis, at) => axis === at);

const isStatic = (id: number, values: Values): boolean =>
  values.typeOf(id).dims?.every((dim) => typeof dim === 'number') === true;

export const SHAPE_RULES: readonly SimplifyRule[] = [
  {
    name: 'axes in the order that they have',
    match: ['transpose'],
    rewrite: (node) => {
      const perm = permOf(node);
      return perm !== undefined && isInOrder(perm) ? { value: node.inputs[0] } : undefined;
    },
  },
  {
    name: 'a transpose of a transpose',
    match: ['transpose'],
    rewrite: (node, values) => {
      const inner = values.opOf(node.inputs[0]);
      if (inner?.op !== 'transpose') return undefined;
      const [first, second] = [permOf(inner), permOf(node)];
      const [x] = inner.inputs;
      if (first === undefined && second === undefined) return { value: x };
      const { length } = (first ?? second)!;
      const turned = (perm: readonly number[] | undefined, axis: number): number => perm?.[axis] ?? length - 1 - axis;
      const perm = Array.from({ length }, (_, axis) => turned(first, turned(second, axis)));
      return isInOrder(perm)
        ? { value: x }
        : { op: 'transpose', inputs: [x], params: Object.freeze({ perm: Object.freeze(perm) }) };
    },
  },
  {
    name: 'a shape that is there already',
    match: [...RESHAPES, 'broadcastTo', 'broadcastLike', 'reshapeLike'],
    needsSizes: true,
    rewrite: ({ inputs: [x] }) => ({ value: x }),
  },
  {
    name: 'a shape there and back',
    match: RESHAPES,
    needsSizes: true,
    rewrite: ({ inputs: [x] }, values) => {
      const inner = values.opOf(x);
      return inner !== undefined && RESHAPES.includes(inner.op) ? { value: inner.inputs[0] } : undefined;
    },
  },
  {
    name: 'a shape of a shape',
    match: ['reshape'],
    rewrite: ({ inputs: [x], params }, values) => {
      const inner = values.opOf(x);
      // A size that is not known might not fit the shape between, and that is for the run to say.
      if (inner === undefined || !RESHAPES.includes(inner.op) || !isStatic(inner.inputs[0], values)) return undefined;
      return { op: 'reshape', inputs: [inner.inputs[0]], params };
    },
  },
  {
    name: 'a broadcast of a broadcast',
    match: ['broadcastTo'],
    rewrite: ({ inputs: [x], params }, values) => {
      const inner = values.opOf(x);
      if (inner?.op !== 'broadcastTo' || !isStatic(inner.inputs[0], values) || !isStatic(x, values)) return undefined;
      return { op: 'broadcastTo', inputs: [inner.inputs[0]], params };
    },
  },
  {
    name: 'an extreme or a product over no axes',
    match: ['max', 'min', 'prod'],
    needsSizes: true,
    rewrite: ({ inputs: [x], params }, values) => (foldsNothing(x, params, values) ? { value: x } : undefined),
  },
  {
    name: 'a sum over no axes, of integers',
    match: ['sum'],
    needsSizes: true,
    rewrite: ({ inputs: [x], params }, values) =>
      values.typeOf(x).dtype === 'int32' && foldsNothing(x, params, values) ? { value: x } : undefined,
  },
];

/** No axis at all: over axes of size 1 a fold gives the same numbers, but the driver sees to the shape. */
export function foldsNothing(x: number, params: OpNode['params'], values: Values): boolean {
  const axis = params['axis'] as readonly number[] | number | null | undefined;
  const rank = values.typeOf(x).dims?.length;
  return axis === null || axis === undefined ? rank === 0 : Array.isArray(axis) && axis.length === 0;
}
