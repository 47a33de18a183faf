/**
 * @file Work for passes, planted into a random graph: values computed twice, dead nodes, ops that do nothing, constants to fold.
 *
 * New nodes stand at the end, and some readers of a value read them instead of it, so ids are out of order too.
 */
import fc from 'fast-check';
import { chunked, findNode, isOpNode, nodesOf, type Node, type NodeId, type OpNode } from '../../src/graph/graph.js';
import { inferTypes } from '../../src/graph/shapes.js';
import { ancestors } from '../../src/graph/topology.js';
import { knownOp } from '../../src/ops/known.js';
import { readParams } from '../../src/ops/params.js';
import { commutes } from '../../src/passes/commutes.js';
import { tensor, type Tensor } from '../../src/tensor/index.js';
import type { ComputedDType } from '../../src/tensor/dtype.js';
import { randomGraph, type GraphChoice, type RandomGraph } from './random-graph.js';

interface Plant {
  readonly kind: number;
  readonly at: number;
  /** Which readers turn to what is planted. */
  readonly readers: number;
}

type Apply = (op: string, inputs: readonly (NodeId | Tensor)[], params?: Record<string, unknown>) => NodeId;

/** What may stand for a value, or beside it. Gives what readers may turn to; undefined where it is dead. */
type Kind = (node: Node, apply: Apply, dtype: ComputedDType, rank: number) => NodeId | undefined;

const number = (value: number, dtype: ComputedDType): Tensor => tensor(value, { dtype });
const again = ({ op, inputs, params }: OpNode, apply: Apply): NodeId => apply(op, inputs, params);

const KINDS: readonly Kind[] = [
  (node, apply) => (isOpNode(node) ? again(node, apply) : undefined),
  (node, apply) => {
    if (!isOpNode(node)) return undefined;
    const turns = commutes(knownOp(node.op)!, node.params);
    return apply(node.op, turns ? [...node.inputs].reverse() : node.inputs, node.params);
  },
  ({ id }, apply) => void apply('relu', [apply('neg', [id])]),
  ({ id }, apply, dtype) => apply('mul', [id, number(1, dtype)]),
  ({ id }, apply, dtype) => apply('add', [id, number(-0, dtype)]),
  ({ id }, apply, dtype) => apply('add', [id, number(0, dtype)]),
  ({ id }, apply, dtype) => apply('sub', [id, number(0, dtype)]),
  ({ id }, apply, dtype) => apply('mul', [number(0, dtype), id]),
  ({ id }, apply) => apply('div', [id, id]),
  ({ id }, apply) => apply('neg', [apply('neg', [id])]),
  ({ id }, apply) => apply('relu', [apply('relu', [id])]),
  ({ id }, apply) => apply('logicalNot', [apply('logicalNot', [id])]),
  ({ id }, apply, dtype) => apply('pow', [id, number(1, dtype)]),
  ({ id }, apply) => apply('transpose', [apply('transpose', [id])]),
  ({ id }, apply) => apply('squeeze', [apply('unsqueeze', [id], { axis: 0 })], { axis: 0 }),
  ({ id }, apply, dtype) => apply('cast', [id], { dtype }),
  ({ id }, apply) => apply('sum', [id], { axis: [] }),
  ({ id }, apply, dtype) => apply('mul', [id, apply('exp', [apply('add', [number(1, dtype), number(2, dtype)])])]),
  ({ id }, apply) => apply('where', [tensor(true), id, id]),
  ({ id }, apply, _dtype, rank) => (rank === 0 ? undefined : apply('add', [apply('sum', [id], { axis: 0, keepdims: true }), apply('sum', [id], { axis: 0, keepdims: true })])), // prettier-ignore
];

/** Readers keep their operands' shapes: what is planted has that of the value, or broadcasts no further than it. */
export function planted({ graph, feeds }: RandomGraph, plants: readonly Plant[]): RandomGraph {
  const nodes = Array.from({ length: graph.size }, (_, id) => findNode(graph, id));
  const types = inferTypes(graph);
  const outputs = graph.outputs.map((output) => ({ ...output }));
  const add = (make: (id: NodeId) => Node): NodeId => nodes.push(make(nodes.length)) - 1;
  const apply: Apply = (op, inputs, params = {}) => {
    const ids = inputs.map((each) => (typeof each === 'number' ? each : add((id) => ({ id, op: 'constant', inputs: [], value: each })))); // prettier-ignore
    const read = readParams(knownOp(op)!, params, { op }); // prettier-ignore
    return add((id) => ({ id, op, inputs: ids, params: read }));
  };
  // Where outputs lead from: what is planted elsewhere would be dead.
  const live = ancestors(graph, graph.outputs.map(({ id }) => id)); // prettier-ignore
  const places = [...nodesOf(graph)].filter((node) => live[node.id] === 1 && isOpNode(node)).map(({ id }) => id);
  if (places.length === 0) places.push(graph.outputs[0].id);
  plants.forEach(({ kind, at, readers }, k) => {
    const node = nodes[places[at % places.length]]!;
    const { dims, dtype } = types[node.id]!;
    const plant = KINDS[kind](node, apply, dtype!, dims!.length);
    if (plant === undefined) return;
    if (readers > 99) outputs.push({ name: `p${k}`, id: plant });
    if (!keepsShape(kind)) return;
    // What is planted reads the value itself, so only nodes of the graph as it was may turn to it.
    for (let id = 0, bit = 0; id < graph.size; id++) {
      const reader = nodes[id];
      if (reader === undefined || !isOpNode(reader) || !reader.inputs.includes(node.id)) continue;
      if ((readers >> bit++ % 8) % 2 === 1) nodes[id] = { ...reader, inputs: reader.inputs.map((input) => (input === node.id ? plant : input)) }; // prettier-ignore
    }
    outputs.forEach((output, bit) => void (output.id === node.id && (readers >> (bit + 3)) % 2 === 1 && (output.id = plant)));
  });
  const size = nodes.length;
  return { graph: { ...graph, chunks: chunked(nodes), size, outputs }, feeds };
}

/** The last kind makes another shape. */
const keepsShape = (kind: number): boolean => kind !== KINDS.length - 1;

const plant: fc.Arbitrary<Plant> = fc.record({
  // Every second one computes a value again.
  kind: fc.oneof(fc.nat(1), fc.nat(KINDS.length - 1)),
  at: fc.nat(99),
  readers: fc.nat(255),
});

/** Random graphs in which passes have something to do. */
export const plantedGraph = (choice: GraphChoice = {}, most = 6): fc.Arbitrary<RandomGraph> =>
  fc
    .tuple(randomGraph(choice), fc.array(plant, { minLength: 1, maxLength: most }))
    .map(([random, plants]) => planted(random, plants));
