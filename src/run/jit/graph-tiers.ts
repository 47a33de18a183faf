/**
 * @file The tiers of one graph: interpreted at first, then code, then the level that measuring shows to be quickest.
 */
import type { Backend } from '../../backends/index.js';
import type { Tensor } from '../../tensor/tensor.js';
import type { Chooser } from '../choose.js';
import type { Preparation, Prepared } from '../prepare.js';
import { fits, programOf, type Program } from '../program.js';
import { isNoRoom } from '../room.js';
import { insteadOf, keyOf } from '../specialize.js';
import { typed, type Typed } from '../typed.js';
import { bytesOf, compiler, madeOf, tooLarge, uncompiled } from './compiler.js';
import { judgeOf } from './judge.js';
import type { Levels } from './levels.js';
import { newPath, type Code, type Path } from './path.js';
import { shapesOf } from './shapes.js';
import type { JitState } from './state.js';
import { timed } from './timed.js';
import { beginRun } from './times.js';

/** Elements that are interpreted in the time that compiling takes, about: a graph, and each node more. */
const COMPILING = 4000;
const COMPILING_NODE = 2500;

/** @param cold the graph for the interpreter, which reads the feeds */
export function graphTiers(
  state: JitState,
  inner: Backend,
  cold: Prepared,
  levels: Levels,
  { fallback }: Preparation,
): () => Chooser {
  const { config, counts, cache } = state;
  const number = state.number();
  const shapes = shapesOf(state);
  const compile = compiler(state, cold, levels);
  const longest = COMPILING + COMPILING_NODE * cold.nodes.length;
  const judge = judgeOf(state, levels, compile, inner.name);

  return () => {
    let last: Code | undefined;
    return {
      next(tensors) {
        // All that a frame costs once its path is settled.
        if (last?.isSettled === true && fits(last.made.program, tensors)) return counted(last).made.program;
        const key = keyOf(tensors);
        last = cache.get(`${number} ${key}`);
        if (last !== undefined && !last.isSettled) advance(last, tensors);
        // What was found to be slower than the interpreter is gone now.
        if (last === undefined || cache.get(last.key) !== last) return withoutCode(key, tensors);
        return running(counted(last));
      },
      instead: withoutRoom,
    };
  };

  function counted(code: Code): Code {
    counts.cacheHits++;
    code.stamp = counts.cacheHits + counts.cacheMisses;
    code.runs++;
    return code;
  }

  function advance(code: Code, tensors: readonly Tensor[]): void {
    if (!code.isSpecialised) shapes.missed();
    if (code.made.times.runs >= config.profilingWindow && (code.isSpecialised || shapes.isDecided())) judge(code, tensors);
  }

  function running({ isSettled, made }: Code): Program {
    if (isSettled) return made.program;
    beginRun(made.times, config.profilingWindow);
    return made.measured;
  }

  function withoutCode(shapeKey: string, tensors: readonly Tensor[]): Program {
    const path = pathOf(shapeKey, tensors);
    const isDue = runsBefore(path) >= config.hotPathThreshold || path.isLong;
    counts.cacheMisses++;
    if (isDue && path.failure === undefined && path.verdict !== 'interpreted') {
      const code = newCode(path, tensors);
      if (code !== undefined) return running(code);
    }
    beginRun(path.interpreted, config.profilingWindow);
    return interpreted(path, shapeKey, tensors);
  }

  /** Counts a run, together with those of other shapes where these are not told apart. */
  function runsBefore(path: Path): number {
    const paths = state.paths();
    const key = config.specialization ? path.key : `${number}`;
    const shared = config.specialization ? path : (paths.get(key) ?? paths.set(key, newPath(key, false)));
    const runs = state.runs().record(key);
    if (!shared.isHot && (runs >= config.hotPathThreshold || path.isLong)) {
      shared.isHot = true;
      counts.hotPathsDetected++;
      state.changed();
    }
    return runs - 1;
  }

  /** Undefined where none can be had; why is remembered, and told with the interpreted program. */
  function newCode(path: Path, tensors: readonly Tensor[]): Code | undefined {
    const isSpecialised = shapes.hasRoom();
    if (!isSpecialised) shapes.missed();
    const proven = path.verdict === 'interpreted' ? undefined : path.verdict;
    try {
      const made = compile(path, isSpecialised ? (proven ?? config.hotLevel) : config.initialLevel, tensors);
      const bytes = bytesOf(made.program);
      if (bytes > config.maxCacheBytes) {
        made.program.dispose();
        throw tooLarge(bytes, config.maxCacheBytes);
      }
      const stamp = counts.cacheHits + counts.cacheMisses;
      const code: Code = { key: path.key, bytes, stamp, path, isSpecialised, made, rival: undefined, isSettled: false, runs: 1 };
      if (isSpecialised) shapes.add(code);
      cache.add(code);
      return code;
    } catch (error) {
      if (fallback === 'never') throw error;
      path.failure = uncompiled(inner.name, error);
      return undefined;
    }
  }

  function pathOf(shapeKey: string, tensors: readonly Tensor[]): Path {
    const key = `${number} ${shapeKey}`;
    const known = state.paths().get(key);
    if (known !== undefined) return known;
    // Where a feed alone is more than that, the operations on it need not be looked at.
    if (tensors.some(({ size }) => size > longest)) return state.paths().set(key, newPath(key, true));
    const here = typed(cold, cold, tensors);
    const path = state.paths().set(key, newPath(key, pointsOf(here) > longest));
    if (!path.isLong && cold.programs.get(shapeKey) === undefined) cold.programs.set(shapeKey, programOf(here));
    return path;
  }

  function interpreted(path: Path, shapeKey: string, tensors: readonly Tensor[]): Program {
    const of = cold.programs.get(shapeKey) ?? cold.programs.set(shapeKey, programOf(typed(cold, cold, tensors)));
    const { shown, failure } = path;
    if (shown?.of === of && shown.failure === failure) return shown.program;
    const program = timed(of, path.interpreted, config.clock);
    path.shown = { of, failure, program: failure === undefined ? program : { ...program, notes: [...of.notes, failure] } };
    return path.shown.program;
  }

  /** The backend has no room for these feeds: its own way out of that is taken, or else the interpreter computes. */
  function withoutRoom(program: Program, tensors: readonly Tensor[], error: unknown): Program {
    const shapeKey = keyOf(tensors);
    const code = cache.get(`${number} ${shapeKey}`);
    if (code === undefined || program.prepared.instead === undefined || !isNoRoom(error)) throw error;
    if (program.prepared.instead !== cold) {
      code.made = madeOf(code.made.level, insteadOf(program, cold, tensors, error), config.clock);
      return running(code);
    }
    state.drop(code);
    code.path.failure = uncompiled(inner.name, error);
    return interpreted(code.path, shapeKey, tensors);
  }
}

/** Elements that all loops of a run go through. */
function pointsOf({ works }: Typed): number {
  let points = 0;
  for (const { work } of works)
    if (work.kind !== 'view')
      for (const { ir } of work.calls) points += ir.extents.reduce((product, extent) => product * extent, 1);
  return points;
}
