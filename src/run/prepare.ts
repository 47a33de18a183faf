/**
 * @file A graph made ready for a backend, before any shape is known: optimised, ordered, every value given a slot.
 */
import { fault, quoted } from '../errors/index.js';
import type { Backend } from '../backends/index.js';
import { leastRecentlyUsed, type Lru } from '../backends/lru.js';
import {
  findNode,
  isOpNode,
  isValueNode,
  nameOf,
  nodesOf,
  type ConstantNode,
  type Graph,
  type Node,
  type NodeId,
  type OpNode,
} from '../graph/graph.js';
import { idOfKey } from '../graph/keys.js';
import { topology } from '../graph/topology.js';
import { throwIfBroken } from '../graph/validate/validate.js';
import { applyPasses, fusionLimits, LEVELS, type Level, type Pass } from '../passes/index.js';
import type { PlacementName } from '../plan/arena/plan.js';
import type { Tensor } from '../tensor/tensor.js';
import { compiledOf, type CompiledGraph } from './compiled.js';
import { note } from './noted.js';
import { outputKeys } from './output-keys.js';
import type { Chooser } from './choose.js';
import { sharesOf } from './paired.js';
import type { Program } from './program.js';
import { withRoom } from './room.js';
import { tiersOf } from './tiers.js';
import { checkGraph } from '../graph/check-graph.js';

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
  /** Passes that changed something on the way. */
  readonly edits: readonly Pass[];
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
  /** Present where the backend chooses the program of each frame by itself: for one caller. */
  readonly choosing?: () => Chooser;
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
  readonly placement: PlacementName;
  /** Most bytes of a run of it: more is refused before any is allocated. */
  readonly memoryLimit: number | undefined;
  /** Most bytes that a frame may hold. */
  readonly memoryBudget: number | undefined;
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
  /** The steps are made once, so that every frame must go through the same ones. */
  readonly isFixed: boolean;
  readonly fallback: 'js' | 'never';
  readonly inPlace: 'safe' | 'none';
  readonly fastMath: boolean;
  readonly placement: PlacementName;
  readonly memoryLimit: number | undefined;
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
    preparation.isFixed,
    preparation.fallback,
    preparation.inPlace,
    preparation.fastMath,
    preparation.placement,
    preparation.memoryLimit,
  ]);
  let graphs = known.get(preparation.backend);
  if (graphs === undefined) known.set(preparation.backend, (graphs = new WeakMap()));
  let byKey = graphs.get(graph);
  if (byKey === undefined) checkGraph(graph);
  if (byKey === undefined) graphs.set(graph, (byKey = new Map()));
  let prepared = byKey.get(key);
  if (prepared === undefined) byKey.set(key, (prepared = (tiersOf(preparation.backend) ?? prepareAnew)(graph, preparation)));
  return prepared;
}

/** The same without remembering. */
export function prepareAnew(given: Graph, preparation: Preparation): Prepared {
  const { backend: asked, level, keep, retain, outputs, isVisible, fallback, inPlace } = preparation;
  const { placement, memoryLimit, fastMath } = preparation;
  const compiled = compiledOf(given);
  const source = compiled?.source ?? given;
  if (compiled === undefined) throwIfBroken(given);
  const kept = keep.map((name) => ({ name, id: keptId(source, name) }));
  const wanted = { keep: [...kept.map(({ id }) => id), ...retain], apart: retain, fastMath };
  const context = { ...fusionLimits(asked.capabilities), ...wanted };
  // A compiled graph is optimised already.
  const passes: readonly Pass[] = compiled === undefined ? LEVELS[level] : [];
  const { graph, reports } = applyPasses(compiled === undefined ? given : kepts(compiled, context.keep), passes, context);
  const slots = new Int32Array(graph.size).fill(-1);
  let slotCount = 0;
  const nodes: OpNode[] = [];
  for (const id of topology(graph).order) {
    const node = findNode(graph, id)!;
    slots[id] = slotCount++;
    if (isOpNode(node)) nodes.push(node);
  }
  // Slots are numbers alone; only the order of the nodes counts.
  const ordered = compiled?.order?.map((id) => findNode(graph, id) as OpNode) ?? nodes;
  const optimised: Optimised = {
    graph,
    edits: passes.filter((_, at) => reports[at].patches.length > 0),
    source,
    asked,
    nodes: ordered,
    slots,
    slotCount,
    isVisible,
    outputs: outputKeys([...graph.outputs, ...kept]).map(({ key, id }) => ({ key, slot: slots[id] })),
    borrows: outputs === 'borrow',
    fallback,
    inPlace,
    placement,
    memoryLimit,
    memoryBudget: compiled?.memoryBudget,
  };
  const prepared = preparedOn(optimised, asked);
  if (compiled !== undefined) note(compiled, prepared);
  return prepared;
}

type Held = Pick<Prepared, 'backend' | 'inputs' | 'constants' | 'programs'>;

/** A graph with its slots, whoever computes it. */
export type Optimised = Omit<Prepared, keyof Held | 'larger' | 'instead' | 'choosing'>;

/** The graph with its values where a backend reads them, or where both of a pair do. @throws EinstreamError E_OOM */
export function preparedOn(optimised: Optimised, backend: Backend): Prepared {
  const { small, large } = sharesOf(backend);
  const prepared: Prepared = {
    ...optimised,
    ...onBackend(small, optimised),
    larger: large && larger,
    instead: undefined,
  };
  let made: Prepared | undefined;
  function larger(): Prepared {
    const instead = optimised.fallback === 'never' ? undefined : prepared;
    return (made ??= { ...optimised, ...onBackend(large!(), optimised), larger: undefined, instead });
  }
  return prepared;
}

/** A compiled graph is not optimised again, so what is to be seen must be in it. */
function kepts(compiled: CompiledGraph, keep: readonly NodeId[]): CompiledGraph {
  const gone = keep.find((id) => findNode(compiled.graph, id) === undefined);
  if (gone === undefined) return compiled;
  throw fault('E_ARGUMENT', {
    place: 'keep',
    rule: 'a compiled graph has the values that it was told to keep',
    actual: quoted(nameOf(findNode(compiled.source, gone)!)),
    hint: 'compile(graph, { keep: [name] }), or { use: [middleware] } for what middleware reads',
  });
}

/** The values of params and constants where the backend reads them, and its programs. */
function onBackend(backend: Backend, { graph, slots }: Optimised): Held {
  const upload = (value: Tensor): Tensor => withRoom(backend, () => backend.upload(value));
  const constants: { readonly slot: number; readonly value: Tensor }[] = [];
  for (const node of nodesOf(graph))
    if (isConstant(node) && slots[node.id] >= 0) constants.push({ slot: slots[node.id], value: upload(node.value) });
  return {
    backend,
    constants,
    inputs: graph.inputs.map((id) => {
      const node = findNode(graph, id)!;
      return { node, name: nameOf(node), slot: slots[id], value: isValueNode(node) ? upload(node.value) : undefined };
    }),
    programs: leastRecentlyUsed<string, Program>(PROGRAMS, (program) => program.dispose()),
  };
}

/** @throws EinstreamError E_ARGUMENT for a name that no value has */
export function keptId(graph: Graph, name: string): NodeId {
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
