/**
 * @file Joins contractions with those that they alone read, and with views, into one einsum of joined subscripts.
 *
 * `ac,cb->acb` then `acb->ab` is `ac,cb->ab`: a matrix product without the tensor of all products. What is joined is not
 * rounded in between, and may be summed in another order: float32 differs in the last places, int32 and bool not at all.
 * Nothing is joined that would take more multiplications and additions, or a larger intermediate value, than before.
 */
import { findNode, isOpNode, type Graph, type Node, type NodeId, type OpNode } from '../../graph/graph.js';
import type { ValueType } from '../../graph/infer.js';
import { inferTypes } from '../../graph/shapes.js';
import { topology } from '../../graph/topology.js';
import { isStatic } from '../../ops/dims.js';
import { isContraction } from '../../ops/fusedSteps.js';
import { knownOp } from '../../ops/known.js';
import type { Params } from '../../ops/op.js';
import type { ContractionPath } from '../../plan/path/index.js';
import { replaceNodes } from '../edit.js';
import type { Pass, PassContext, Rewrite } from '../pass.js';
import { absorb, type Grown, type Surroundings } from './absorb.js';
import { statedSizes } from './claims.js';
import { elementsOf, measure } from './measure.js';
import { overlay } from './overlay.js';
import { lettersOf, specOf } from './spec-of.js';
import { sureTypes } from './sure-types.js';
import { isView, type Term } from './term.js';
import { termOf } from './term-of.js';

/** Operands up to which the cheapest order is found, so that joining never costs more. */
const FEW = 10;

/** Operands that are joined where a good order is found to be cheaper. */
const MANY = 32;

/** Rounds over the graph: what one rewrite lets go of may be what another one waits for. */
const MAX_ROUNDS = 4;

/** Ops whose result one einsum can give: contractions, and sums over axes. */
const isRoot = ({ op }: OpNode): boolean => op === 'sum' || isContraction(knownOp(op));

/** Cost: a few walks of the graph. The root of a group keeps its id and name; what nobody reads any more leaves a hole. */
export const mergeEinsums: Pass = {
  name: 'mergeEinsums',
  rewrite(graph, edit, context) {
    const roots = rootsOf(graph);
    if (roots.length === 0) return;
    const types = inferTypes(graph);
    const state = overlay(graph, [...graph.outputs.map(({ id }) => id), ...context.keep]);
    const rewrites: Rewrite[] = [];
    const join = joiner(graph, types, state, context);
    for (let round = 0, before = -1; round < MAX_ROUNDS && rewrites.length !== before; round++) {
      before = rewrites.length;
      for (const id of roots) {
        const node = state.find(id);
        if (node !== undefined && isOpNode(node)) join(node, rewrites);
      }
    }
    if (rewrites.length > 0) edit((draft) => replaceNodes(draft, graph, state.changes), rewrites);
  },
};

/** Last ones first, those alone that read what might be joined. */
function rootsOf(graph: Graph): readonly NodeId[] {
  const isKnown = (id: NodeId): boolean => {
    const node = findNode(graph, id);
    return node !== undefined && isOpNode(node);
  };
  const roots: NodeId[] = [];
  for (const id of topology(graph).order) {
    const node = findNode(graph, id)!;
    if (isOpNode(node) && isRoot(node) && node.inputs.some(isKnown)) roots.push(id);
  }
  return roots.reverse();
}

type State = ReturnType<typeof overlay>;

