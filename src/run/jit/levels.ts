/**
 * @file The same graph at several levels, for one backend: each made when it is asked for.
 */
import type { Backend } from '../../backends/index.js';
import { LEVEL_NAMES } from '../../backends/jit/config.js';
import type { Graph } from '../../graph/graph.js';
import { foldConstants, LEVELS, type Level, type Pass } from '../../passes/index.js';
import { compiledOf } from '../compiled.js';
import { prepareAnew, preparedOn, type Preparation, type Prepared } from '../prepare.js';
import { foldInputs, type FoldedGraph } from './fold-inputs.js';
import type { Steady } from './steady.js';

/** Where code of a level comes from. */
export interface Levels {
  /** @throws EinstreamError E_OOM when the backend has no room for what is constant */
  readonly at: (level: Level) => Prepared;
  /** The highest level below, not below `least`, at which the graph is another one; undefined where there is none. */
  readonly below: (level: Level, least: Level) => Level | undefined;
  /** The level folds constants, and the graph may be another one. */
  readonly folds: (level: Level) => boolean;
  /** The graph with inputs folded in; undefined where that makes nothing less of it. @throws as `at` */
  readonly folded: (level: Level, inputs: readonly Steady[]) => FoldedGraph | undefined;
}

/** Levels of a graph whose steps nobody has seen. @param cold computes where the backend has no room */
export function freeLevels(graph: Graph, preparation: Preparation, backend: Backend, cold: Prepared): Levels {
  const made = new Map<Level, Prepared>();
  const anew = (of: Graph, level: Level): Prepared => orInterpreted(prepareAnew(of, { ...preparation, backend, level }), cold);
  const at = (level: Level): Prepared => {
    let prepared = made.get(level);
    if (prepared === undefined) made.set(level, (prepared = anew(graph, level)));
    return prepared;
  };
  const below = (level: Level, least: Level): Level | undefined => {
    const { edits } = at(level);
    for (let k = LEVEL_NAMES.indexOf(level) - 1; k >= LEVEL_NAMES.indexOf(least); k--) {
      const passes: readonly Pass[] = LEVELS[LEVEL_NAMES[k]];
      // Where every pass that had something to do runs at both levels, both give the same graph.
      if (edits.some((pass) => !passes.includes(pass))) return LEVEL_NAMES[k];
    }
    return undefined;
  };
  // A compiled graph is not optimised again.
  const folds = (level: Level): boolean =>
    compiledOf(graph) === undefined && (LEVELS[level] as readonly Pass[]).includes(foldConstants);
  return {
    at,
    below,
    folds,
    folded: (level, inputs) => foldInputs(graph, at(level).graph, inputs, (of) => anew(of, level)),
  };
}

/** One level: frames of all programs go through the same steps. */
export function fixedLevel(cold: Prepared, backend: Backend): Levels {
  let made: Prepared | undefined;
  return {
    at: () => (made ??= orInterpreted(preparedOn(cold, backend), cold)),
    below: () => undefined,
    folds: () => false,
    folded: () => undefined,
  };
}

/** Where memory is the backend's own, all that a frame needs of it is had before its first step, while another may take over. */
const orInterpreted = (prepared: Prepared, cold: Prepared): Prepared =>
  prepared.backend.owns === undefined || prepared.fallback === 'never' ? prepared : { ...prepared, instead: cold };
