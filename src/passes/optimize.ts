/**
 * @file `optimize`: passes applied to a graph until none of them finds anything, with a record that takes them back.
 */
import { applyPatches, type Patch } from 'immer';
import { EinstreamError, fault } from '../errors/index.js';
import { findNode, type Graph, type Names, type NodeId, type OpNode } from '../graph/graph.js';
import { givenShapes } from '../graph/shapes.js';
import { throwIfBroken } from '../graph/validate/validate.js';
import type { Dims } from '../ops/dims.js';
import { knownOp } from '../ops/known.js';
import { FUSION_COSTS, readCosts, type FusionCostModel } from '../plan/fusionCosts.js';
import { groupCost } from './group-cost.js';
import { keptIds } from './kept-ids.js';
import { guessedTypes } from './estimate.js';
import { LEVELS, type Level } from './levels.js';
import { applyPass, type Pass, type PassContext, type PassReport } from './pass.js';

/** What `optimize` and `analyze` can be told. */
export interface OptimizeOptions {
  /** Whose passes are applied; `'standard'` by default. */
  readonly level?: Level;
  /** These passes instead, in this order. */
  readonly passes?: readonly Pass[];
  /** False leaves kernels apart. True by default. */
  readonly fusion?: boolean;
  /** False leaves nodes that no output depends on. True by default. */
  readonly deadNodes?: boolean;
  /** False leaves values that are computed twice. True by default. */
  readonly redundancy?: boolean;
  /** Share of its nodes' cost that a fused group must save, from 0 to 1; 0.1 by default. */
  readonly minFusionBenefit?: number;
  /** Rules may treat numbers as reals: see `RunOptions`. */
  readonly fastMath?: boolean;
  /** What kernels cost, in this and in reports; `FUSION_COSTS` by default. */
  readonly costs?: FusionCostModel;
  /** Names of values that stay, beside the outputs. */
  readonly keep?: readonly string[];
  /** Shapes of inputs by name, for costs; a size that is not known counts as 64. */
  readonly shapes?: Readonly<Record<string, Dims>>;
}

/** A graph that passes have rewritten, and the record of it. */
export interface Optimized<I extends Names = Names, O extends Names = Names> {
  readonly graph: Graph<I, O>;
  /** What each pass did that found something, in order. */
  readonly reports: readonly PassReport[];
  /** How many times all passes were applied, the last time without a finding. */
  readonly rounds: number;
}

/** Each round finds less; one that goes on for ever is a pass at fault. */
const MOST_ROUNDS = 32;

/** Most nodes of a fused kernel where no backend has a say. */
const MOST_FUSED = 128;

/**
 * Applies passes to a graph, again and again, until none finds anything. Ids and names keep their meaning.
 *
 * ```ts
 * const g = graph({ x: input([2]) }, ({ x }) => ({ y: add(exp(x), exp(x)), z: relu(neg(x)) }));
 * const { graph: better, reports } = optimize(g, { fusion: false });
 * [nodeCount(g), nodeCount(better)] // => [6, 5]
 * reports.map(({ pass, rewrites }) => [pass, rewrites[0].rule]) // => [['eliminateCommonSubexpressions', 'same as']]
 * ```
 *
 * @param options a list stands for `passes`
 * @throws EinstreamError E_ARGUMENT for options that make no sense, E_CONSUMER for a pass that throws or finds something for ever,
 *   the first fault of a broken graph
 */
export function optimize<I extends Names, O extends Names>(
  graph: Graph<I, O>,
  options: OptimizeOptions | readonly Pass[] = {},
): Optimized<I, O> {
  const read = isList(options) ? { passes: options } : options;
  const passes = passesOf(read);
  throwIfBroken(graph);
  const keep = keptIds(graph, read.keep ?? []);
  const reports: PassReport[] = [];
  let current: Graph = graph;
  for (let rounds = 1; rounds <= MOST_ROUNDS; rounds++) {
    const before = current;
    for (const pass of passes) {
      const { graph: next, report } = applied(current, pass, contextOf(current, keep, read));
      current = next;
      if (report.patches.length > 0) reports.push(report);
    }
    if (current === before) return { graph: current as Graph<I, O>, reports, rounds };
  }
  throw fault('E_CONSUMER', { place: 'passes', rule: `passes come to an end within ${MOST_ROUNDS} rounds`, actual: passes.map(({ name }) => name).join() }); // prettier-ignore
}

