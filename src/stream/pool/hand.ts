/**
 * @file A hand: one who computes graphs for a pool. A worker is one, and so is any executor.
 *
 * The pool never waits for a hand in a promise: all that a hand has to say it tells, so that a scripted one can say it in
 * virtual time.
 */
import type { EinstreamError } from '../../errors/index.js';
import type { Outputs } from '../../run/index.js';
import type { Tensor } from '../../tensor/tensor.js';
import type { Plan } from './plan.js';

/** A graph with the feeds that were given for it, by name. */
export interface Work {
  readonly plan: Plan;
  readonly feeds: ReadonlyMap<string, Tensor>;
  /** Of the feeds. */
  readonly bytes: number;
}

/** What a hand tells. `run` is the number that it was given with the work. */
export interface Tidings {
  readonly ready: () => void;
  readonly done: (run: number, outputs: Outputs) => void;
  /** The work failed and would fail again; the hand is well. */
  readonly failed: (run: number, error: unknown) => void;
  /** The hand cannot serve this run, which another hand might; what else it holds may still be answered. */
  readonly unserved: (run: number, error: EinstreamError) => void;
  /** The hand has said something that cannot be: nothing that it says is to be trusted. */
  readonly malformed: (run: number, error: EinstreamError) => void;
  /** An answer that nobody waits for. */
  readonly stray: () => void;
  /** The hand is gone, with all that it held. */
  readonly lost: (error: EinstreamError) => void;
}

export interface Hand {
  /** Begins; what goes wrong is told, never thrown. */
  readonly run: (run: number, work: Work) => void;
  /** Nobody waits for this run any more: the sooner it ends, with whatever answer, the better. */
  readonly cancel: (run: number) => void;
  /** A process stays alive for a hand that is held. */
  readonly hold: (isHeld: boolean) => void;
  /** Stops it, whatever it does; nothing is told afterwards. */
  readonly end: () => Promise<void>;
  /** Of its own process, where it has one. */
  readonly pid?: number;
}

/** Starts a hand. @throws whatever keeps it from starting */
export type Hire = (tidings: Tidings) => Hand;
