/**
 * @file As many workers as can be had, and what to say where they are fewer than asked for.
 */
import { remark } from '../remark.js';
import type { Helper, Surroundings } from './start.js';

export interface Recruits {
  readonly helpers: readonly Helper[];
  /** Sentences for `capabilities.remarks`. */
  readonly remarks: readonly string[];
}

/** Starts workers for `threads` threads in all, this one among them. Never rejects: without workers one thread computes. */
export async function recruit(threads: number, { obstacle, start }: Pick<Surroundings, 'obstacle' | 'start'>): Promise<Recruits> {
  const reason = obstacle();
  if (reason !== undefined) return { helpers: [], remarks: [remark(1, threads, reason)] };
  const started = await Promise.allSettled(Array.from({ length: threads - 1 }, start));
  const helpers = started.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
  const failed = started.find((each) => each.status === 'rejected');
  if (failed === undefined) return { helpers, remarks: [] };
  const said: unknown = failed.reason;
  const why = `a worker did not start (${said instanceof Error ? said.message : String(said)})`;
  return { helpers, remarks: [remark(1 + helpers.length, threads, why)] };
}
