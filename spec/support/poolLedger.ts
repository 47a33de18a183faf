/**
 * @file A ledger beside the pool's own: every request is followed from outside, and must end once.
 */
import { expect } from 'chai';
import { EinstreamError, type ExecutorPool, type Feeds, type Graph, type Outputs } from '../../src/index.js';

export interface Followed {
  readonly promise: Promise<void>;
  readonly cancel: (reason?: unknown) => void;
  /** How it ended: an output, a code, or the very reason. Undefined while it has not. */
  ended: { readonly outputs?: Outputs; readonly error?: unknown; readonly code?: string } | undefined;
  endings: number;
}

/** Asks, and notes how it ends. */
export function follow(
  pool: Pick<ExecutorPool, 'evaluate'>,
  graph: Graph,
  feeds: Feeds,
  options?: Parameters<ExecutorPool['evaluate']>[2],
): Followed {
  const asked = pool.evaluate(graph, feeds, options);
  const followed: Followed = {
    ended: undefined,
    endings: 0,
    cancel: asked.cancel,
    promise: asked.then(
      (outputs) => {
        followed.endings++;
        followed.ended = { outputs };
      },
      (error: unknown) => {
        followed.endings++;
        followed.ended = { error, code: error instanceof EinstreamError ? error.code : undefined };
      },
    ),
  };
  return followed;
}

/** submitted = successful + failed + timeouts + cancelled + inFlight (F026). */
export function expectBalanced(pool: Pick<ExecutorPool, 'stats'>): void {
  const { submitted, successful, failed, timeouts, cancelled, inFlight } = pool.stats();
  expect(successful + failed + timeouts + cancelled + inFlight, 'the ledger').to.equal(submitted);
}

/** Lets everything happen that promises have set off. */
export const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));
