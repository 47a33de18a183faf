/**
 * @file Joins one contraction with its producers, where that saves work or memory.
 */
import { isOpNode, type Graph, type Node, type NodeId, type OpNode } from '../../graph/graph.js';
import type { ValueType } from '../../graph/infer.js';
import { isStatic } from '../../ops/dims.js';
import { isContraction } from '../../ops/fusedSteps.js';
import { knownOp } from '../../ops/known.js';
import type { ContractionPath } from '../../plan/path/index.js';
import type { PassContext, Rewrite } from '../pass.js';
import { absorb, type Grown, type Surroundings } from './absorb.js';
import { statedSizes } from './claims.js';
import { elementsOf, measure, writtenBy } from './measure.js';
import type { Overlay } from './overlay.js';
import { sharedParams } from './shared-params.js';
import { lettersOf, specOf } from './spec-of.js';
import { sureTypes } from './sure-types.js';
import { isView, substitute, type Term } from './term.js';
import { termOf, type KnownTypes } from './term-of.js';

/** Operands up to which the cheapest order is found, so that joining never costs more. */
const FEW = 10;

/** Operands that are joined where a good order is found to be cheaper. */
const MANY = 32;

/** Views that are looked through to see what an operand repeats. */
const MAX_VIEWS = 16;

type Types = readonly (ValueType | undefined)[];

