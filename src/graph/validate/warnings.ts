/**
 * @file What is no fault, yet worth a look: values that nobody reads, and graphs that are large. No run asks for it.
 */
import { diagnose, excerpt, type Diagnostic, type Fault } from '../../errors/index.js';
import { isOpNode, nodeCount, nodesOf, placeOf, type Graph, type Node } from '../graph.js';
import { ancestors } from '../topology.js';
import { MAX_LISTED } from './findings.js';

/** Nodes above which a graph is called large. */
export const LARGE_GRAPH = 1000;

const known = new WeakMap<Graph, readonly Diagnostic[]>();

/** The warnings of a graph, which never changes, found once. */
export function warningsOf(graph: Graph): readonly Diagnostic[] {
  let warnings = known.get(graph);
  if (warnings === undefined) known.set(graph, (warnings = examine(graph)));
  return warnings;
}

function examine(graph: Graph): readonly Diagnostic[] {
  const listed: Diagnostic[] = [];
  let more = 0;
  const warn = (code: string, details: () => Fault): void => {
    if (listed.length < MAX_LISTED) listed.push(warning(code, details()));
    else more++;
  };
  const used = ancestors(
    graph,
    graph.outputs.map(({ id }) => id),
  );
  for (const node of nodesOf(graph))
    if (used[node.id] !== 1) warn(isOpNode(node) ? 'W_UNREACHABLE' : 'W_UNUSED', () => unused(node));
  for (const { id, name } of graph.unproduced ?? [])
    warn('W_UNUSED', () => ({
      place: excerpt(name),
      nodeId: id,
      rule: `tensor ${id} has no producer and is no input`,
      hint: 'remove it, or list it among the inputs',
    }));
  const count = nodeCount(graph);
  if (count > LARGE_GRAPH)
    warn('W_LARGE', () => ({
      place: 'graph',
      rule: `a graph of more than ${LARGE_GRAPH} nodes is large`,
      actual: `${count} nodes`,
      hint: "compile it at level 'standard' or above, so that nodes are fused",
    }));
  if (more > 0) listed.push(warning('W_MORE', { place: 'validate', rule: `${more} more warnings are not listed` }));
  return Object.freeze(listed);
}

const warning = (code: string, details: Fault): Diagnostic => ({ ...diagnose('E_GRAPH', details), severity: 'warning', code });

function unused(node: Node): Fault {
  const place = placeOf(node);
  if (isOpNode(node))
    return { ...place, rule: 'no output depends on this node', hint: 'remove it, or list its value among the outputs' };
  if (node.op === 'constant') return { ...place, rule: 'no output depends on this constant' };
  return { ...place, rule: 'no output depends on this input', hint: 'its feed has no effect' };
}