/**
 * Takes back what reports say, the last first: the graph as it was before them.
 *
 * ```ts
 * const g = graph({ x: input([2]) }, ({ x }) => ({ y: add(exp(x), exp(x)) }));
 * const { graph: better, reports } = optimize(g);
 * equivalent(revert(better, reports), g) // => true
 * ```
 */
export const revert = <I extends Names, O extends Names>(graph: Graph<I, O>, reports: readonly PassReport[]): Graph<I, O> =>
  reports.reduceRight((current, { inverse }) => applyPatches(current, [...inverse] as Patch[]), graph);

const isList = (options: OptimizeOptions | readonly Pass[]): options is readonly Pass[] => Array.isArray(options);

function passesOf({
  level = 'standard',
  passes,
  fusion = true,
  deadNodes = true,
  redundancy = true,
}: OptimizeOptions): readonly Pass[] {
  if (!Object.hasOwn(LEVELS, level))
    throw fault('E_ARGUMENT', { place: 'level', rule: 'the level must be known', expected: Object.keys(LEVELS).join(', '), actual: JSON.stringify(level) }); // prettier-ignore
  const all: readonly Pass[] = passes ?? LEVELS[level];
  if (!Array.isArray(all) || !all.every((pass) => typeof pass?.rewrite === 'function'))
    throw fault('E_ARGUMENT', { place: 'passes', rule: 'passes are a list of records with `name` and `rewrite`' });
  const isLeft = (name: string): boolean =>
    (fusion || !name.startsWith('fuse')) &&
    (deadNodes || name !== 'eliminateDeadNodes') &&
    (redundancy || name !== 'eliminateCommonSubexpressions');
  return all.filter(({ name }) => isLeft(name));
}

function contextOf(graph: Graph, keep: readonly NodeId[], options: OptimizeOptions): PassContext {
  const { minFusionBenefit = 0.1, fastMath = false, shapes = {} } = options;
  const costs = readCosts(options.costs ?? FUSION_COSTS);
  if (typeof minFusionBenefit !== 'number' || !(minFusionBenefit >= 0 && minFusionBenefit <= 1))
    throw fault('E_ARGUMENT', { place: 'minFusionBenefit', rule: 'a share is a number from 0 to 1', actual: String(minFusionBenefit) }); // prettier-ignore
  let types: ReturnType<typeof guessedTypes> | undefined;
  const isKernel = (id: NodeId): boolean => knownOp((findNode(graph, id) as OpNode).op)!.view === undefined;
  const joins = (group: readonly NodeId[], joined?: OpNode): boolean => {
    // Views that a kernel takes in cost nothing either way.
    if (group.filter(isKernel).length < 2) return true;
    types ??= guessedTypes(graph, givenShapes(graph, shapes));
    return groupCost(graph, group, types, costs, joined).benefit >= minFusionBenefit;
  };
  return { keep, maxFusedNodes: MOST_FUSED, fastMath, ...(minFusionBenefit === 0 ? {} : { joins }) };
}

/** A pass may be anybody's: what it throws is an error of its own kind. */
function applied(graph: Graph, pass: Pass, context: PassContext): ReturnType<typeof applyPass> {
  try {
    return applyPass(graph, pass, context);
  } catch (error) {
    if (error instanceof EinstreamError) throw error;
    throw fault('E_CONSUMER', {
      place: `pass ${JSON.stringify(String(pass.name).slice(0, 80))}`,
      rule: 'a pass must not throw',
      actual: error instanceof Error ? error.message : String(error),
      cause: error,
    });
  }
}
