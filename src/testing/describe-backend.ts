/**
 * @file The conformance test of backends, as a list of checks for any test runner.
 */
import type { Backend } from '../backends/index.js';
import { fault } from '../errors/index.js';
import { capabilities } from './conformance/capabilities.js';
import { contraction } from './conformance/contraction.js';
import { edges } from './conformance/edges.js';
import { binary, unary } from './conformance/elementwise.js';
import { forward } from './conformance/forward.js';
import { harness, type Check } from './conformance/harness.js';
import { large } from './conformance/large.js';
import { memory } from './conformance/memory.js';
import { reduce } from './conformance/reduce.js';
import { shapes } from './conformance/shapes.js';

/** How strict `describeBackend` is, and which random graphs it draws. */
export interface ConformanceOptions {
  /** Largest error of a floating-point element, relative above 1, absolute below; 1e-6 by default. An op may allow more. */
  readonly tolerance?: number;
  /** The first of the random graphs; 1 by default. */
  readonly seed?: number;
}

/** Makes a fresh backend for a check. */
export type MakeBackend = () => Backend | Promise<Backend>;

const SUITES = [unary, binary, reduce, contraction, forward, edges, shapes, large, memory, capabilities] as const;

/**
 * Checks that hold a backend to the definitions of the ops: each `{ title, check }` fits any test runner.
 *
 * Suites: unary, binary, reduce, einsum, forward, edge cases, shapes, large, memory, capabilities. Each graph runs as given and
 * optimised, and never falls back to another backend; what the backend says it cannot run must be refused with the code it says.
 *
 * ```ts
 * const [first] = describeBackend('js', js);
 * first.title.split(':')[0] // => 'js · unary'
 * await first.check() // => undefined
 * ```
 *
 * @param make called for each check; the backend is closed after it
 * @throws EinstreamError E_ARGUMENT for a tolerance or seed that is no number ≥ 0; a check rejects with E_BACKEND and both values
 */
export function describeBackend(make: MakeBackend, options?: ConformanceOptions): readonly Check[];
export function describeBackend(name: string, make: MakeBackend, options?: ConformanceOptions): readonly Check[];
export function describeBackend(...given: readonly unknown[]): readonly Check[] {
  const [name, make, options = {}] = (typeof given[0] === 'string' ? given : ['', ...given]) as [
    string,
    MakeBackend,
    ConformanceOptions?,
  ];
  const { tolerance = 1e-6, seed = 1 } = options;
  if (typeof make !== 'function')
    throw fault('E_ARGUMENT', { place: 'describeBackend', rule: 'make is a function that gives a backend', actual: typeof make });
  if (!(tolerance >= 0) || !(seed >= 0)) {
    throw fault('E_ARGUMENT', {
      place: 'describeBackend',
      rule: 'tolerance and seed are numbers ≥ 0',
      actual: `${tolerance}, ${seed}`,
    });
  }
  const checks = SUITES.flatMap((suite) => suite(harness(make, tolerance, seed)));
  return name === '' ? checks : checks.map(({ title, check }) => ({ title: `${name} · ${title}`, check }));
}
