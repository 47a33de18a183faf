/**
 * @file Value numbering: which nodes compute the same, by op, parameters and operands, in one walk.
 *
 * Hashes only sort: nodes are compared in full.
 */
import { findNode, type Graph, type NodeId, type OpNode } from '../graph/graph.js';
import { textOfParams } from '../graph/plainText.js';
import { knownOp } from '../ops/known.js';
import type { Params } from '../ops/op.js';
import { commutes } from './commutes.js';

/** An op with its parameters. */
interface Kind {
  readonly number: number;
  readonly isCommutative: boolean;
}

/** One record for each op with the same parameters, whatever the op is called by. */
function kinds(): (node: OpNode) => Kind {
  const byText = new Map<string, Kind>();
  const known = new Map<Params, Map<string, Kind>>();
  return ({ op: name, params }) => {
    let byName = known.get(params);
    if (byName === undefined) known.set(params, (byName = new Map<string, Kind>()));
    let kind = byName.get(name);
    if (kind !== undefined) return kind;
    const op = knownOp(name);
    const text = `${op?.name ?? name} ${textOfParams(params)}`;
    kind = byText.get(text);
    if (kind === undefined)
      byText.set(text, (kind = { number: byText.size, isCommutative: op !== undefined && commutes(op, params) }));
    byName.set(name, kind);
    return kind;
  };
}

/**
 * Gives each op node the first one that computed the same, itself where there is none. Asked in topological order.
 *
 * @param numbers for each id the number of its value, of all operands of the node at least
 */
export function firstEqual(graph: Graph, numbers: Int32Array): (node: OpNode) => NodeId {
  const kindOf = kinds();
  // Open addressing: places hold id + 1, at least half of them nothing.
  const mask = 2 ** Math.ceil(Math.log2(graph.size + 1) + 1) - 1;
  const table = new Int32Array(mask + 1);
  const isSwapped = ({ inputs }: OpNode, { isCommutative }: Kind): boolean =>
    isCommutative && numbers[inputs[0]] > numbers[inputs[1]];
  const hash = ({ inputs }: OpNode, { number }: Kind, swapped: boolean): number => {
    let mixed = Math.imul(number + 1, 0x9e3779b1);
    for (let k = 0; k < inputs.length; k++) {
      mixed = Math.imul(mixed ^ numbers[inputs[swapped ? 1 - k : k]], 0x85ebca6b);
      mixed ^= mixed >>> 15;
    }
    return mixed & mask;
  };
  return (node) => {
    const kind = kindOf(node);
    const swapped = isSwapped(node, kind);
    for (let at = hash(node, kind, swapped); ; at = (at + 1) & mask) {
      const id = table[at] - 1;
      if (id < 0) {
        table[at] = node.id + 1;
        return node.id;
      }
      const other = findNode(graph, id) as OpNode;
      if (kindOf(other) !== kind || other.inputs.length !== node.inputs.length) continue;
      const turned = isSwapped(other, kind) !== swapped;
      if (node.inputs.every((input, k) => numbers[input] === numbers[other.inputs[turned ? 1 - k : k]])) return id;
    }
  };
}
