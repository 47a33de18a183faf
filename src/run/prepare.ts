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
import { outputKeys } from './output-keys.js';
import { sharesOf } from './paired.js';
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
  /** As it was given. */
  readonly source: Graph;
  /** Who was asked to compute: the default stands for two. */
  readonly asked: Backend;
  /** Who computes. */
  readonly backend: Backend;
  /**
   * The same graph for the backend that takes what is large, where nobody named one: made at the first call.
   *
   * @throws EinstreamError E_OOM when there is no memory for it
   */
  readonly larger: (() => Prepared) | undefined;
  /** Takes over where there is no room; undefined where somebody wanted this backend, or no other. */
  readonly instead: Prepared | undefined;
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
  /** Ids of values that must stay, beside those. */
  readonly retain: readonly NodeId[];
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
    preparation.retain,
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

function prepareAnew(given: Graph, preparation: Preparation): Prepared {
  const { backend: asked, level, keep, retain, outputs, isVisible, fallback, inPlace } = preparation;
  throwIfBroken(given);
  const kept = keep.map((name) => ({ name, id: keptId(given, name) }));
  const { maxFusedNodes, maxFusedOperands, maxResults } = asked.capabilities;
  const context = { keep: [...kept.map(({ id }) => id), ...retain], maxFusedNodes, maxFusedOperands, maxResults };
  const { graph } = applyPasses(given, LEVELS[level], context);
  const slots = new Int32Array(graph.size).fill(-1);
  let slotCount = 0;
  const nodes: OpNode[] = [];
  const constants: ConstantNode[] = [];
  for (const id of topology(graph).order) {
    const node = findNode(graph, id)!;
    slots[id] = slotCount++;
    if (isOpNode(node)) nodes.push(node);
    else if (isConstant(node)) constants.push(node);
  }
  const common = {
    graph,
    source: given,
    asked,
    nodes,
    slots,
    slotCount,
    isVisible,
    outputs: outputKeys([...graph.outputs, ...kept]).map(({ key, id }) => ({ key, slot: slots[id] })),
    borrows: outputs === 'borrow',
    fallback,
    inPlace,
  };
  const { small, large } = sharesOf(asked);
  const prepared: Prepared = {
    ...common,
    ...onBackend(small, graph, slots, constants),
    larger: large && larger,
    instead: undefined,
  };
  let made: Prepared | undefined;
  function larger(): Prepared {
    const instead = fallback === 'never' ? undefined : prepared;
    return (made ??= { ...common, ...onBackend(large!(), graph, slots, constants), larger: undefined, instead });
  }
  return prepared;
}

type Held = Pick<Prepared, 'backend' | 'inputs' | 'constants' | 'programs'>;

/** The values of params and constants where the backend reads them, and its programs. */
function onBackend(backend: Backend, graph: Graph, slots: Int32Array, constants: readonly ConstantNode[]): Held {
  const upload = (value: Tensor): Tensor => withRoom(backend, () => backend.upload(value));
  return {
    backend,
    constants: constants.map(({ id, value }) => ({ slot: slots[id], value: upload(value) })),
    inputs: graph.inputs.map((id) => {
      const node = findNode(graph, id)!;
      return { node, name: nameOf(node), slot: slots[id], value: isValueNode(node) ? upload(node.value) : undefined };
    }),
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

const isConstant = (node: Node): node is ConstantNode => node.op === 'constant';
