/**
 * @file What runs often: runs are counted by key, and ranked by the time that they took.
 */
import { describeValue, fault } from '../../errors/index.js';

/** How runs are counted. */
export interface HotPathOptions {
  /** Runs that make a path hot; 10 by default. */
  readonly threshold?: number;
  /** The latest runs, of all paths together, that count; all of them by default. */
  readonly window?: number;
  /** Most paths that are remembered, 10,000 by default; the one that was not run for longest goes first. */
  readonly limit?: number;
  /** Milliseconds, never running back; `performance.now` by default. */
  readonly clock?: () => number;
}

/** One path as it stands. */
export interface HotPath {
  readonly key: string;
  /** Runs in the window. */
  readonly runs: number;
  /** Milliseconds that they took. */
  readonly totalMs: number;
  /** When it was run last, by the clock. */
  readonly lastMs: number;
}

/** Counts runs. Keys are compared in full. */
export interface HotPaths {
  /** One run, and how long it took if that is known by now. Gives the runs of the path that count. */
  readonly record: (key: string, ms?: number) => number;
  readonly runsOf: (key: string) => number;
  /** Paths that were run at least as often as the threshold says; those that took the most time first. */
  readonly hot: () => readonly HotPath[];
  /** Keys of paths that were not run for longer than so many milliseconds, 5 minutes by default. */
  readonly cold: (afterMs?: number) => readonly string[];
  /** The path counts from 0 again. */
  readonly forget: (key: string) => void;
  readonly clear: () => void;
}

interface Path {
  readonly key: string;
  runs: number;
  totalMs: number;
  lastMs: number;
}

const FIVE_MINUTES = 300_000;

/**
 * Finds out which paths are run often enough to be worth work that makes them quicker.
 *
 * ```ts
 * const paths = hotPaths({ threshold: 2 });
 * for (const [key, ms] of [['a', 5], ['b', 1], ['b', 1], ['a', 5], ['c', 9]] as const) paths.record(key, ms);
 * paths.hot().map(({ key, totalMs }) => `${key} ${totalMs}`) // => ['a 10', 'b 2']
 * ```
 *
 * @throws EinstreamError E_ARGUMENT for options outside their range
 */
export function hotPaths(options: HotPathOptions = {}): HotPaths {
  const { threshold = 10, window = Infinity, limit = 10_000, clock = () => performance.now() } = options;
  requireCount('threshold', threshold);
  if (window !== Infinity) requireCount('window', window);
  requireCount('limit', limit);
  if (typeof clock !== 'function')
    throw fault('E_ARGUMENT', { place: 'clock', rule: 'it is a function that gives milliseconds', actual: describeValue(clock) });
  // A Map keeps the order of insertion, so the path that was run last is put at the end.
  const paths = new Map<string, Path>();
  /** A ring of the latest runs, where a window is asked for. */
  const latest: { readonly path: Path; readonly ms: number }[] = [];
  let next = 0;
  const remember = (path: Path, ms: number): void => {
    if (window === Infinity) return;
    const gone = latest[next] as (typeof latest)[number] | undefined;
    latest[next] = { path, ms };
    next = (next + 1) % window;
    if (gone === undefined) return;
    gone.path.totalMs -= gone.ms;
    if (--gone.path.runs === 0 && paths.get(gone.path.key) === gone.path) paths.delete(gone.path.key);
  };
  return {
    record(key, ms = 0) {
      const path = paths.get(key) ?? { key, runs: 0, totalMs: 0, lastMs: 0 };
      path.runs++;
      path.totalMs += ms;
      path.lastMs = clock();
      paths.delete(key);
      paths.set(key, path);
      remember(path, ms);
      if (paths.size > limit) for (const oldest of paths.keys()) if (paths.size > limit) paths.delete(oldest);
      return path.runs;
    },
    runsOf: (key) => paths.get(key)?.runs ?? 0,
    hot: () =>
      [...paths.values()]
        .filter(({ runs }) => runs >= threshold)
        .sort((a, b) => b.totalMs - a.totalMs)
        .map((path) => ({ ...path })),
    cold(afterMs = FIVE_MINUTES) {
      const now = clock();
      return [...paths.values()].filter(({ lastMs }) => now - lastMs > afterMs).map(({ key }) => key);
    },
    forget: (key) => void paths.delete(key),
    clear() {
      paths.clear();
      latest.length = next = 0;
    },
  };
}

function requireCount(place: string, value: unknown): void {
  if (!(Number.isSafeInteger(value) && (value as number) >= 1))
    throw fault('E_ARGUMENT', { place, rule: 'it is an integer ≥ 1', actual: describeValue(value) });
}
