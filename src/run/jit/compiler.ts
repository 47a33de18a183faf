/**
 * @file Makes code of a path at a level, and counts what that took.
 */
import { diagnose, EinstreamError, fault, type Diagnostic } from '../../errors/index.js';
import type { Level } from '../../passes/index.js';
import type { Tensor } from '../../tensor/tensor.js';
import type { Prepared } from '../prepare.js';
import type { Program } from '../program.js';
import { build } from '../specialize.js';
import type { Levels } from './levels.js';
import type { Made, Path } from './path.js';
import type { JitState } from './state.js';
import { timed } from './timed.js';
import { noTimes } from './times.js';

/** @throws what the backend throws that cannot compile it */
export type Compile = (path: Path, level: Level, tensors: readonly Tensor[]) => Made;

/** @param cold as feeds are read */
export function compiler({ config, counts, changed }: JitState, cold: Prepared, levels: Levels): Compile {
  return (path, level, tensors) => {
    const before = config.clock();
    const program = build(levels.at(level), cold, tensors);
    counts.compilationMs += config.clock() - before;
    counts.compilations++;
    if (path.wasCompiled) counts.recompilations++;
    path.wasCompiled = true;
    changed();
    return madeOf(level, program, config.clock);
  };
}

export function madeOf(level: Level, program: Program, clock: () => number): Made {
  const times = noTimes();
  return { level, program, measured: timed(program, times, clock), times };
}

/** Bytes of a kernel and what describes it, about. */
const NODE_BYTES = 4096;

export const bytesOf = ({ arenas, actions }: Program): number => arenas.bytes + NODE_BYTES * actions.length;

/** What is told where code cannot be made: the same words for all shapes, so that each subscription hears of it once. */
export function uncompiled(name: string, cause: unknown): Diagnostic {
  const reason = cause instanceof EinstreamError ? cause : thrown(name, cause);
  return {
    ...diagnose('E_BACKEND', {
      place: `jit(${name})`,
      rule: `${name} cannot compile this hot path: it stays interpreted`,
      actual: reason.diagnostic.message,
      hint: "run with { fallback: 'never' } to make this an error",
      severity: 'warning',
      cause: reason,
    }),
    code: 'W_FALLBACK',
  };
}

const thrown = (name: string, cause: unknown): EinstreamError =>
  fault('E_CODEGEN', {
    place: name,
    rule: 'the backend must be able to compile the graph',
    actual: cause instanceof Error ? cause.message : String(cause),
    cause,
  });

/** Code that the cache could not hold. */
export const tooLarge = (bytes: number, most: number): EinstreamError =>
  fault('E_LIMIT', {
    place: 'jit',
    rule: 'code must fit into the cache',
    expected: `at most ${most} bytes`,
    actual: `${bytes} bytes`,
    hint: 'raise maxCacheBytes',
  });
