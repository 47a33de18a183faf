/**
 * @file Every op by name, for whoever gets names and not ops: readers of graphs, gradients, tables of support.
 *
 * Bundlers leave out an op that nothing names. Here all that einstream ships are named, so that whoever imports this module has
 * them all; what only walks a graph whose ops exist already reads `known.ts`.
 */
import { fused } from './fused.js';
import { fusedContraction } from './fusedContraction.js';
import { fusedFold } from './fusedFold.js';
import { fusedSiblings } from './fusedSiblings.js';
import * as shipped from './index.js';
import { allKnown, knownOp, knownOps, type NamedOp } from './known.js';
import type { AnyOp } from './op.js';

export { unregister, type NamedOp } from './known.js';

const SHIPPED: readonly unknown[] = /* @__PURE__ */ Object.values({
  ...shipped,
  fused,
  fusedContraction,
  fusedFold,
  fusedSiblings,
});

/** The same value; whoever has it has all that is shipped, too. */
function withAll<T>(value: T): T {
  if (SHIPPED.includes(undefined)) throw new Error('the bundler left out an op that is shipped');
  return value;
}

/**
 * Every op by name, also by its NumPy and interchange spelling: `ops.einsum`, `ops.log_softmax`.
 *
 * ```ts
 * ops['maximum']!(tensor([1, 5]), tensor([3, 2])) // => [3, 5]
 * ```
 */
export const ops: Record<string, NamedOp> = /* @__PURE__ */ withAll(knownOps);

export const findOp: (name: string) => AnyOp | undefined = /* @__PURE__ */ withAll(knownOp);

/** All definitions once, in order of definition. */
export const allOps: () => readonly AnyOp[] = /* @__PURE__ */ withAll(allKnown);
