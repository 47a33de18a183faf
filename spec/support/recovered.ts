/**
 * @file A graph with two branches that meet, run with recovery in virtual time.
 */
import {
  add,
  exp,
  graph,
  input,
  mul,
  named,
  neg,
  RetryPolicy,
  runWithRecovery,
  sum,
  type Middleware,
  type RecoveryConfig,
  type RecoveryResult,
} from '../../src/index.js';
import { virtually } from './marbles.js';

// Two branches: `left` and `right` on `shared`, and `both` on the two of them.
export const g = graph({ x: input([2]) }, ({ x }) => {
  const shared = named('shared', mul(x, 2));
  const left = named('left', sum(shared));
  const right = named('right', exp(neg(shared)));
  return { left, right, both: add(left, right) };
});
export const x = { x: [0, 0] };
export const options = { level: 'none' } as const;

export const elements = (outputs: object): object =>
  Object.fromEntries(
    Object.entries(outputs as Record<string, { toArray(): unknown }>).map(([key, value]) => [key, value.toArray()]),
  );

/** What a result says, without errors and times. */
export function shown(result: RecoveryResult): object {
  const { stats, failures } = result;
  const common = {
    kind: result.kind,
    failures: failures.map(({ node, attempt, atMs }) => [node, attempt, atMs]),
    retries: stats.retries,
  };
  if (result.kind === 'failure') return common;
  if (result.kind === 'partialSuccess')
    return {
      ...common,
      outputs: elements(result.outputs),
      failedNodes: result.failedNodes.map(({ node, reason }) => [node, reason]),
    };
  const { path, degraded, substituted } = result;
  return { ...common, outputs: elements(result.outputs), path, degraded, substituted: substituted.map(({ node }) => node) };
}

/** The result of one feed in virtual time, at 1 ms a wait unless the config says otherwise. */
export function resultOf(config: RecoveryConfig, ...use: readonly Middleware[]): RecoveryResult {
  let result: RecoveryResult | undefined;
  virtually(({ flush }) => {
    runWithRecovery(g, x, { retryPolicy: RetryPolicy.exponential(3, 100), ...config }, { ...options, use: [...use] }).subscribe(
      (each) => (result = each),
    );
    flush();
  });
  return result!;
}

export const good = { left: 0, right: [1, 1], both: [1, 1] };
