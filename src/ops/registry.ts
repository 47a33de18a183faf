/**
 * @file Every op by name. Lookup is by `Map`: a graph's op name is never a property access.
 */
import type { AnyOp } from './op.js';

/** Called as `op(...operands, params)`; checked when called. */
export type NamedOp = ((...args: readonly unknown[]) => unknown) & { readonly definition: AnyOp };

const byName = new Map<string, AnyOp>();

/**
 * Every op by name, also by its NumPy and interchange spelling: `ops.einsum`, `ops.log_softmax`.
 *
 * ```ts
 * ops['maximum']!(tensor([1, 5]), tensor([3, 2])) // => [3, 5]
 * ```
 */
export const ops: Record<string, NamedOp> = Object.create(null) as Record<string, NamedOp>;

export function register(op: AnyOp, call: (...args: readonly unknown[]) => unknown): void {
  for (const name of [op.name, ...(op.aliases ?? [])]) {
    if (byName.has(name)) throw new Error(`two ops are called ${name}`);
    byName.set(name, op);
    ops[name] = call as NamedOp;
  }
}

/** Takes an op out again: for whoever defines one for a while only. */
export function unregister(op: AnyOp): void {
  for (const name of [op.name, ...(op.aliases ?? [])]) {
    if (byName.get(name) !== op) continue;
    byName.delete(name);
    delete ops[name];
  }
}

export const findOp = (name: string): AnyOp | undefined => byName.get(name);

/** All definitions once, in order of registration. */
export const allOps = (): readonly AnyOp[] => [...new Set(byName.values())];
