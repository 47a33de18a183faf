/**
 * @file What runs have done and how long it took, counted.
 */
import type { OpNode } from '../graph/graph.js';
import type { ExecutionHook, ExecutionPhase, ExecutionState } from '../run/index.js';
import { clockOf, type ClockOptions } from './clock.js';

/** Times of one kind of thing, in milliseconds. */
export interface Timing {
  readonly count: number;
  readonly totalMs: number;
  readonly meanMs: number;
  readonly maxMs: number;
}

/** Counts since the hook was made. */
export interface Metrics {
  /** Runs that began; each has one of the three ends, or is still going. */
  readonly runs: number;
  readonly completed: number;
  readonly failed: number;
  readonly cancelled: number;
  /** Feeds answered. */
  readonly frames: number;
  /** Of nodes, by op. What middleware does to a node is part of its time; of several frames on their way each counts its own. */
  readonly ops: Readonly<Record<string, Timing>>;
}

/** A hook, and what it has counted. */
export interface MetricsReport {
  readonly hook: ExecutionHook;
  read(): Metrics;
}

type Tally = [count: number, total: number, most: number];

/**
 * Counts runs, feeds and the time of each op: give the hook to a `context`. It hears of every node, which makes runs slower.
 *
 * ```ts
 * const counted = metrics();
 * const g = graph({ x: input([2]) }, ({ x }) => ({ y: sum(x) }));
 * evaluateSync(g, { x: [1, 2] }, { context: context({ hooks: [counted.hook] }) });
 * const { completed, frames, ops: { sum: { count } } } = counted.read();
 * [completed, frames, count] // => [1, 1, 1]
 * ```
 *
 * @throws EinstreamError E_ARGUMENT for a clock that is no function
 */
export function metrics(options: ClockOptions = {}): MetricsReport {
  const now = clockOf(options);
  const counts = { runs: 0, completed: 0, failed: 0, cancelled: 0, frames: 0 };
  const tallies = new Map<string, Tally>();
  /** Of each run: when the nodes that are running were started, by frame and node. */
  const running = new Map<number, Map<string, number>>();
  const key = ({ id }: OpNode, frame: number): string => `${frame}:${id}`;
  const ended: Partial<Record<ExecutionPhase, 'completed' | 'failed' | 'cancelled'>> = {
    Complete: 'completed',
    Failed: 'failed',
    Cancelled: 'cancelled',
  };
  return {
    hook: {
      onPhaseChange(phase, { run, frames }) {
        if (phase === 'GraphLoad') counts.runs++;
        const end = ended[phase];
        if (end === undefined) return;
        counts[end]++;
        counts.frames += frames;
        running.delete(run);
      },
      onNodeStart(node, frame, { run }: ExecutionState) {
        let started = running.get(run);
        if (started === undefined) running.set(run, (started = new Map()));
        started.set(key(node, frame), now());
      },
      onNodeComplete(node, frame, { run }) {
        const started = running.get(run);
        const from = started?.get(key(node, frame));
        if (from === undefined) return;
        started!.delete(key(node, frame));
        const ms = now() - from;
        const [count, total, most] = tallies.get(node.op) ?? [0, 0, 0];
        tallies.set(node.op, [count + 1, total + ms, Math.max(most, ms)]);
      },
    },
    read: () => ({ ...counts, ops: Object.fromEntries([...tallies].map(([op, tally]) => [op, timing(tally)])) }),
  };
}

const timing = ([count, totalMs, maxMs]: Tally): Timing => ({ count, totalMs, meanMs: totalMs / count, maxMs });
