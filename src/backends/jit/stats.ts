/**
 * @file What a just-in-time tier counts.
 */

/** Counted since the tier was made, or cleared. */
export interface JitStats {
  /** Paths that were run as often as the threshold says. */
  readonly hotPathsDetected: number;
  /** Runs for which there was code. */
  readonly cacheHits: number;
  /** Runs for which there was none: they were interpreted, or had to wait for it. */
  readonly cacheMisses: number;
  /** The share of runs for which there was code, from 0 to 1; 0 before the first run. */
  readonly cacheHitRate: number;
  /** Programs that were compiled. */
  readonly compilations: number;
  /** Those among them for paths that had been compiled before. */
  readonly recompilations: number;
  /**
   * Graphs that gave up specialised code because shapes vary, and paths whose code was slower than the interpreter, or counted
   * on inputs that changed.
   */
  readonly deoptimizations: number;
  /** Milliseconds that compiling one program took, on average; 0 before the first. */
  readonly avgCompilationMs: number;
  /** Milliseconds that runs of code took less than they would have when interpreted, as far as both were measured. */
  readonly timeSavedMs: number;
}

/** The same while it is counted. */
export interface Counts {
  hotPathsDetected: number;
  cacheHits: number;
  cacheMisses: number;
  compilations: number;
  recompilations: number;
  deoptimizations: number;
  compilationMs: number;
  /** Saved by code that is gone. */
  savedMs: number;
}

export const noCounts = (): Counts => ({
  hotPathsDetected: 0,
  cacheHits: 0,
  cacheMisses: 0,
  compilations: 0,
  recompilations: 0,
  deoptimizations: 0,
  compilationMs: 0,
  savedMs: 0,
});

/** @param savedMs by code that is still there */
export function statsOf({ compilationMs, savedMs: before, ...counts }: Counts, savedMs: number): JitStats {
  const runs = counts.cacheHits + counts.cacheMisses;
  return Object.freeze({
    ...counts,
    cacheHitRate: runs === 0 ? 0 : counts.cacheHits / runs,
    avgCompilationMs: counts.compilations === 0 ? 0 : compilationMs / counts.compilations,
    timeSavedMs: before + savedMs,
  });
}
