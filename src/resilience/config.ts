/**
 * @file What recovering may do, and the presets of the seed.
 */
import type { SchedulerLike } from 'rxjs';
import type { Backend } from '../backends/index.js';
import { fault } from '../errors/index.js';
import type { Graph, OpNode } from '../graph/index.js';
import type { Tensor } from '../tensor/index.js';
import { checkPolicy, RetryPolicy } from './retry-policy.js';

/** A value in place of one that could not be computed. */
export type Substitute =
  /** A number everywhere. */
  | { readonly useDefault: number }
  /** The node's value in the latest feed in which it had one; without such a one it fails. */
  | 'useCached'
  /** What a cheaper function makes of the node's operands, of the node's shape and dtype. */
  | { readonly useApproximation: (node: OpNode, inputs: readonly Tensor[]) => Tensor };

/** What happens when attempts are used up. */
export type RecoveryStrategy =
  /** The failure is the result, after one attempt. */
  | 'failFast'
  /** The failure is the result, after the attempts of the policy. */
  | 'retry'
  /** The whole feed starts again from the latest checkpoint, as often as the policy says. */
  | 'checkpoint'
  /** What needs the failed node is left out, the rest is the result. */
  | 'partialResults'
  /** The feed goes to another backend, or another graph with the same inputs and outputs. */
  | { readonly fallbackTo: Backend | Graph }
  /** The failed node gets a substitute; `nodes` says which may, by name or op, all by default. */
  | { readonly degrade: Substitute; readonly nodes?: readonly string[] };

/** What `recovering` does about failures. */
export interface RecoveryConfig {
  readonly strategy?: RecoveryStrategy;
  /** Of each node, before the strategy acts; three retries from 100 ms by default. */
  readonly retryPolicy?: RetryPolicy;
  /** Keeps values of finished nodes, which `'checkpoint'` needs; false by default, true with that strategy. */
  readonly checkpointing?: boolean;
  /** Nodes between two checkpoints, 10 by default. */
  readonly checkpointEvery?: number;
  /** Failed attempts that one feed may have in all, 5 by default: with one more it fails, whatever the strategy. */
  readonly maxFailures?: number;
  /** Milliseconds for one feed, waits included; no limit by default. */
  readonly timeoutMs?: number;
  /** All waits and all times; `asyncScheduler` by default. */
  readonly scheduler?: SchedulerLike;
}

/**
 * Configurations by the names of the seed, to be spread and changed.
 *
 * ```ts
 * recovery.retry(2).retryPolicy.count // => 2
 * ```
 */
export const recovery = {
  /** One attempt. */
  failFast: () => ({ strategy: 'failFast' }) as const satisfies RecoveryConfig,
  /** `retries` more attempts of a failing node, from 100 ms on. */
  retry: (retries: number) => ({ strategy: 'retry', retryPolicy: RetryPolicy.new(retries) }) as const satisfies RecoveryConfig,
  /** A failing node's value is `value`, 0 by default. */
  graceful: (value = 0) => ({ strategy: { degrade: { useDefault: value } } }) as const satisfies RecoveryConfig,
  /** What can be computed without the failing nodes. */
  partialResults: () => ({ strategy: 'partialResults' }) as const satisfies RecoveryConfig,
};

const NAMED = ['failFast', 'retry', 'checkpoint', 'partialResults'];

export type Settled = Required<Omit<RecoveryConfig, 'scheduler' | 'timeoutMs'>> & {
  readonly timeoutMs: number | undefined;
};

/** @throws EinstreamError E_ARGUMENT */
export function readConfig(config: RecoveryConfig): Settled {
  const { strategy = 'retry', retryPolicy = RetryPolicy.new(), timeoutMs, maxFailures = 5, checkpointEvery = 10 } = config;
  checkStrategy(strategy);
  const { checkpointing = strategy === 'checkpoint' } = config;
  if (strategy === 'checkpoint' && !checkpointing)
    throw fault('E_ARGUMENT', {
      place: 'checkpointing',
      rule: "the strategy 'checkpoint' starts again from checkpoints",
      actual: 'false',
      hint: 'leave it out',
    });
  for (const [place, value, least] of [
    ['maxFailures', maxFailures, 0],
    ['checkpointEvery', checkpointEvery, 1],
  ] as const)
    if (!(value >= least) || !(Number.isInteger(value) || value === Infinity))
      throw fault('E_ARGUMENT', { place, rule: `it is an integer of at least ${least}`, actual: String(value) });
  if (timeoutMs !== undefined && !(timeoutMs > 0))
    throw fault('E_ARGUMENT', { place: 'timeoutMs', rule: 'it is a number of milliseconds above 0', actual: String(timeoutMs) });
  return { strategy, retryPolicy: checkPolicy(retryPolicy), checkpointing, checkpointEvery, maxFailures, timeoutMs };
}

function checkStrategy(strategy: RecoveryStrategy): void {
  if (typeof strategy === 'string' ? NAMED.includes(strategy) : isRecord(strategy)) return;
  throw fault('E_ARGUMENT', {
    place: 'strategy',
    rule: 'it is a known one',
    expected: `${NAMED.map((name) => `'${name}'`).join(', ')}, { fallbackTo } or { degrade }`,
    actual: typeof strategy === 'string' ? `'${strategy}'` : typeof strategy,
  });
}

const isRecord = (strategy: unknown): boolean =>
  typeof strategy === 'object' && strategy !== null && ('fallbackTo' in strategy || 'degrade' in strategy);
