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
import { foldingOf } from './folding.js';
import { judgeOf } from './judge.js';
import type { Levels } from './levels.js';
import { newPath, type Code, type Folded, type Made, type Path } from './path.js';
import { shapesOf } from './shapes.js';
import type { JitState } from './state.js';
import { areSteady, copiedBytes } from './steady.js';
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
  const folding = foldingOf(state, levels, compile, cold.inputs, inner.name);
  const judge = judgeOf(state, levels, compile, folding, inner.name);

  return () => {
    let last: Code | undefined;
    return {
      next(tensors) {
        // All that a frame costs once its path is settled.
        if (last?.isSettled === true && fits(last.made.program, tensors))
          return last.made.folded === undefined ? counted(last).made.program : running(counted(last), tensors);
        const key = keyOf(tensors);
        last = cache.get(`${number} ${key}`);
        if (last !== undefined && !last.isSettled) advance(last, tensors);
        // What was found to be slower than the interpreter is gone now.
        if (last === undefined || cache.get(last.key) !== last) return withoutCode(key, tensors);
        return running(counted(last), tensors);
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
    if (code.steady.length > 0) folding.look(code, tensors);
    if (code.made.times.runs >= config.profilingWindow && (code.isSpecialised || shapes.isDecided())) judge(code, tensors);
  }

  function running(code: Code, tensors: readonly Tensor[]): Program {
    const { isSettled, made } = code;
    if (made.folded !== undefined) return guarded(code, made, made.folded, tensors);
    if (isSettled) return made.program;
    beginRun(made.times, config.profilingWindow);
    return made.measured;
  }

  /** To compare inputs is part of what a run takes. */
  function guarded(code: Code, made: Made, { inputs, otherwise }: Folded, tensors: readonly Tensor[]): Program {
    const before = code.isSettled ? 0 : config.clock();
    const isHeld = areSteady(inputs, tensors);
    if (!isHeld && folding.missed(code, tensors)) return running(code, tensors);
    if (code.isSettled) return isHeld ? made.program : code.rival!.program;
    beginRun(made.times, config.profilingWindow);
    made.times.ms += config.clock() - before;
    return isHeld ? made.measured : otherwise;
  }

  function withoutCode(shapeKey: string, tensors: readonly Tensor[]): Program {
    const path = pathOf(shapeKey, tensors);
    const isDue = runsBefore(path) >= config.hotPathThreshold || path.isLong;
    counts.cacheMisses++;
    if (isDue && path.failure === undefined && path.verdict !== 'interpreted') {
      const code = newCode(path, tensors);
      if (code !== undefined) return running(code, tensors);
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
      const made = compile.at(path, isSpecialised ? (proven ?? config.hotLevel) : config.initialLevel, tensors);
      const bytes = bytesOf(made.program);
      if (bytes > config.maxCacheBytes) {
        made.program.dispose();
        throw tooLarge(bytes, config.maxCacheBytes);
      }
      const stamp = counts.cacheHits + counts.cacheMisses;
      const steady = isSpecialised ? folding.watched(path, tensors) : [];
      const states = { rival: undefined, steady, misses: 0, isSettled: false, runs: 1 };
      const code: Code = { key: path.key, bytes: bytes + copiedBytes(steady), stamp, path, isSpecialised, made, ...states };
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
    if ((code.made.folded ?? code.rival?.folded) !== undefined) {
      // The next run earns code without constants, and what that needs is another matter.
      code.path.isFoldable = false;
      state.drop(code);
      return interpreted(code.path, shapeKey, tensors);
    }
    if (program.prepared.instead !== cold) {
      code.made = madeOf(code.made.level, insteadOf(program, cold, tensors, error), config.clock);
      return running(code, tensors);
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
