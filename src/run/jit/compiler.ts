/**
 * @file Makes code of a path at a level, and counts what that took.
 */
import { diagnose, EinstreamError, fault, type Diagnostic } from '../../errors/index.js';
import type { Level } from '../../passes/index.js';
import { byteSize } from '../../tensor/dtype.js';
import type { Tensor } from '../../tensor/tensor.js';
import type { Prepared } from '../prepare.js';
import type { Program } from '../program.js';
import { build } from '../specialize.js';
import type { Levels } from './levels.js';
import type { Folded, Made, Path } from './path.js';
import type { JitState } from './state.js';
import { copiedBytes, type Steady } from './steady.js';
import { timed } from './timed.js';
import { noTimes } from './times.js';

/** Both throw what the backend throws that cannot compile it. */
export interface Compiler {
  readonly at: (path: Path, level: Level, tensors: readonly Tensor[]) => Made;
  /** With inputs for constants; undefined where nothing folds. @param otherwise computes where they differ */
  readonly folded: (path: Path, inputs: readonly Steady[], otherwise: Program, tensors: readonly Tensor[]) => Made | undefined;
}

/** @param cold as feeds are read */
export function compiler({ config, counts, changed }: JitState, cold: Prepared, levels: Levels): Compiler {
  const { clock, hotLevel } = config;
  const count = (path: Path, ms: number): void => {
    counts.compilationMs += ms;
    counts.compilations++;
    if (path.wasCompiled) counts.recompilations++;
    path.wasCompiled = true;
    changed();
  };
  return {
    at(path, level, tensors) {
      const before = clock();
      const program = build(levels.at(level), cold, tensors);
      count(path, clock() - before);
      return madeOf(level, program, clock);
    },
    folded(path, steady, otherwise, tensors) {
      const before = clock();
      const found = levels.folded(hotLevel, steady);
      if (found === undefined) return undefined;
      const program = build(found.prepared, cold, tensors);
      count(path, clock() - before);
      const times = noTimes();
      const folded: Folded = {
        inputs: found.inputs,
        otherwise: timed(otherwise, times, clock),
        bytes: bytesOf(program) + newBytes(program.prepared, levels.at(hotLevel)) + copiedBytes(found.inputs),
      };
      return { ...madeOf(hotLevel, program, clock, times), folded };
    },
  };
}

export const madeOf = (level: Level, program: Program, clock: () => number, times = noTimes()): Made => ({
  level,
  program,
  measured: timed(program, times, clock),
  times,
  folded: undefined,
});

/** Of constants that the other one does not have. */
function newBytes({ constants }: Prepared, other: Prepared): number {
  const known = new Set(other.constants.map(({ value }) => value));
  return constants.reduce((bytes, { value }) => bytes + (known.has(value) ? 0 : value.size * byteSize(value.dtype)), 0);
}

/** Bytes of a kernel and what describes it, about. */
const NODE_BYTES = 4096;

export const bytesOf = ({ arenas, actions }: Program): number => arenas.bytes + NODE_BYTES * actions.length;

/** What is told where code cannot be made: the same words for all shapes, so that each subscription hears of it once. */
export function uncompiled(name: string, cause: unknown, otherwise = 'it stays interpreted'): Diagnostic {
  const reason = cause instanceof EinstreamError ? cause : thrown(name, cause);
  return {
    ...diagnose('E_BACKEND', {
      place: `jit(${name})`,
      rule: `${name} cannot compile this hot path: ${otherwise}`,
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
