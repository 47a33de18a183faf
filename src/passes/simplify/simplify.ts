/**
 * @file Algebraic simplification: the rules of `exact.ts` and `shapes.ts`, and with `fastMath` those of `fast.ts`, in one walk.
 *
 * Producers come first, so a node sees its operands as they have become. What a rule gives stands only where its type is the node's.
 */
import type { ConstantNode, Graph, Node, NodeId, OpNode } from '../../graph/graph.js';
import { findNode, isOpNode } from '../../graph/graph.js';
import { inferNode, type ValueType } from '../../graph/infer.js';
import { inferTypes } from '../../graph/shapes.js';
import { topology } from '../../graph/topology.js';
import { knownOp } from '../../ops/known.js';
import { Tensor } from '../../tensor/tensor.js';
import { appendNodes } from '../edit.js';
import type { Pass, PassContext, Rewrite } from '../pass.js';
import { changesOf, ownPlaces, replaceValues } from '../replace-values.js';
import { EXACT_RULES } from './exact.js';
import { FAST_RULES } from './fast.js';
import type { Instead, SimplifyRule, Values } from './rule.js';
import { SHAPE_RULES } from './shapes.js';
import { valuesIn } from './values.js';

/** Rules that may be applied to one node, one after another. */
const MOST_STEPS = 8;

const NONE = Object.freeze(Object.create(null) as Record<string, unknown>);

/**
 * Applies rules of algebra that change no bit. Cost: two walks. A node that another value stands for goes, one that becomes another op
 * keeps its id and name; kept values stay.
 *
 * ```ts
 * const g = graph({ x: input([2]) }, ({ x }) => ({ y: sum(neg(neg(mul(x, 1)))), z: mul(x, 0) }));
 * optimize(g, [simplify]).reports.flatMap(({ rewrites }) => rewrites.map(({ rule }) => rule)) // => ['x · 1 = x', '−(−x) = x']
 * ```
 */
export const simplify: Pass = {
  name: 'simplify',
  rewrite(graph, edit, context) {
    const { places, rewritten, added, rewrites } = simplified(graph, context);
    if (rewrites.length === 0) return;
    edit((draft) => {
      replaceValues(draft, graph, places, changesOf(graph, places, rewritten));
      appendNodes(draft, added);
    }, rewrites);
  },
};

/** Which rules look at which op. */
function rulesByOp({ fastMath }: PassContext): ReadonlyMap<string, readonly SimplifyRule[]> {
  const byOp = new Map<string, SimplifyRule[]>();
  for (const rule of [...EXACT_RULES, ...SHAPE_RULES, ...(fastMath === true ? FAST_RULES : [])])
    for (const op of rule.match) byOp.set(op, [...(byOp.get(op) ?? []), rule]);
  return byOp;
}

function simplified(graph: Graph, context: PassContext) {
  const rules = rulesByOp(context);
  const types = [...inferTypes(graph)];
  const places = ownPlaces(graph.size);
  const rewritten = new Map<NodeId, Node>();
  const added: ConstantNode[] = [];
  const rewrites: Rewrite[] = [];
  const kept = new Set(context.keep);
  const values = valuesIn(graph, types, rewritten, places, new Set(context.apart));
  const constantOf = (value: Tensor): NodeId => {
    const node: ConstantNode = { id: graph.size + added.length, op: 'constant', inputs: [], value };
    types[node.id] = inferNode(node, []);
    added.push(node);
    return node.id;
  };
  for (const id of topology(graph).order) {
    const given = findNode(graph, id)!;
    const name = isOpNode(given) ? knownOp(given.op)?.name : undefined;
    if (name === undefined || !rules.has(name)) continue;
    let node = { ...given, op: name, inputs: given.inputs.map((input) => places[input]) } as OpNode;
    let isAnother = false;
    for (let step = 0; step < MOST_STEPS; step++) {
      const found = firstOf(rules.get(node.op) ?? [], node, values, types, kept.has(id));
      if (found === undefined) break;
      const { rule, instead } = found;
      rewrites.push({ rule: rule.name, from: [id], into: 'value' in instead ? instead.value : id });
      if ('value' in instead) {
        places[id] = instead.value;
        break;
      }
      const inputs = instead.inputs.map((each) => (each instanceof Tensor ? constantOf(each) : each));
      node = { ...node, op: instead.op, inputs, params: instead.params ?? NONE };
      isAnother = true;
    }
    if (isAnother && places[id] === id) rewritten.set(id, node);
  }
  return { places, rewritten, added, rewrites };
}

interface Hit {
  readonly rule: SimplifyRule;
  readonly instead: Instead;
}

/** The first rule that has something to say of a node that may stand for it. */
function firstOf(
  rules: readonly SimplifyRule[],
  node: OpNode,
  values: Values,
  types: readonly (ValueType | undefined)[],
  isKept: boolean,
): Hit | undefined {
  for (const rule of rules) {
    const instead = rule.rewrite(node, values);
    if (instead === undefined || ('value' in instead && isKept)) continue;
    const type = 'value' in instead ? types[instead.value] : typeOf(node, instead, types);
    if (type !== undefined && isSame(type, types[node.id]!, rule.needsSizes === true)) return { rule, instead };
  }
  return undefined;
}

/** The type of what a rule gives; undefined where a bundle left its op out. */
function typeOf(
  node: OpNode,
  instead: Exclude<Instead, { readonly value: NodeId }>,
  types: readonly (ValueType | undefined)[],
): ValueType | undefined {
  if (knownOp(instead.op) === undefined) return undefined;
  const inputs = instead.inputs.map((each) => (each instanceof Tensor ? { dims: each.shape, dtype: types[node.id]!.dtype } : types[each]!)); // prettier-ignore
  const become = { ...node, op: instead.op, inputs: inputs.map((_, at) => at), params: instead.params ?? NONE };
  return inferNode(become, inputs);
}

/** Sizes that are not known are the same where the form says so, and may be others where it does not. */
function isSame(a: ValueType, b: ValueType, needsSizes: boolean): boolean {
  if (a.dtype === undefined || a.dtype !== b.dtype) return false;
  if (a.dims === undefined || b.dims === undefined) return !needsSizes && a.dims === b.dims;
  return a.dims.length === b.dims.length && a.dims.every((dim, axis) => dim === b.dims![axis] && !(needsSizes && dim === null));
}
