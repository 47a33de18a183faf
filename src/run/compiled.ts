/**
 * @file What a compilation gives: a graph that `run` takes as it is, and what was found out on the way.
 *
 * It is a graph itself, the optimised one, so whoever takes a graph takes it. That it was compiled is known by the object
 * alone: a copy of its fields is a plain graph, and is optimised like any other.
 */
import { fault, outOfMemory, EinstreamError } from '../errors/index.js';
import type { Backend } from '../backends/index.js';
import type { Graph, Names, NodeId } from '../graph/graph.js';
import type { Dims } from '../ops/dims.js';
import type { Level, PassReport } from '../passes/index.js';

/** What a compilation found and saved. What is not known without sizes of all inputs is undefined. */
export interface CompileStatistics {
  /** Nodes of the graph as given, inputs, params and constants included, and of the optimised one. */
  readonly nodesBefore: number;
  readonly nodesAfter: number;
  /** Of nodes, in percent; 0 for an empty graph. */
  readonly reductionPercentage: number;
  /** Groups of nodes that became one. */
  readonly fusionsApplied: number;
  readonly deadNodesEliminated: number;
  /** Scalar operations of one run. */
  readonly flopsBefore: number | undefined;
  readonly flopsAfter: number | undefined;
  /** Bytes that kernels read and write in one run. */
  readonly bytesBefore: number | undefined;
  readonly bytesAfter: number | undefined;
  /** How many times faster it should be by these figures; 1 for no change. See `measureSpeedup` for what it is. */
  readonly estimatedSpeedup: number | undefined;
  /** Milliseconds that compiling took. */
  readonly timeMs: number;
  /** Bytes of intermediate values and outputs that one frame holds. */
  readonly memoryBytes: number | undefined;
}

/** A graph that was optimised once, to be run often. Frozen. Made by `compile` or `parseCompiled`. */
export interface CompiledGraph<I extends Names = Names, O extends Names = Names> extends Graph<I, O> {
  /** As it was given. */
  readonly source: Graph<I, O>;
  /** The optimised graph, as a plain one. */
  readonly graph: Graph<I, O>;
  readonly level: Level;
  readonly fastMath: boolean;
  /** Who computes where a run names nobody; undefined for the default. */
  readonly backend: Backend | undefined;
  /** What each pass did, in order. Patches and inverse are empty in one that was loaded. */
  readonly reports: readonly PassReport[];
  /** Of every value of the optimised graph by name, as `inferShapes` gives them. */
  readonly shapes: ReadonlyMap<string, Dims>;
  /** Ids of computing nodes: those of one group depend on none of it, and may run at the same time. */
  readonly schedule: readonly (readonly NodeId[])[];
  /** Ids of computing nodes in the order in which they run; undefined for the order as written. */
  readonly order: readonly NodeId[] | undefined;
  /** Most bytes that a frame may hold; a run that needs more is refused before its first kernel. */
  readonly memoryBudget: number | undefined;
  readonly statistics: CompileStatistics;
  /** All of it in a few lines of text. */
  readonly summary: () => string;
}

const made = new WeakSet<Graph>();

/** Freezes and marks what `compile` or `parseCompiled` made. */
export function asCompiled<I extends Names, O extends Names>(
  graph: Graph<I, O>,
  found: Omit<CompiledGraph<I, O>, keyof Graph | 'graph'>,
): CompiledGraph<I, O> {
  const compiled = Object.freeze({ ...graph, graph, ...found });
  made.add(compiled);
  return compiled;
}

/** The same object, if it is a compiled graph. */
export const compiledOf = (graph: Graph): CompiledGraph | undefined => (made.has(graph) ? (graph as CompiledGraph) : undefined);

/** What options of a run may not say otherwise than those of the compilation did. @throws EinstreamError E_ARGUMENT */
export function checkCompiled(
  { level, fastMath, backend: compiledFor }: CompiledGraph,
  given: { level?: Level; fastMath?: boolean; backend: Backend },
): void {
  if (given.level !== undefined && given.level !== level)
    throw fault('E_ARGUMENT', {
      place: 'level',
      rule: 'a compiled graph keeps the level that it was compiled at',
      expected: `'${level}'`,
      actual: `'${given.level}'`,
      hint: 'leave the level out, or run compiled.source',
    });
  if (given.fastMath !== undefined && given.fastMath !== fastMath)
    throw fault('E_ARGUMENT', {
      place: 'fastMath',
      rule: 'a compiled graph keeps the rules that it was compiled by',
      expected: String(fastMath),
      actual: String(given.fastMath),
      hint: 'compile(graph, { fastMath })',
    });
  if (compiledFor === undefined || compiledFor === given.backend) return;
  const [most, own] = [limitsOf(compiledFor), limitsOf(given.backend)];
  if (own.nodes >= most.nodes && own.operands >= most.operands) return;
  throw fault('E_ARGUMENT', {
    place: 'backend',
    rule: 'a compiled graph runs on backends that fuse as much as the one that it was compiled for',
    expected: `${compiledFor.name}: up to ${most.nodes} nodes and ${most.operands} operands in a kernel`,
    actual: `${given.backend.name}: up to ${own.nodes} and ${own.operands}`,
    hint: 'compile(graph, { backend })',
  });
}

const limitsOf = ({ capabilities: { maxFusedNodes, maxFusedOperands = Infinity } }: Backend) => ({
  nodes: maxFusedNodes,
  operands: maxFusedOperands,
});

/** @throws EinstreamError E_OOM with both numbers */
export function requireBudget(needed: number, budget: number | undefined, place: string): void {
  if (budget !== undefined && needed > budget) throw new EinstreamError(outOfMemory(needed, budget, { place }));
}
