/**
 * @file A graph made ready for a backend, before any shape is known: optimised, ordered, every value given a slot.
 */
import { fault } from '../errors/index.js';
import type { Backend } from '../backends/index.js';
import { leastRecentlyUsed, type Lru } from '../backends/lru.js';
import {
  findNode,
  isOpNode,
  isValueNode,
  nameOf,
  type ConstantNode,
  type Graph,
  type Node,
  type NodeId,
  type OpNode,
} from '../graph/graph.js';
import { idOfKey } from '../graph/keys.js';
import { topology } from '../graph/topology.js';
import { throwIfBroken } from '../graph/validate/validate.js';
import { applyPasses, LEVELS, type Level } from '../passes/index.js';
import type { Tensor } from '../tensor/tensor.js';
import type { Program } from './program.js';
import { withRoom } from './room.js';

/** Programs kept for one prepared graph: one for each combination of feed shapes met lately. */
const PROGRAMS = 64;

export interface PreparedInput {
  readonly node: Node;
  readonly name: string;
  readonly slot: number;
  /** A param's own value, where the backend reads it. */
  readonly value: Tensor | undefined;
}

export interface PreparedOutput {
  readonly key: string;
  readonly slot: number;
}

export interface Prepared {
  readonly graph: Graph;
  readonly backend: Backend;
  /** Ops in the order of execution: one step each. */
  readonly nodes: readonly OpNode[];
  readonly inputs: readonly PreparedInput[];
  readonly constants: readonly { readonly slot: number; readonly value: Tensor }[];
  readonly outputs: readonly PreparedOutput[];
  /** Slot of each id; −1 for ids that have none. */
  readonly slots: Int32Array;
  readonly slotCount: number;
  /** Frames are seen between steps, so no value may lie where another did. */
  readonly isVisible: boolean;
  readonly borrows: boolean;
  readonly fallback: 'js' | 'never';
  readonly inPlace: 'safe' | 'none';
  readonly programs: Lru<string, Program>;
}

export interface Preparation {
  readonly backend: Backend;
  readonly level: Level;
  readonly keep: readonly string[];
  readonly outputs: 'copy' | 'borrow';
  readonly isVisible: boolean;
  readonly fallback: 'js' | 'never';
  readonly inPlace: 'safe' | 'none';
}

const known = new WeakMap<Backend, WeakMap<Graph, Map<string, Prepared>>>();

/**
 * Prepares a graph, once for each backend and choice of options.
 *
 * @throws EinstreamError the first fault of a broken graph, with all of them in `diagnostic.related`
 */
export function prepare(graph: Graph, preparation: Preparation): Prepared {
  const key = JSON.stringify([
    preparation.level,
    preparation.keep,
    preparation.outputs,
    preparation.isVisible,
    preparation.fallback,
    preparation.inPlace,
  ]);
  let graphs = known.get(preparation.backend);
  if (graphs === undefined) known.set(preparation.backend, (graphs = new WeakMap()));
  let byKey = graphs.get(graph);
  if (byKey === undefined) graphs.set(graph, (byKey = new Map()));
  let prepared = byKey.get(key);
  if (prepared === undefined) byKey.set(key, (prepared = prepareAnew(graph, preparation)));
  return prepared;
}

function prepareAnew(given: Graph, { backend, level, keep, outputs, isVisible, fallback, inPlace }: Preparation): Prepared {
  throwIfBroken(given);
  const kept = keep.map((name) => ({ name, id: keptId(given, name) }));
  const context = { keep: kept.map(({ id }) => id), maxFusedNodes: backend.capabilities.maxFusedNodes };
  const { graph } = applyPasses(given, LEVELS[level], context);
  const slots = new Int32Array(graph.size).fill(-1);
  let slotCount = 0;
  const nodes: OpNode[] = [];
  const constants: { slot: number; value: Tensor }[] = [];
  for (const id of topology(graph).order) {
    const node = findNode(graph, id)!;
    const slot = (slots[id] = slotCount++);
    if (isOpNode(node)) nodes.push(node);
    else if (isConstant(node)) constants.push({ slot, value: withRoom(backend, () => backend.upload(node.value)) });
  }
  const inputs = graph.inputs.map((id) => {
    const node = findNode(graph, id)!;
    return {
      node,
      name: nameOf(node),
      slot: slots[id],
      value: isValueNode(node) ? withRoom(backend, () => backend.upload(node.value)) : undefined,
    };
  });
  return {
    graph,
    backend,
    nodes,
    inputs,
    constants,
    slots,
    slotCount,
    isVisible,
    outputs: outputKeys([...graph.outputs, ...kept]).map(({ key, id }) => ({ key, slot: slots[id] })),
    borrows: outputs === 'borrow',
    fallback,
    inPlace,
    programs: leastRecentlyUsed<string, Program>(PROGRAMS, (program) => program.dispose()),
  };
}

function keptId(graph: Graph, name: string): NodeId {
  const id = idOfKey(graph, name);
  if (id === undefined)
    throw fault('E_ARGUMENT', {
      place: 'keep',
      rule: 'a kept name must be the name of a value',
      actual: JSON.stringify(name.slice(0, 80)),
      hint: "name values with named('h', x), or see inferShapes(graph) for all names",
    });
  return id;
}

/** A later value with a used name is keyed `name#<id>`; keeping an output again changes nothing. */
function outputKeys(
  values: readonly { readonly name: string; readonly id: NodeId }[],
): readonly { readonly key: string; readonly id: NodeId }[] {
  const used = new Map<string, NodeId>();
  for (const { name, id } of values) {
    if (used.get(name) === id) continue;
    let key = name;
    while (used.has(key)) key = `${key}#${id}`;
    used.set(key, id);
  }
  return [...used].map(([key, id]) => ({ key, id }));
}

const isConstant = (node: Node): node is ConstantNode => node.op === 'constant';
