/**
 * @file By which rules a strategy is tuned, in order: a change of one field each, with its reason.
 */
import { kindOf } from './contradictions.js';
import type { ExecutionStrategy } from './strategy.js';

/** From here on memory is short. */
const PRESSURE = 0.8;
/** From here on a batch is learnt from in parts, of half as many rows. */
const LARGE = 64;

/** What the rules go by. */
export interface Case {
  readonly goal: 'throughput' | 'latency' | 'memory';
  readonly pressure: number;
  readonly batchSize: number;
  readonly workers: number;
  /** Ops of the graph. */
  readonly count: number;
  /** The sizes of all values are known. */
  readonly isSized: boolean;
  /** Most ops that wait for none of one another; 1 where sizes are not known. */
  readonly width: number;
}

type Change = Partial<ExecutionStrategy>;
type Rule = readonly [applies: (now: ExecutionStrategy, at: Case) => boolean, change: (at: Case) => Change, reason: (at: Case) => string]; // prettier-ignore

const isShort = ({ goal, pressure }: Case): boolean => goal === 'memory' || pressure > PRESSURE;
const why = ({ pressure }: Case): string => (pressure > PRESSURE ? `memory pressure ${pressure} is above ${PRESSURE}` : 'memory is to be saved'); // prettier-ignore
const isTrained = ({ gradient }: ExecutionStrategy): boolean => gradient !== 'none';

export const TUNING: readonly Rule[] = [
  // Where memory is short: what holds more than it must goes first, so that what saves memory contradicts nothing.
  [(now, at) => isShort(at) && now.parallelism === 'auto', () => ({ parallelism: 'none' }), (at) => `${why(at)}: parts at the same time are held at the same time`], // prettier-ignore
  [(now, at) => isShort(at) && now.mode === 'lazy', () => ({ mode: 'graph' }), (at) => `${why(at)}: outputs that wait to be read hold what they need`], // prettier-ignore
  [(now, at) => isShort(at) && isTrained(now) && kindOf(now, 'gradient') !== 'checkpointed' && now.memory === 'cached', () => ({ memory: 'optimize' }), (at) => `${why(at)}: a cache keeps what gradients would compute again`], // prettier-ignore
  [(now, at) => isShort(at) && isTrained(now) && kindOf(now, 'gradient') !== 'checkpointed', ({ count }) => ({ gradient: { checkpointed: { interval: Math.max(1, Math.ceil(Math.sqrt(count))) } } }), (at) => `${why(at)}: gradients need not hold all ${at.count} values`], // prettier-ignore
  [(now, at) => isShort(at) && at.isSized && now.memory !== 'minimalPeak', () => ({ memory: 'minimalPeak' }), (at) => `${why(at)}, and all sizes are known: nodes are ordered for the least peak`], // prettier-ignore
  [(now, at) => isShort(at) && now.memory !== 'minimalPeak' && now.memory !== 'optimize', () => ({ memory: 'optimize' }), (at) => `${why(at)}, and sizes are open: values share what memory they can`], // prettier-ignore
  // Where it is not.
  [(now, at) => !isShort(at) && at.batchSize >= LARGE && isTrained(now) && kindOf(now, 'gradient') !== 'accumulated' && now.memory === 'pooled', () => ({ memory: 'optimize' }), () => 'gradients that are added up are not given back to a pool'], // prettier-ignore
  [(now, at) => !isShort(at) && at.batchSize >= LARGE && isTrained(now) && kindOf(now, 'gradient') !== 'accumulated', ({ batchSize }) => ({ gradient: { accumulated: { steps: Math.ceil(batchSize / (LARGE / 2)) } } }), ({ batchSize }) => `a batch of ${batchSize} is ${LARGE} or more: it is learnt from in parts of ${LARGE / 2}`], // prettier-ignore
  [(now, at) => !isShort(at) && now.memory === 'minimalPeak', () => ({ memory: 'optimize' }), () => 'computing values again takes time'], // prettier-ignore
  [(now, at) => !isShort(at) && now.memory === 'standard', () => ({ memory: 'optimize' }), () => 'less memory is quicker to reach'], // prettier-ignore
  [(now, at) => !isShort(at) && at.isSized && now.mode !== 'graph', () => ({ mode: 'graph' }), ({ goal }) => goal === 'latency' ? 'all sizes are known: the first run finds its code ready' : 'all sizes are known: code is made once for all runs'], // prettier-ignore
  [(now, at) => !isShort(at) && !at.isSized && at.goal === 'latency' && now.mode !== 'jit', () => ({ mode: 'jit' }), () => 'sizes are open: the first result does not wait for code'], // prettier-ignore
  [(now, at) => !isShort(at) && !at.isSized && at.goal === 'throughput' && now.mode !== 'hybrid', () => ({ mode: 'hybrid' }), () => 'sizes are open: shapes that come often get code of their own'], // prettier-ignore
  [(now, at) => !isShort(at) && at.width > 1 && at.workers > 1 && now.parallelism === 'none' && now.memory !== 'cached' && now.gradient !== 'eager' && kindOf(now, 'gradient') !== 'checkpointed', () => ({ parallelism: 'auto' }), ({ width, workers }) => `up to ${width} nodes wait for none of one another, and ${workers} threads are there`], // prettier-ignore
];