/** A function that replaces a root in `state` and says what it did; undefined where nothing is gained. */
export function joiner(
  graph: Graph,
  types: Types,
  state: Overlay,
  { fastMath = false, joins, maxFusedNodes, maxFusedDepth = Infinity }: PassContext,
): (root: OpNode) => Rewrite | undefined {
  const sure = sureTypes(graph, types);
  const path = measure(types);
  const shared = sharedParams();
  const term = termsIn({ types, sure }, state, fastMath ? ['mulNoNan'] : []);
  const sizeOf = (id: NodeId): number => elementsOf(types[id]!.dims!);

  /** An elementwise product is worth a contraction only where it repeats both operands. */
  const isOuter = ({ id, inputs }: OpNode): boolean => inputs.every((input) => sizeOf(seenThrough(input, term)) < sizeOf(id));

  const surroundings: Surroundings = {
    termOf: term,
    isReadOnce: state.isReadOnce,
    isOfKind(id, root) {
      const dtype = types[id]?.dtype;
      if (dtype === undefined || dtype !== types[root]?.dtype) return false;
      const node = state.find(id) as OpNode;
      return (node.op !== 'mul' && node.op !== 'mulNoNan') || isOuter(node);
    },
    isSound: (each) => statedSizes(each, types, sure) !== undefined,
  };

  /** The path of what has grown, if it takes less work than its parts, or as much with less to write. */
  function gain(root: NodeId, start: Term, { term: grown, joined }: Grown): ContractionPath | undefined {
    // Of many operands the order that is found depends on sizes, so they must be known.
    if (grown.operands.length > FEW && !grown.operands.every(({ id }) => isStatic(types[id]!.dims!))) return undefined;
    const after = path(grown);
    const parts = [path(start), ...joined.map((id) => path(term(id)!))];
    const results = joined.map(sizeOf);
    const flops = total(parts.map((part) => part.flops));
    const written = total([...parts.map(writtenBy), ...results]);
    const largest = Math.max(sizeOf(root), ...results, ...parts.map((part) => part.largest));
    if (after.flops > flops || after.largest > largest) return undefined;
    return after.flops < flops || writtenBy(after) < written ? after : undefined;
  }

  /** A contraction whose axes alone are put in another order, the last one kept, as kernels write along it. */
  function reordered({ id, op, inputs: [from] }: OpNode): Grown | undefined {
    const [outer, inner] = [term(id), term(from)];
    if (op !== 'transpose' || outer === undefined || inner === undefined || isView(inner)) return undefined;
    if (outer.output.at(-1) !== outer.operands[0].labels.at(-1) || !state.isReadOnce(from)) return undefined;
    const isWhole = isContraction(knownOp((state.find(from) as OpNode).op)) && surroundings.isOfKind(from, id);
    const next = isWhole ? substitute(outer, 0, inner) : undefined;
    return next !== undefined && surroundings.isSound(next) ? { term: next, views: [], joined: [from], isCut: false } : undefined;
  }

  /** Contractions that were tried with another one, to no avail: the cheapest order of all is as cheap as any of some. */
  const settled = new Set<NodeId>();
  function settle({ joined, isCut }: Grown): void {
    // The far ones may still gain from what was cut off.
    for (const id of isCut ? joined.slice(0, joined.length / 2) : joined) settled.add(id);
  }

  /** What nodes have taken in so far, where somebody asks. */
  const taken = new Map<NodeId, readonly NodeId[]>();
  function isWanted(from: readonly NodeId[], joined: OpNode): boolean {
    if (joins === undefined) return true;
    const inner = [...from, joined.id].flatMap((id) => [...(taken.get(id) ?? []), id]).slice(0, -1);
    if (!joins([...inner, joined.id], joined)) return false;
    taken.set(joined.id, inner);
    return true;
  }

  const most = Math.min(maxFusedNodes, maxFusedDepth) + 1;
  return (root) => {
    const isOwn = isContraction(knownOp(root.op));
    const first = reordered(root) ?? (root.op === 'transpose' ? undefined : { term: term(root.id), joined: [] });
    if (first?.term === undefined) return undefined;
    const start = first.term;
    let best: Grown | undefined;
    let found: ContractionPath | undefined;
    for (const operands of settled.has(root.id) ? [] : [FEW, MANY]) {
      const grown = absorb(root.id, start, Math.min(operands, most), surroundings);
      const isLarger = grown.joined.length > (best?.joined.length ?? 0);
      const next = isLarger ? gain(root.id, start, grown) : undefined;
      if (next === undefined) {
        if (best === undefined) settle(grown);
        break;
      }
      [best, found] = [grown, next];
    }
    // Views alone cost nothing, so that a contraction reads through them; but a sum stays a sum.
    best ??= isOwn || first.joined.length > 0 ? absorb(root.id, start, 0, surroundings) : undefined;
    if (best === undefined || best.joined.length + best.views.length + first.joined.length === 0) return undefined;
    const letters = lettersOf(best.term);
    const params = specOf(best.term, letters, statedSizes(best.term, types, sure)!);
    const from = [...first.joined, ...best.joined, ...best.views];
    const joined = { ...root, op: 'einsum', inputs: best.term.operands.map(({ id }) => id), params: shared(params) };
    if (!isWanted([...new Set(from)], joined)) return undefined;
    settled.clear();
    state.replace(joined);
    if (found === undefined) return { rule: `with views as ${params.spec}`, from, into: root.id };
    return { rule: `joined as ${params.spec}`, from, into: root.id, path: inLetters(found, letters) };
  };
}

const total = (amounts: readonly number[]): number => amounts.reduce((sum, amount) => sum + amount, 0);

/** Each node as a term, read once. @param products further ops that may stand for a product */
function termsIn(known: KnownTypes, state: Overlay, products: readonly string[]): (id: NodeId) => Term | undefined {
  const terms = new Map<Node, Term | undefined>();
  return (id) => {
    const node = state.find(id);
    if (node === undefined || !isOpNode(node)) return undefined;
    if (!terms.has(node)) terms.set(node, termOf(products.includes(node.op) ? { ...node, op: 'mul' } : node, known));
    return terms.get(node);
  };
}

/** The value that views show. */
function seenThrough(id: NodeId, term: (id: NodeId) => Term | undefined): NodeId {
  let at = id;
  for (let views = 0; views < MAX_VIEWS; views++) {
    const own = term(at);
    if (own === undefined || !isView(own)) return at;
    at = own.operands[0].id;
  }
  return at;
}

/** The path with the letters of the spec. */
function inLetters(path: ContractionPath, letters: ReadonlyMap<number, string>): ContractionPath {
  const names = path.contraction.names.map((name, label) => letters.get(label) ?? name);
  return { ...path, contraction: { ...path.contraction, names } };
}
