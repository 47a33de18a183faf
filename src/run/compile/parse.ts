/**
 * @file A compiled graph from text: nothing is optimised again, and nothing of the text is believed before it is checked.
 */
import { fault } from '../../errors/index.js';
import type { Backend } from '../../backends/index.js';
import { checkBackend } from '../../backends/supports.js';
import { freezeGraph } from '../../graph/builder.js';
import { graphLimits, type ParseOptions } from '../../graph/formats/limits.js';
import { ownReader } from '../../graph/formats/own/read.js';
import { paramsReader } from '../../graph/formats/params.js';
import { chunked, findNode, nameOf, type Graph, type Names, type Node } from '../../graph/graph.js';
import { jsonReader, type JsonReader } from '../../graph/json/index.js';
import { plainText } from '../../graph/plainText.js';
import { inferShapes } from '../../graph/shapes.js';
import { throwIfBroken } from '../../graph/validate/validate.js';
import { levelsOf } from '../../plan/schedule/index.js';
import { asCompiled, type CompiledGraph } from '../compiled.js';
import { readHead, type Head } from './head.js';
import { frugalOrder } from './frugal-order.js';
import { summaryOf } from './summary.js';
import { COMPILED_FORM } from './version.js';

/** Limits of `parseCompiled`, those of `parseGraph` for each of the two graphs; where the text comes from, and who will compute. */
export interface ParseCompiledOptions extends Omit<ParseOptions, 'sizes' | 'dtype'> {
  readonly backend?: Backend;
}

/**
 * Reads what `serializeCompiled` wrote, ready to run: same graphs, statistics and reports (their patches are empty).
 *
 * ```ts
 * const text = serializeCompiled(compile(graph({ x: input([2]) }, ({ x }) => ({ y: relu(neg(x)) }))));
 * evaluateSync(parseCompiled(text), { x: [-1, 2] }).y.toArray() // => [1, 0]
 * parseCompiled('{"einstream-compiled":1}') // => throws E_PARSE
 * ```
 *
 * @throws EinstreamError E_PARSE with line and column where the text is not of the form, or of another version; E_LIMIT one past a
 *   limit; what `validate` finds where one of the graphs is broken, E_GRAPH where they do not take and give the same; E_ARGUMENT
 *   for options that are not usable
 */
export function parseCompiled<I extends Names = Names, O extends Names = Names>(
  text: string | Uint8Array,
  options: ParseCompiledOptions = {},
): CompiledGraph<I, O> {
  const limits = graphLimits(options);
  if (options.backend !== undefined) checkBackend(options.backend);
  const reader = jsonReader(text, options, options.place);
  const paramsOf = paramsReader();
  const readGraph = (): Graph => {
    const form = ownReader(reader, limits, paramsOf);
    reader.object((key) => (key === 'einstream' ? void reader.skip() : form.member(key)));
    return form.result();
  };
  const head = readHead(reader);
  let source: Graph | undefined;
  let changed: Graph | undefined;
  let removed: readonly number[] | undefined;
  reader.object((key) => {
    if (head.isFirst()) requireForm(reader, key);
    if (key === 'source') source = readGraph();
    else if (key === 'changed') changed = readGraph();
    else if (key === 'removed') removed = reader.integers();
    else head.member(key);
  });
  reader.end();
  if (source === undefined || changed === undefined || removed === undefined)
    throw reader.fault('E_PARSE', { rule: 'a compiled graph has "source", "changed" and "removed"' }, 0);
  throwIfBroken(source);
  const graph = merged(source, changed, removed);
  throwIfBroken(graph);
  requireSameEnds(source, graph);
  return built(source, graph, head.result(), options.backend) as CompiledGraph<I, O>;
}

function requireForm(reader: JsonReader, key: string): void {
  const at = reader.offset();
  const version = key === 'einstream-compiled' ? reader.integer() : undefined;
  if (version === COMPILED_FORM) return;
  throw reader.fault(
    'E_PARSE',
    {
      rule: 'a compiled graph begins with the version of its form',
      expected: `"einstream-compiled": ${COMPILED_FORM}`,
      actual: version === undefined ? `"${key.slice(0, 40)}"` : String(version),
      hint: 'compile the graph again',
    },
    at,
  );
}

/** Nodes that both graphs have are one object again. */
function merged(source: Graph, changed: Graph, removed: readonly number[]): Graph {
  const gone = new Set(removed);
  const nodes: (Node | undefined)[] = [];
  for (let id = 0; id < changed.size; id++)
    nodes.push(findNode(changed, id) ?? (gone.has(id) ? undefined : findNode(source, id)));
  return freezeGraph({ ...changed, chunks: chunked(nodes) });
}

/** Two outputs may have become one value, under both names. */
function requireSameEnds(source: Graph, graph: Graph): void {
  const ends = (each: Graph): string =>
    plainText([each.inputs.map((id) => [id, nameOf(findNode(each, id)!)]), each.outputs.map(({ name }) => name)]);
  if (ends(source) === ends(graph)) return;
  throw fault('E_GRAPH', {
    place: 'parseCompiled',
    rule: 'a compiled graph takes and gives what its source does',
    expected: ends(source).slice(0, 200),
    actual: ends(graph).slice(0, 200),
  });
}

function built(source: Graph, graph: Graph, head: Head, backend: Backend | undefined): CompiledGraph {
  const { level, reports, statistics, fastMath, memoryBudget } = head;
  return asCompiled(graph, {
    ...{ source, level, reports, statistics, fastMath, memoryBudget, backend },
    shapes: head.shapes ? inferShapes(graph) : new Map<string, never>(),
    schedule: levelsOf(graph, head.parallelism ? 'together' : 'one'),
    order: head.frugal ? frugalOrder(graph) : undefined,
    summary: () => summaryOf({ level, reports, statistics }),
  });
}
