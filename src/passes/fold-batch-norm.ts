/**
 * @file Batch normalisation by constants, written out behind a product with constant weights, becomes part of weights and bias.
 *
 * (x·W + b − mean) / √(variance + ε) · γ + β is x·W′ + b′, with each column of W scaled. Comes after `foldConstants`, which makes
 * one constant of √(variance + ε). Results differ by roundings of the terms. Params stay: a feed may override them.
 */
import {
  findNode,
  isOpNode,
  nodesOf,
  type ConstantNode,
  type Graph,
  type Node,
  type NodeId,
  type OpNode,
} from '../graph/graph.js';
import type { ValueType } from '../graph/infer.js';
import { inferTypes } from '../graph/shapes.js';
import { consumers } from '../graph/topology.js';
import { isFloating } from '../tensor/dtype.js';
import { packed, tensorOver, type Tensor } from '../tensor/tensor.js';
import { columnsOf, followed, identity, type Affine } from './batch-norm/affine.js';
import { appendNodes, replaceNodes } from './edit.js';
import { sameDims } from './folds/space.js';
import type { Pass, PassContext, Rewrite } from './pass.js';

interface Chain {
  readonly product: OpNode;
  readonly weights: Tensor;
  /** What follows the product, each read by the next alone. */
  readonly steps: readonly OpNode[];
  readonly affine: Affine;
}

/** Cost: a few walks of the graph. The last node of a chain keeps its id and name; the product, whose value is another, leaves a hole. */
export const foldBatchNorm: Pass = {
  name: 'foldBatchNorm',
  rewrite(graph, edit, context) {
    const products = [...nodesOf(graph)].filter((node): node is OpNode => isOpNode(node) && node.op === 'matmul' && constantOf(graph, node.inputs[1]) !== undefined); // prettier-ignore
    if (products.length === 0) return;
    const follow = follower(graph, context);
    const added: Node[] = [];
    const changes = new Map<NodeId, Node | undefined>();
    const rewrites: Rewrite[] = [];
    const append = (make: (id: NodeId) => Node): NodeId => added.push(make(graph.size + added.length)) - 1 + graph.size;
    const constant = (value: Tensor) => append((id): ConstantNode => ({ id, op: 'constant', inputs: [], value }));
    for (const product of products) {
      const chain = follow(product);
      const weights = chain && scaledColumns(chain.weights, chain.affine.scale);
      const bias = chain && rounded(chain.affine.shift, chain.weights);
      if (weights === undefined || bias === undefined) continue;
      const ids = [product, ...chain!.steps].map(({ id }) => id);
      const inputs = [product.inputs[0], constant(weights)];
      const last = findNode(graph, ids.at(-1)!) as OpNode;
      const next = append((id) => ({ id, op: product.op, inputs, params: product.params }));
      for (const id of ids) changes.set(id, undefined);
      changes.set(last.id, { ...last, op: 'add', inputs: [next, constant(bias)], params: NONE });
      rewrites.push({ rule: '(x·W) · scale + shift = x·W′ + b', from: ids.slice(0, -1), into: last.id });
    }
    if (rewrites.length === 0) return;
    edit((draft) => {
      replaceNodes(draft, graph, changes);
      appendNodes(draft, added);
    }, rewrites);
  },
};

const NONE = Object.freeze(Object.create(null) as Record<string, unknown>);

const constantOf = (graph: Graph, id: NodeId): Tensor | undefined => {
  const node = findNode(graph, id);
  return node?.op === 'constant' ? (node as ConstantNode).value : undefined;
};

/** The chain behind a product, as long as it is one; undefined where nothing scales it and shifts it, or where types change on the way. */
function follower(graph: Graph, { keep, apart = [] }: PassContext): (product: OpNode) => Chain | undefined {
  const types = inferTypes(graph);
  const { starts, targets } = consumers(graph);
  const visible = new Set([...graph.outputs.map(({ id }) => id), ...keep, ...apart]);
  const readerOf = ({ id }: OpNode): OpNode | undefined => {
    const reader = !visible.has(id) && starts[id + 1] - starts[id] === 1 ? findNode(graph, targets[starts[id]]) : undefined;
    return reader !== undefined && isOpNode(reader) && reader.isRecomputed !== true ? reader : undefined;
  };
  return (product) => {
    const weights = constantOf(graph, product.inputs[1])!;
    const type = types[product.id];
    const columns = weights.shape[1];
    if (weights.shape.length !== 2 || !isPlain(type, weights) || product.isRecomputed === true) return undefined;
    const steps: OpNode[] = [];
    let affine = identity(columns);
    for (let node: OpNode = product; ;) {
      const reader = readerOf(node);
      const at = reader?.inputs.indexOf(node.id) ?? -1;
      const value = reader?.inputs.length === 2 ? constantOf(graph, reader.inputs[1 - at]) : undefined;
      if (reader === undefined || value === undefined || value.dtype !== weights.dtype || !isLike(types[reader.id], type)) break;
      const numbers = columnsOf(value, columns);
      const next = numbers && followed(affine, reader, at, numbers);
      if (next === undefined) break;
      affine = next;
      steps.push(reader);
      node = reader;
    }
    return steps.length > 1 && affine.isScaled ? { product, weights, steps, affine } : undefined;
  };
}

const isPlain = (type: ValueType | undefined, { dtype }: Tensor): boolean =>
  type?.dims !== undefined && type.dtype === dtype && isFloating(dtype);

const isLike = (type: ValueType | undefined, other: ValueType | undefined): boolean =>
  type?.dtype === other?.dtype && sameDims(type?.dims, other?.dims);

/** Each column times its number; undefined where a weight would leave the normal numbers of its dtype. */
function scaledColumns(weights: Tensor, scale: Float64Array): Tensor | undefined {
  const given = packed(weights) as Float64Array;
  const columns = scale.length;
  const made = rounded(Float64Array.from(given, (weight, k) => weight * scale[k % columns]), weights, weights.shape); // prettier-ignore
  const least = weights.dtype === 'float32' ? 2 ** -126 : 2 ** -1022;
  const isFine = (value: number, k: number): boolean => given[k] === 0 || Math.abs(value) >= least;
  return made !== undefined && (packed(made) as Float64Array).every(isFine) ? made : undefined;
}

/** Numbers in the dtype of the weights; undefined where one is not finite in it. */
function rounded(numbers: Float64Array, { dtype }: Tensor, shape: readonly number[] = [numbers.length]): Tensor | undefined {
  const array = dtype === 'float32' ? Float32Array.from(numbers) : numbers;
  return array.every(Number.isFinite) ? tensorOver(array, dtype, shape) : undefined;
}
