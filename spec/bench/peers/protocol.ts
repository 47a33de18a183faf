/**
 * @file What is said between the bench and a measured process: a line of JSON for a request, and one for its answer.
 */
import type { Shapes } from './hosts/host.js';

export type Request =
  /** Takes the inputs, computes once and compares. */
  | { readonly do: 'setup'; readonly id: string; readonly shapes: Shapes; readonly folder: string }
  | { readonly do: 'run'; readonly times: number }
  /** Compares once more. */
  | { readonly do: 'check' }
  | { readonly do: 'teardown' };

export interface Answers {
  readonly setup: { readonly distance: number } | { readonly unsupported: true };
  /** Milliseconds for all of it: by the clock, and of all threads of the process. */
  readonly run: { readonly wall: number; readonly cpu: number };
  readonly check: { readonly distance: number };
  readonly teardown: Readonly<Record<string, never>>;
}

export interface Failed {
  readonly failed: string;
}

/** What a process says first. */
export interface Ready {
  readonly about: string;
  readonly version: string;
  /** Where WebAssembly runs: whether it has relaxed SIMD. */
  readonly relaxed?: boolean;
}

export const inputFile = (folder: string, id: string, name: string): string => `${folder}/${id}.${name}.f32`;
export const expectedFile = (folder: string, id: string): string => inputFile(folder, id, 'expected');