/** Joins a root with its producers, if anything is gained. */
function joiner(
  graph: Graph,
  types: readonly (ValueType | undefined)[],
  state: State,
  { fastMath = false }: PassContext,
): (root: OpNode, rewrites: Rewrite[]) => void {
  const terms = new Map<Node, Term | undefined>();
  const sure = sureTypes(graph, types);
  const path = measure(types);
  const shared = sharedParams();
  const term = (id: NodeId): Term | undefined => {
    const node = state.find(id);
    if (node === undefined || !isOpNode(node)) return undefined;
    if (!terms.has(node)) {
      const dims = types[id]?.dims;
      const plain = fastMath && node.op === 'mulNoNan' ? { ...node, op: 'mul' } : node;
      terms.set(node, dims === undefined ? undefined : termOf(plain, types, dims));
    }
    return terms.get(node);
  };
  const surroundings: Surroundings = {
    termOf: term,
    isReadOnce: state.isReadOnce,
    isOfKind(id, root) {
      const dtype = types[id]?.dtype;
      return dtype !== undefined && dtype === types[root]?.dtype && (!isProduct(state.find(id)) || isOuter(id));
    },
    isSound: (each) => statedSizes(each, types, sure) !== undefined,
  };
  /** An elementwise product is worth a contraction only where it repeats both operands. */
  function isOuter(id: NodeId): boolean {
    const size = elementsOf(types[id]!.dims!);
    return (state.find(id) as OpNode).inputs.every((input) => elementsOf(types[seenThrough(input, term)]!.dims!) < size);
  }
  function gain(root: NodeId, start: Term, { term: grown, joined }: Grown): ContractionPath | undefined {
    // Of many operands the order that is found depends on sizes, so they must be known.
    if (grown.operands.length > FEW && !grown.operands.every(({ id }) => isStatic(types[id]!.dims!))) return undefined;
    const after = path(grown);
    const parts = [path(start), ...joined.map((id) => path(term(id)!))];
    const results = joined.map((id) => elementsOf(types[id]!.dims!));
    const flops = parts.reduce((sum, part) => sum + part.flops, 0);
    const written = parts.reduce((sum, part) => sum + writtenBy(part), 0) + results.reduce((sum, size) => sum + size, 0);
    const most = Math.max(elementsOf(types[root]!.dims!), ...results, ...parts.map(({ largest }) => largest));
    if (after.flops > flops || after.largest > most) return undefined;
    return after.flops < flops || writtenBy(after) < written ? after : undefined;
  }
  return (root, rewrites) => {
    const start = term(root.id);
    if (start === undefined) return;
    let best: Grown | undefined;
    let found: ContractionPath | undefined;
    for (const most of [FEW, MANY]) {
      const grown = absorb(root.id, start, most, surroundings);
      const isLarger = best === undefined || grown.joined.length > best.joined.length;
      const next = grown.joined.length > 0 && isLarger ? gain(root.id, start, grown) : undefined;
      if (next === undefined) break;
      [best, found] = [grown, next];
    }
    // Views alone cost nothing, so that a contraction reads through them, but a sum stays a sum.
    if (best === undefined && isContraction(knownOp(root.op))) {
      const seen = absorb(root.id, start, 0, surroundings);
      if (seen.views.length > 0) best = seen;
    }
    if (best === undefined) return;
    const letters = lettersOf(best.term);
    const params = shared(specOf(best.term, letters, statedSizes(best.term, types, sure)!));
    const inputs = best.term.operands.map(({ id }) => id);
    state.replace({ ...root, op: 'einsum', inputs, params });
    const spec = params['spec'] as string;
    const from = [...best.joined, ...best.views];
    if (found === undefined) rewrites.push({ rule: `reads through views as ${spec}`, from, into: root.id });
    else rewrites.push({ rule: `joined as ${spec}`, from, into: root.id, path: inLetters(found, letters) });
  };
}

const isProduct = (node: Node | undefined): boolean => node?.op === 'mul' || node?.op === 'mulNoNan';

const writtenBy = ({ steps }: ContractionPath): number => steps.slice(0, -1).reduce((sum, { elements }) => sum + elements, 0);

/** The path with the letters of the spec. */
const inLetters = (path: ContractionPath, letters: ReadonlyMap<number, string>): ContractionPath => {
  const names = path.contraction.names.map((name, label) => letters.get(label) ?? name);
  return { ...path, contraction: { ...path.contraction, names } };
};

/** The value that views show, at most so many of them. */
function seenThrough(id: NodeId, term: (id: NodeId) => Term | undefined): NodeId {
  let at = id;
  for (let steps = 0; steps < 16; steps++) {
    const own = term(at);
    if (own === undefined || !isView(own)) return at;
    at = own.operands[0].id;
  }
  return at;
}

/** The same object for the same parameters, so that equal nodes are compiled once. */
function sharedParams(): (params: ReturnType<typeof specOf>) => Params {
  const known = new Map<string, Params>();
  return (params) => {
    const key = JSON.stringify(params);
    let shared = known.get(key);
    if (shared === undefined)
      known.set(key, (shared = Object.freeze({ ...params, ...(params.sizes && { sizes: Object.freeze(params.sizes) }) })));
    return shared;
  };
}
