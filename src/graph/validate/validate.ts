/**
 * @file Everything that is wrong with a graph, at once. Linear in nodes and edges, on any depth.
 */
import { describeValue, fault, type Diagnostic } from '../../errors/index.js';
import { findNode, type Graph, type Node } from '../graph.js';
import { inferNode, type ValueType } from '../infer.js';
import { topology } from '../topology.js';
import { checkCycles } from './cycles.js';
import { collector, firstError, type Collector, type Findings } from './findings.js';
import { checkEnds, checkNodes } from './structure.js';
import { warningsOf } from './warnings.js';
import { checkGraph } from '../check-graph.js';

const known = new WeakMap<Graph, Findings>();

/** What is wrong with a graph; found once for each graph, which never changes. */
export function faultsOf(graph: Graph): Findings {
  const found = known.get(graph);
  if (found !== undefined) return found;
  checkGraph(graph);
  const findings = examine(graph);
  known.set(graph, findings);
  return findings;
}

/**
 * Lists every fault of a graph, not only the first, and then warnings. Empty for a sound graph.
 *
 * Errors: cycles (each with its path), reads of what does not exist, two producers, no or repeated outputs, unknown ops,
 * wrong operand counts and parameters, axes beyond the rank, bad einsum specs (with a caret), shapes and dtypes that clash.
 * Warnings: unused inputs and tensors, nodes that no output depends on, more than 1,000 nodes.
 * At most 100 of each are listed; one more says how many there were beyond.
 *
 * ```ts
 * validate(graph({ x: input([2]) }, ({ x }) => ({ y: relu(x) }))) // => []
 * validate(graph({ x: input([2]) }, () => ({}))).map((d) => d.severity) // => ['error', 'warning']
 * ```
 */
export function validate(graph: Graph): Diagnostic[] {
  return [...faultsOf(graph).listed, ...warningsOf(graph)];
}

/**
 * Does nothing for a sound graph, and nothing again when asked again.
 *
 * @throws EinstreamError the first fault, with all of them in `diagnostic.related`
 */
export function throwIfBroken(graph: Graph): void {
  const error = firstError(faultsOf(graph));
  if (error !== undefined) throw error;
}

function examine(graph: Graph): Findings {
  requireGraph(graph);
  const found = collector();
  for (const diagnostic of graph.faults) found.diagnostic(diagnostic);
  const { order, blocked } = topology(graph);
  const wrong = checkNodes(graph, found);
  checkEnds(graph, found);
  checkCycles(graph, blocked, found);
  checkTypes(graph, order, wrong, found);
  return found.result();
}

function requireGraph(given: unknown): void {
  if (typeof given === 'object' && given !== null && 'chunks' in given && 'faults' in given) return;
  throw fault('E_ARGUMENT', {
    place: 'graph',
    rule: 'a graph is what graph(…) or parseGraph(…) gives',
    actual: describeValue(given),
  });
}

const UNKNOWN: ValueType = { dims: undefined, dtype: undefined };

/** Infers symbolically. Behind a fault types are unknown, which fits everywhere, so each fault is told once. */
function checkTypes(graph: Graph, order: readonly number[], wrong: Uint8Array, found: Collector): void {
  const types = new Array<ValueType>(graph.size).fill(UNKNOWN);
  const typeOf = (id: number): ValueType => types[id];
  const find = (id: number): Node | undefined => findNode(graph, id);
  for (const id of order) {
    if (wrong[id] === 1) continue;
    const node = find(id)!;
    try {
      types[id] = inferNode(node, node.inputs.map(typeOf), find);
    } catch (error) {
      found.error(error, node.location);
    }
  }
}
