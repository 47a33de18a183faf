/**
 * @file Whether a graph treats rows alike: whether each row of its outputs depends on the same row of its inputs alone.
 *
 * Decided from the graph, by walking it once with sizes that nothing else has: where the axis of rows lies shows in every shape,
 * and what an op does to it in the op's own rules (axes of a fold, labels of a contraction, strides of a view).
 */
import {
  isOpNode,
  nameOf,
  nodeOf,
  nodesOf,
  type Graph,
  type InputNode,
  type Node,
  type NodeId,
  type OpNode,
  type ParamNode,
} from '../../graph/graph.js';
import { inferNode, type ValueType } from '../../graph/infer.js';
import { topology } from '../../graph/topology.js';
import { throwIfBroken } from '../../graph/validate/validate.js';
import type { Dims } from '../../ops/dims.js';
import { isStatic } from '../../ops/dims.js';
import type { AnyOp } from '../../ops/op.js';
import { findOp } from '../../ops/registry.js';
import { rowMajorLayout } from '../../tensor/layout.js';
import { rowMajorStrides, sameShape, type Shape } from '../../tensor/shape.js';

/** Undefined when it does, else why not. */
export type Reason = string | undefined;

/** A number of rows that no other axis has. */
const ROWS = 10_007;
/** Sizes for axes with a name, or without. */
const SIZES = [5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43];

/** Ops whose values depend on the shape of an operand, which stacking changes. */
const SHAPED: ReadonlySet<string> = new Set([
  'iota',
  'sizeAlong',
  'broadcastLike',
  'sumLike',
  'reshapeLike',
  'sliceScatter',
  'diagEmbed',
]);

interface Value {
  readonly shape: Shape;
  readonly hasRows: boolean;
}

/** @throws EinstreamError the first fault of a broken graph */
export function reasonAgainst(graph: Graph): Reason {
  throwIfBroken(graph);
  const names = rowNames(graph);
  if (typeof names === 'string') return names;
  const sizes = new Map<string, number>();
  const sizeOf = (dim: Dims[number]): number => {
    if (typeof dim === 'number') return dim;
    if (dim === null) return SIZES[SIZES.length - 1];
    const known = sizes.get(dim) ?? SIZES[sizes.size % SIZES.length];
    sizes.set(dim, known);
    return known;
  };
  const values = new Map<NodeId, Value>();
  const types = new Map<NodeId, ValueType>();
  for (const id of topology(graph).order) {
    const node = nodeOf(graph, id);
    const reason = isOpNode(node) ? opReason(node, values, types) : void leaf(node, values, types, sizeOf);
    if (reason !== undefined) return `${nameOf(node)} (${node.op}): ${reason}`;
  }
  for (const { name, id } of graph.outputs) if (values.get(id)?.hasRows !== true) return `output ${name} has no rows`;
  return undefined;
}

/** All inputs have rows in front, of one name, which is nowhere else. */
function rowNames(graph: Graph): ReadonlySet<unknown> | string {
  const rows = new Set<unknown>();
  const others = new Set<unknown>();
  for (const node of nodesOf(graph)) {
    if (node.op !== 'input') continue;
    const { dims } = node as InputNode;
    if (dims === undefined || dims.length === 0) return `input ${nameOf(node)} has no axis of rows`;
    const [first, ...rest] = dims;
    if (typeof first === 'number') return `input ${nameOf(node)} has a fixed number of rows`;
    rows.add(first);
    rest.forEach((dim) => others.add(dim));
  }
  const named = [...rows].filter((name) => name !== null);
  if (rows.size === 0) return 'there are no inputs';
  if (named.length > 1) return 'inputs have rows of different names';
  if (named.some((name) => others.has(name))) return 'rows are also another axis';
  return rows;
}

function leaf(
  node: Node,
  values: Map<NodeId, Value>,
  types: Map<NodeId, ValueType>,
  sizeOf: (dim: Dims[number]) => number,
): void {
  const hasRows = node.op === 'input';
  const { dims = [], dtype = 'float32' } = hasRows ? (node as InputNode) : { dims: (node as ParamNode).value.shape, dtype: (node as ParamNode).value.dtype }; // prettier-ignore
  const shape = hasRows ? [ROWS, ...dims.slice(1).map(sizeOf)] : (dims as Shape);
  values.set(node.id, { shape, hasRows });
  types.set(node.id, { dims: shape, dtype: dtype as ValueType['dtype'] });
}

