/**
 * @file How far rounding alone may take the values of a graph from one another, in whichever order sums and products are made.
 *
 * The bound is the one of textbooks (Higham, Accuracy and Stability of Numerical Algorithms, 3.1 and 4.2): a result of additions and
 * multiplications, in any order, is off by at most γₖ = k·u / (1 − k·u) of what the same gives of magnitudes, where k counts the
 * roundings on the longest way and u is half a unit of the last place. Cancellation is in it: magnitudes do not cancel.
 */
import { chunked, findNode, isOpNode, isValueNode, nodeOf, type Graph, type Node } from '../../src/graph/graph.js';
import { inferTypes } from '../../src/graph/shapes.js';
import { topology } from '../../src/graph/topology.js';
import { numElements, type Shape } from '../../src/tensor/shape.js';
import { tensorOver, type Tensor } from '../../src/tensor/tensor.js';
import type { RandomGraph } from './random-graph.js';

/** The ops of which the bound holds, and what each is of magnitudes. Moves, and those not named, are as they are. */
const OF_MAGNITUDES: Readonly<Record<string, string>> = {
  sub: 'add',
  neg: 'abs',
  relu: 'abs',
  identity: 'abs',
  minimum: 'maximum',
  min: 'max',
};

/** Ops that a random graph may be made of. */
export const LINEAR = ['add', 'sub', 'mul', 'neg', 'abs', 'relu', 'maximum', 'minimum', 'sum', 'max', 'min', 'transpose', 'reshape', 'unsqueeze', 'concat', 'einsum', 'keepdims', 'scale', 'identity']; // prettier-ignore
const KNOWN: ReadonlySet<string> = new Set([...LINEAR, 'squeeze', 'cast', 'where']);

/** Whether the bound speaks of every node. */
export function isLinear(graph: Graph): boolean {
  return topology(graph).order.every((id) => {
    const node = nodeOf(graph, id);
    return !isOpNode(node) || KNOWN.has(node.op);
  });
}

const absolute = (x: Tensor): Tensor =>
  x.dtype === 'bool' ? x : tensorOver((x.data as Float64Array).map(Math.abs), x.dtype, x.shape);

/** The same computation on magnitudes. */
export function ofMagnitudes({ graph, feeds }: RandomGraph): RandomGraph {
  const nodes = Array.from({ length: graph.size }, (_, id): Node | undefined => {
    const node = findNode(graph, id);
    if (node === undefined) return undefined;
    if (isValueNode(node)) return { ...node, value: absolute(node.value) };
    return isOpNode(node) ? { ...node, op: OF_MAGNITUDES[node.op] ?? node.op } : node;
  });
  return {
    graph: { ...graph, chunks: chunked(nodes) },
    feeds: Object.fromEntries(Object.entries(feeds).map(([name, value]) => [name, absolute(value)])),
  };
}

/**
 * For each value, the roundings on its longest way. Sums that are joined into one have as many terms as they have together, so
 * terms multiply.
 */
export function roundings(graph: Graph): ReadonlyMap<number, number> {
  const types = inferTypes(graph);
  const count = (id: number): number => numElements(types[id]!.dims as Shape);
  /** Of products, and of additions. */
  const known = new Map<number, readonly [products: number, terms: number]>();
  for (const id of topology(graph).order) {
    const node = nodeOf(graph, id);
    const given = node.inputs.map((input) => known.get(input)!);
    const products = given.map(([each]) => each);
    const terms = given.map(([, each]) => each);
    const [mostProducts, mostTerms] = [Math.max(0, ...products), Math.max(1, ...terms)];
    const op = isOpNode(node) ? node.op : undefined;
    if (op === 'mul' || op === 'einsum') {
      // Letters that the result has not are summed over.
      const summed = op === 'mul' ? 1 : summedBy(node as { params: unknown }, node.inputs.map((input) => types[input]!.dims as Shape)); // prettier-ignore
      known.set(id, [products.reduce((sum, each) => sum + each, 1), terms.reduce((all, each) => all * each, summed)]);
    } else if (op === 'sum') known.set(id, [mostProducts, mostTerms * (count(node.inputs[0]) / Math.max(1, count(id)))]);
    else if (op === 'add' || op === 'sub') known.set(id, [mostProducts, mostTerms + 1]);
    else known.set(id, [mostProducts, mostTerms]);
  }
  return new Map([...known].map(([id, [products, terms]]) => [id, products + terms]));
}

function summedBy({ params }: { readonly params: unknown }, shapes: readonly Shape[]): number {
  const [from, to] = (params as { readonly spec: string }).spec.split('->');
  const sizes = new Map<string, number>();
  from.split(',').forEach((letters, k) => [...letters].forEach((letter, axis) => sizes.set(letter, shapes[k][axis])));
  return [...sizes].filter(([letter]) => !to.includes(letter)).reduce((all, [, size]) => all * size, 1);
}
