/**
 * @file The ops that are known by name: each is from the moment that it is defined.
 *
 * A page holds only the ops that it names, so not all that einstream ships need be here: `registry.ts` brings them all.
 * Lookup is by `Map`: a graph's op name is never a property access.
 */
import type { AnyOp } from './op.js';

/** Called as `op(...operands, params)`; checked when called. */
export type NamedOp = ((...args: readonly unknown[]) => unknown) & { readonly definition: AnyOp };

const byName = new Map<string, AnyOp>();

/** The callables, under every name. */
export const knownOps: Record<string, NamedOp> = Object.create(null) as Record<string, NamedOp>;

export function register(op: AnyOp, call: (...args: readonly unknown[]) => unknown): void {
  for (const name of [op.name, ...(op.aliases ?? [])]) {
    if (byName.has(name)) throw new Error(`two ops are called ${name}`);
    byName.set(name, op);
    knownOps[name] = call as NamedOp;
  }
}

/** Takes an op out again: for whoever defines one for a while only. */
export function unregister(op: AnyOp): void {
  for (const name of [op.name, ...(op.aliases ?? [])]) {
    if (byName.get(name) !== op) continue;
    byName.delete(name);
    delete knownOps[name];
  }
}

/** The op of a graph's node: whoever made the node named its op, so it is known. */
export const knownOp = (name: string): AnyOp | undefined => byName.get(name);

/** All definitions once, in order of definition. */
export const allKnown = (): readonly AnyOp[] => [...new Set(byName.values())];