function opReason(node: OpNode, values: Map<NodeId, Value>, types: Map<NodeId, ValueType>): Reason {
  const operands = node.inputs.map((id) => values.get(id)!);
  const type = inferred(node, node.inputs.map((id) => types.get(id)!)); // prettier-ignore
  if (type?.dims === undefined || !isStatic(type.dims)) return 'its shape is not known';
  const shape = type.dims;
  const hasRows = operands.some((operand) => operand.hasRows);
  types.set(node.id, type);
  values.set(node.id, { shape, hasRows });
  if (!hasRows) return undefined;
  if (SHAPED.has(node.op)) return 'it depends on how many rows there are';
  if (shape[0] !== ROWS) return 'its result has no rows in front';
  return ruleReason(findOp(node.op)!, node, operands, shape);
}

/** Probing sizes that an op refuses say that it wants certain ones. */
function inferred(node: OpNode, inputs: readonly ValueType[]): ValueType | undefined {
  try {
    return inferNode(node, inputs);
  } catch {
    return undefined;
  }
}

const [ACROSS, BROADCAST] = ['it works across rows', 'it takes rows together with what has none'];

function ruleReason(op: AnyOp, { params }: OpNode, operands: readonly Value[], shape: Shape): Reason {
  const shapes = operands.map((operand) => operand.shape);
  if (op.contract !== undefined) {
    if (op.epilogue !== undefined) return ACROSS;
    const { operands: labels, output } = op.contract(params, shapes);
    const row = output[0];
    const isFine = operands.every(({ hasRows }, i) => (hasRows ? labels[i].indexOf(row) === 0 && labels[i].lastIndexOf(row) === 0 : !labels[i].includes(row))); // prettier-ignore
    return isFine && output.lastIndexOf(row) === 0 ? undefined : ACROSS;
  }
  if (op.view !== undefined) {
    const layout = operands[0].hasRows ? op.view(rowMajorLayout(shapes[0]), params, shapes) : undefined;
    return layout !== undefined && sameShape(layout.shape, shape) && staysInRow(layout, rowMajorStrides(shapes[0])[0])
      ? undefined
      : ACROSS;
  }
  if (op.pieces !== undefined) {
    const row = rowMajorStrides(shape)[0];
    const isFine = op.pieces(params, shapes).pieces.every(({ input, start, strides }) => operands[input].hasRows && start[0] === 0 && (strides === undefined || strides[0] === row)); // prettier-ignore
    return isFine ? undefined : ACROSS;
  }
  if (op.gather !== undefined) {
    const { axis } = op.gather(params, shapes);
    const [from, indices] = operands.map(({ hasRows }) => hasRows);
    return from && !indices ? (axis > 0 ? undefined : ACROSS) : !from && indices && axis === 0 ? undefined : ACROSS;
  }
  if (op.steps !== undefined) return ACROSS;
  const rank = op.fold === undefined ? shape.length : shapes[0].length;
  if (op.fold !== undefined && (!operands[0].hasRows || op.fold(params, shapes, [])?.axes.includes(0) !== false)) return ACROSS;
  const aligned = operands.every(({ hasRows, shape: own }) =>
    hasRows ? own.length === rank : own.length < rank || own[0] === 1,
  );
  return aligned ? undefined : BROADCAST;
}

/** Row by row in front, and every other axis within its row. */
function staysInRow(
  { shape, strides, offset }: { readonly shape: Shape; readonly strides: readonly number[]; readonly offset: number },
  row: number,
): boolean {
  let [least, most] = [offset, offset];
  for (let axis = 1; axis < shape.length; axis++) {
    const reach = (shape[axis] - 1) * strides[axis];
    [least, most] = [least + Math.min(0, reach), most + Math.max(0, reach)];
  }
  return strides[0] === row && least >= 0 && most < row;
}
