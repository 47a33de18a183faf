/**
 * @file Locals used again: what one vector needed while it was computed is free for the next.
 */
import type { Local, Scope, ValueType } from './module.js';

/** A scope whose locals are handed out anew after each `reuse()`. */
export function pooled(scope: Scope): { readonly scope: Scope; readonly reuse: () => void } {
  const made = new Map<ValueType, Local[]>();
  const next = new Map<ValueType, number>();
  return {
    scope: {
      ...scope,
      local: (type) => {
        const [locals, at] = [made.get(type) ?? [], next.get(type) ?? 0];
        if (at === locals.length) locals.push(scope.local(type));
        made.set(type, locals);
        next.set(type, at + 1);
        return locals[at];
      },
    },
    reuse: () => next.clear(),
  };
}
