/**
 * @file A compiled graph as text: its source in the engine's own form, and of the optimised graph what is not in the source.
 */
import { describeValue, fault } from '../../errors/index.js';
import { encodePlain } from '../../graph/formats/own/plain.js';
import { writeOwn } from '../../graph/formats/own/write.js';
import { chunked, findNode, nodesOf, type Graph, type Node } from '../../graph/graph.js';
import { compiledOf, type CompiledGraph } from '../compiled.js';
import { COMPILED_FORM, ENGINE } from './version.js';

/**
 * Writes a compiled graph, for `parseCompiled`: level, statistics, what each pass rewrote, the graph as it was given and as it is
 * now. Tensors that both have are written once. Patches and the backend are left out.
 *
 * ```ts
 * const compiled = compile(graph({ x: input([2]) }, ({ x }) => ({ y: relu(neg(x)) })));
 * const loaded = parseCompiled(serializeCompiled(compiled));
 * [equivalent(loaded.graph, compiled.graph), serializeCompiled(loaded) === serializeCompiled(compiled)] // => [true, true]
 * ```
 *
 * @throws EinstreamError E_ARGUMENT for what `compile` did not make; E_LIMIT for metadata nested deeper than 48
 */
export function serializeCompiled(compiled: CompiledGraph): string {
  if (compiledOf(compiled) === undefined)
    throw fault('E_ARGUMENT', {
      place: 'serializeCompiled',
      rule: 'it writes what compile(graph) or parseCompiled(text) gave',
      actual: describeValue(compiled),
      hint: 'serializeGraph(graph) writes a graph',
    });
  const { source, graph, level, fastMath, memoryBudget, statistics, reports, shapes, schedule, order } = compiled;
  const isSequential = schedule.every(({ length }) => length === 1);
  const head = {
    ...{ engine: ENGINE, level, fastMath, memoryBudget, shapes: shapes.size > 0, parallelism: !isSequential },
    frugal: order !== undefined,
    statistics,
    reports: reports.map(({ pass, rewrites }) => ({ pass, rewrites })),
  };
  const members = Object.entries(head).filter(([, value]) => value !== undefined);
  const { changed, removed } = differenceOf(source, graph);
  return [
    `{"einstream-compiled":${COMPILED_FORM}`,
    ...members.map(([key, value]) => `"${key}":${encodePlain(value, key)}`),
    `"source":${writeOwn(source)}`,
    `"removed":[${removed.join()}]`,
    `"changed":${writeOwn({ ...graph, chunks: chunked(changed) })}}`,
  ].join(',\n');
}

/** Nodes by id that the source has otherwise or not at all, and ids of those that only the source has. */
function differenceOf(source: Graph, graph: Graph): { readonly changed: (Node | undefined)[]; readonly removed: number[] } {
  const changed = new Array<Node | undefined>(graph.size).fill(undefined);
  for (const node of nodesOf(graph)) if (findNode(source, node.id) !== node) changed[node.id] = node;
  const removed: number[] = [];
  for (const { id } of nodesOf(source)) if (findNode(graph, id) === undefined) removed.push(id);
  return { changed, removed };
}
