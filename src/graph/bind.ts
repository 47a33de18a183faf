/**
 * @file What the inputs are, when something is known of their feeds: symbols get their sizes, and equal names stay equal.
 */
import { excerpt, fault, type EinstreamError } from '../errors/index.js';
import { formatShape } from '../tensor/shape.js';
import type { Dim, Dims } from '../ops/dims.js';
import { findNode, nameOf, placeOf, type Graph, type InputNode, type Node, type NodeId } from './graph.js';
import { inferNode, type ValueType } from './infer.js';

/** What is known of a feed; what is left out is as declared. */
export type Given = ReadonlyMap<NodeId, Partial<ValueType>>;

interface Unifier {
  /** Makes two dims one size, or gives what stands against it. */
  unify(a: Dim, b: Dim, where: string): { readonly symbol: string; readonly size: number; readonly where: string } | undefined;
  resolve(dim: Dim): Dim;
}

/** Union of symbols: each points to another symbol or to its size, and remembers who said so. */
function unifier(): Unifier {
  const bound = new Map<string, { readonly dim: number | string; readonly where: string }>();
  const root = (dim: number | string): number | string => {
    let at = dim;
    while (typeof at === 'string' && bound.has(at)) at = bound.get(at)!.dim;
    return at;
  };
  const origin = (symbol: string): string => {
    let at: number | string = symbol;
    let where = '';
    while (typeof at === 'string' && bound.has(at)) ({ dim: at, where } = bound.get(at)!);
    return where;
  };
  return {
    unify(a, b, where) {
      if (a === null || b === null) return undefined;
      const [x, y] = [root(a), root(b)];
      if (x === y) return undefined;
      if (typeof x === 'string') bound.set(x, { dim: y, where });
      else if (typeof y === 'string') bound.set(y, { dim: x, where });
      else {
        const symbol = typeof a === 'string' ? a : typeof b === 'string' ? b : '';
        return { symbol, size: symbol === a ? x : y, where: symbol === '' ? '' : origin(symbol) };
      }
      return undefined;
    },
    resolve: (dim) => (dim === null ? null : root(dim)),
  };
}

const axisOf = (node: Node, axis: number, dims: Dims): string =>
  `axis ${axis} of "${excerpt(nameOf(node))}", shape ${formatShape(dims)}`;

/**
 * The types of all inputs and params. A symbol that one feed gives a size has it everywhere.
 *
 * @throws EinstreamError E_SHAPE naming both places where two sizes meet; E_DTYPE for another dtype than declared
 */
export function bindInputs(graph: Graph, given: Given): ReadonlyMap<NodeId, ValueType> {
  const sizes = unifier();
  const declared = new Map<NodeId, ValueType>();
  for (const id of graph.inputs) {
    const node = findNode(graph, id);
    if (node === undefined || declared.has(id)) continue;
    const type = node.op === 'input' ? inferNode(node, []) : { ...inferNode(node, []), ...given.get(id) };
    declared.set(id, node.op === 'input' ? meet(node as InputNode, type, given.get(id), sizes) : type);
  }
  const resolved = new Map<NodeId, ValueType>();
  for (const [id, { dims, dtype }] of declared) resolved.set(id, { dims: dims?.map(sizes.resolve), dtype });
  return resolved;
}

function meet(node: InputNode, declared: ValueType, given: Partial<ValueType> | undefined, sizes: Unifier): ValueType {
  if (given?.dtype !== undefined && declared.dtype !== undefined && given.dtype !== declared.dtype) {
    throw fault('E_DTYPE', {
      ...placeOf(node),
      rule: 'a feed has the dtype that its input declares',
      expected: declared.dtype,
      actual: given.dtype,
      hint: `cast it: cast(t, { dtype: '${declared.dtype}' })`,
    });
  }
  const dtype = given?.dtype ?? declared.dtype;
  if (given?.dims === undefined || declared.dims === undefined) return { dims: given?.dims ?? declared.dims, dtype };
  const [want, got] = [declared.dims, given.dims];
  if (want.length !== got.length) {
    throw fault('E_SHAPE', {
      ...placeOf(node),
      rule: 'a feed has the rank that its input declares',
      expected: `rank ${want.length}, ${formatShape(want)}`,
      actual: `rank ${got.length}, ${formatShape(got)}`,
    });
  }
  const dims = want.map((dim, axis) => {
    const clash = sizes.unify(dim, got[axis], axisOf(node, axis, got));
    if (clash !== undefined) throw sizeClash(node, axis, want, got, clash);
    return dim ?? got[axis]!;
  });
  return { dims, dtype };
}

function sizeClash(
  node: Node,
  axis: number,
  want: Dims,
  got: Dims,
  clash: { readonly symbol: string; readonly size: number; readonly where: string },
): EinstreamError {
  if (clash.where === '') {
    return fault('E_SHAPE', {
      ...placeOf(node),
      rule: `axis ${axis} must have the declared size`,
      expected: `${want[axis]} (declared ${formatShape(want)})`,
      actual: `${got[axis]} (${axisOf(node, axis, got)})`,
    });
  }
  const { symbol, size, where } = clash;
  return fault('E_SHAPE', {
    ...placeOf(node),
    rule: `"${excerpt(symbol, 40)}" must have one size`,
    expected: `${size} (${where})`,
    actual: `${typeof got[axis] === 'number' ? got[axis] : want[axis]} (${axisOf(node, axis, got)})`,
    hint: 'feed equal sizes, or give the dims different names',
  });
}
