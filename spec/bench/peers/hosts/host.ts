/**
 * @file What each measured process gives: its engine, with a job for each workload that it can run.
 */
import type { Inputs } from '../references.js';

export type Shapes = Readonly<Record<string, readonly number[]>>;

/** A workload that is set up: its inputs lie where the engine wants them. */
export interface Job {
  /** Computes once. The result stays where the engine keeps it, and replaces the last one. */
  readonly run: () => void | Promise<void>;
  /** The values of a result. */
  readonly values: () => ArrayLike<number> | Promise<ArrayLike<number>>;
  readonly free: () => void | Promise<void>;
}

export type MakeJob = (inputs: Inputs, shapes: Shapes) => Job | Promise<Job>;

export interface Host {
  /** Version and settings, for the record. */
  readonly about: string;
  readonly job: (id: string) => MakeJob | undefined;
}

/** A package of the peers, which no types are installed for: the caller says what it uses of it. */
export const installed = async <T>(name: string): Promise<T> => await import(name);
