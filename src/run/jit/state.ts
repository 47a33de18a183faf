/**
 * @file What all graphs of one just-in-time tier share: its code, its counts, and who hears of them.
 */
import { codeCache, type CodeCache } from '../../backends/jit/code-cache.js';
import type { JitConfig } from '../../backends/jit/config.js';
import { hotPaths, type HotPaths } from '../../backends/jit/hot-paths.js';
import { noCounts, statsOf, type Counts, type JitStats } from '../../backends/jit/stats.js';
import { leastRecentlyUsed, type Lru } from '../../backends/lru.js';
import { savedBy, type Code, type Path } from './path.js';

export interface JitState {
  readonly config: Required<JitConfig>;
  readonly counts: Counts;
  /** Counts runs by path, also of those whose code had to go. */
  readonly runs: () => HotPaths;
  readonly paths: () => Lru<string, Path>;
  readonly cache: CodeCache<Code>;
  /** Another number after each `clear`: what was known of graphs before is void. */
  readonly epoch: () => number;
  /** A number for each graph and choice of options. */
  readonly number: () => number;
  /** Takes code out of use; frames that are on their way in it still finish. */
  readonly drop: (code: Code) => void;
  readonly stats: () => JitStats;
  readonly clear: () => void;
  /** Something was compiled, given up or cleared. */
  readonly changed: () => void;
  /** Calls `hear` after each change, until the function that it gives is called. */
  readonly listen: (hear: () => void) => () => void;
}

/** Paths that are counted for each that may have code: what is seldom run must not push out what is about to be hot. */
const COUNTED = 10;

export function jitState(config: Required<JitConfig>): JitState {
  const { maxCacheSize, maxCacheBytes, hotPathThreshold, clock } = config;
  const limit = maxCacheSize * COUNTED;
  const newRuns = (): HotPaths => hotPaths({ threshold: hotPathThreshold, limit, clock });
  let runs = newRuns();
  let paths = leastRecentlyUsed<string, Path>(limit);
  let [epoch, numbers] = [0, 0];
  const counts = noCounts();
  const listeners = new Set<() => void>();
  const release = (code: Code): void => {
    counts.savedMs += savedBy(code);
    code.made.program.dispose();
    code.rival?.program.dispose();
  };
  const cache = codeCache<Code>(maxCacheSize, maxCacheBytes, (code) => {
    release(code);
    // It has to earn new code, or paths that take turns would be compiled at each turn.
    runs.forget(code.path.key);
  });
  const state: JitState = {
    config,
    counts,
    runs: () => runs,
    paths: () => paths,
    cache,
    epoch: () => epoch,
    number: () => numbers++,
    drop(code) {
      cache.remove(code);
      release(code);
    },
    stats() {
      let saved = 0;
      for (const code of cache.entries()) saved += savedBy(code);
      return statsOf(counts, saved);
    },
    clear() {
      for (const code of [...cache.entries()]) state.drop(code);
      runs = newRuns();
      paths = leastRecentlyUsed<string, Path>(limit);
      Object.assign(counts, noCounts());
      epoch++;
      state.changed();
    },
    changed: () => listeners.forEach((hear) => hear()),
    listen(hear) {
      const own = (): void => hear();
      listeners.add(own);
      return () => void listeners.delete(own);
    },
  };
  return state;
}
