/**
 * @file A request: feeds for a graph, on their way to an answer.
 */
import type { Subscription } from 'rxjs';
import type { EinstreamError } from '../../errors/index.js';
import type { Outputs } from '../../run/index.js';
import type { Hand, Work } from './hand.js';
import type { Attempt } from './slot.js';

/** Who asked, and how. Exactly one of the two is called, once. */
export interface Asked {
  readonly done: (outputs: Outputs) => void;
  readonly fail: (error: unknown) => void;
  /** Milliseconds; it may lower what holds for the pool. */
  readonly timeoutMs?: number;
  /** It may be computed twice; true by default. */
  readonly idempotent?: boolean;
}

export interface Request {
  readonly work: Work;
  readonly asked: Asked;
  readonly submittedAt: number;
  readonly deadline: number;
  attempts: number;
  hasStarted: boolean;
  /** The hand that failed it. */
  avoid: Hand | undefined;
  /** Why the last attempt was in vain. */
  lastError: EinstreamError | undefined;
  /** Its graph is refused to all others until this one has ended. */
  isProbe: boolean;
  attempt: Attempt | undefined;
  /** At the deadline. */
  timer: Subscription | undefined;
  /** Between two attempts. */
  pause: Subscription | undefined;
}

export const newRequest = (work: Work, asked: Asked, submittedAt: number, timeoutMs: number): Request => ({
  work,
  asked,
  submittedAt,
  deadline: submittedAt + timeoutMs,
  attempts: 0,
  hasStarted: false,
  avoid: undefined,
  lastError: undefined,
  isProbe: false,
  attempt: undefined,
  timer: undefined,
  pause: undefined,
});
