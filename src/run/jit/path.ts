/**
 * @file A path: a graph with feeds of certain types. What was seen of it so far, and the code that was made for it.
 */
import type { Entry } from '../../backends/jit/code-cache.js';
import type { Diagnostic } from '../../errors/index.js';
import type { Level } from '../../passes/index.js';
import type { Program } from '../program.js';
import type { Steady } from './steady.js';
import { noTimes, timePerRun, type Times } from './times.js';

export interface Path {
  readonly key: string;
  readonly interpreted: Times;
  /** One run would be interpreted for longer than compiling takes. */
  readonly isLong: boolean;
  /** It was run as often as the threshold says. */
  isHot: boolean;
  wasCompiled: boolean;
  /** What measuring has shown to be quickest; nothing is tried again. */
  verdict: Level | 'interpreted' | undefined;
  /** Places of inputs that were constants of its code until they changed: they never are again. */
  readonly varying: Set<number>;
  /** False once measuring has shown that constants gain nothing. */
  isFoldable: boolean;
  /** Why it has no code, and gets none as long as it is remembered. */
  failure: Diagnostic | undefined;
  /** The interpreted program as it is run, and what it was made from. */
  shown: { readonly of: Program; readonly failure: Diagnostic | undefined; readonly program: Program } | undefined;
}

export const newPath = (key: string, isLong: boolean): Path => ({
  key,
  interpreted: noTimes(),
  isLong,
  isHot: false,
  wasCompiled: false,
  verdict: undefined,
  varying: new Set(),
  isFoldable: true,
  failure: undefined,
  shown: undefined,
});

/** A program that was compiled at a level. */
export interface Made {
  readonly level: Level;
  readonly program: Program;
  /** The same while it is measured. */
  readonly measured: Program;
  readonly times: Times;
  /** Present where inputs are constants of it. */
  readonly folded: Folded | undefined;
}

/** What code that has inputs for constants counts on. */
export interface Folded {
  readonly inputs: readonly Steady[];
  /** What computes runs whose inputs differ, measured as runs of this code. */
  readonly otherwise: Program;
  /** Of the code, of its constants, and of what inputs are compared with. */
  readonly bytes: number;
}

/** The code of a path. */
export interface Code extends Entry {
  bytes: number;
  readonly path: Path;
  /** It is one of the few of its graph that are made for their own shapes. */
  readonly isSpecialised: boolean;
  made: Made;
  /** What `made` is measured against, while one of them is on trial; as long as `made` has inputs for constants, the same without. */
  rival: Made | undefined;
  /** Inputs that have not changed while it was measured. */
  steady: readonly Steady[];
  /** Runs whose inputs were not those that are constants of `made`. */
  misses: number;
  /** Nothing is measured or decided any more: frames need not ask again. */
  isSettled: boolean;
  runs: number;
}

/** Milliseconds that its runs took less than they would have when interpreted. */
export function savedBy({ path, made, runs }: Code): number {
  const before = timePerRun(path.interpreted);
  const now = timePerRun(made.times);
  return before === undefined || now === undefined ? 0 : (before - now) * runs;
}
