/**
 * @file One workload on all engines: each result checked, then repetition by repetition in turn, so that what else the machine
 * does meets all of them alike.
 */
import { cpus, loadavg } from 'node:os';
import type { Child } from './child.js';
import type { Failed } from './protocol.js';
import type { Workload } from './workloads.js';

/** Milliseconds of one execution. */
export interface Timing {
  /** Medians over the repetitions, and the least. */
  readonly cpu: number;
  readonly wall: number;
  readonly leastCpu: number;
  readonly leastWall: number;
  readonly repetitions: number;
  /** Executions in each. */
  readonly times: number;
  /** How far the result is from the right one. */
  readonly distance: number;
}

export interface Row {
  readonly id: string;
  readonly what: string;
  readonly cells: Readonly<Record<string, Timing | Failed>>;
  /** The system's load of the last minute. */
  readonly load: number;
  /** Processors that others kept busy meanwhile, on average. */
  readonly others: number;
}

export interface Pace {
  readonly repetitions: number;
  /** Milliseconds of processor time that one repetition is to take. */
  readonly slot: number;
  /** Milliseconds after which no further round of repetitions starts, once there were three. */
  readonly cap: number;
}

/** Milliseconds of processor time: on a busy machine a compiler needs as much of it as elsewhere, and more by the clock. */
const WARM_UP = 250;
/** An engine so slow has one repetition, of one execution. */
const SLOW = 2500;

interface Turn {
  readonly child: Child;
  readonly distance: number;
  readonly isSlow: boolean;
  readonly cpu: number[];
  readonly wall: number[];
  times: number;
  failed?: string;
}

export async function measure(workload: Workload, folder: string, children: readonly Child[], pace: Pace): Promise<Row> {
  const { id, what, shapes, tolerance } = workload;
  const cells: Record<string, Timing | Failed> = {};
  const turns: Turn[] = [];
  for (const child of children) {
    const start = performance.now();
    const answer = await child.ask({ do: 'setup', id, shapes, folder });
    const fault = faultOf(answer, tolerance);
    if (fault !== undefined) cells[child.name] = { failed: fault };
    else if ('distance' in answer)
      turns.push({ child, distance: answer.distance, isSlow: performance.now() - start > SLOW, cpu: [], wall: [], times: 1 });
  }
  for (const turn of turns) if (!turn.isSlow) await calibrate(turn, pace.slot);

  const [start, used] = [performance.now(), busy()];
  let own = 0;
  for (let round = 0; round < pace.repetitions && (round < 3 || performance.now() - start < pace.cap); round++) {
    for (let k = 0; k < turns.length; k++) {
      const turn = turns[(k + round) % turns.length];
      if (turn.failed === undefined && !(turn.isSlow && round > 0)) own += await repeat(turn);
    }
  }
  const others = Math.max(0, (busy() - used - own) / (performance.now() - start));

  for (const turn of turns) {
    const { name, ask } = turn.child;
    const fault = turn.failed ?? faultOf(await ask({ do: 'check' }), tolerance);
    cells[name] = fault === undefined ? timing(turn) : { failed: fault };
  }
  for (const { ask } of children) await ask({ do: 'teardown' });
  return { id, what, cells, load: loadavg()[0], others };
}

function faultOf(
  answer: { readonly distance: number } | { readonly unsupported: true } | Failed,
  tolerance: number,
): string | undefined {
  if ('failed' in answer) return answer.failed;
  if ('unsupported' in answer || answer.distance <= tolerance) return undefined;
  return `wrong by ${answer.distance}, more than ${tolerance}`;
}

/** Warms up, and finds how many executions fill a slot. */
async function calibrate(turn: Turn, slot: number): Promise<void> {
  for (let spent = 0; spent < WARM_UP;) {
    const answer = await turn.child.ask({ do: 'run', times: turn.times });
    if ('failed' in answer) {
      turn.failed = answer.failed;
      return;
    }
    const cpu = Math.max(answer.cpu, 0.01);
    spent += cpu;
    turn.times = Math.max(1, Math.min(turn.times * 4, Math.round((turn.times * slot) / cpu)));
  }
}

/** One repetition; the processor time that it took. */
async function repeat(turn: Turn): Promise<number> {
  const answer = await turn.child.ask({ do: 'run', times: turn.times });
  if ('failed' in answer) {
    turn.failed = answer.failed;
    return 0;
  }
  turn.cpu.push(answer.cpu / turn.times);
  turn.wall.push(answer.wall / turn.times);
  return answer.cpu;
}

function timing({ cpu, wall, times, distance }: Turn): Timing {
  return {
    cpu: median(cpu),
    wall: median(wall),
    leastCpu: Math.min(...cpu),
    leastWall: Math.min(...wall),
    repetitions: cpu.length,
    times,
    distance,
  };
}

const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[values.length >> 1];

/** Milliseconds that all processors were busy since the system started. */
const busy = (): number => cpus().reduce((total, { times: { user, nice, sys, irq } }) => total + user + nice + sys + irq, 0);
