/**
 * @file The keys of outputs: their names, made unique.
 */
import type { NodeId } from '../graph/graph.js';

/** A later value with a used name is keyed `name#<id>`; keeping an output again changes nothing. */
export function outputKeys(
  values: readonly { readonly name: string; readonly id: NodeId }[],
): readonly { readonly key: string; readonly id: NodeId }[] {
  const used = new Map<string, NodeId>();
  for (const { name, id } of values) {
    if (used.get(name) === id) continue;
    let key = name;
    while (used.has(key)) key = `${key}#${id}`;
    used.set(key, id);
  }
  return [...used].map(([key, id]) => ({ key, id }));
}
