/**
 * @file Names made unique: the first bearer of a name keeps it, a later one is `name#<id>`.
 *
 * A name that stands in the graph is never taken by a made one: what is called "x#2" keeps it from a third "x".
 */
import type { NodeId } from './graph.js';

/** Gives each id of `names` a key of its own, in order; ids without a name get none. `taken` is added to. */
export function uniqueKeys(names: readonly (string | undefined)[], taken: Map<string, NodeId>): (string | undefined)[] {
  const keys = new Array<string | undefined>(names.length);
  const later: NodeId[] = [];
  for (let id = 0; id < names.length; id++) {
    const name = names[id];
    if (name === undefined) continue;
    if (taken.has(name)) later.push(id);
    else {
      taken.set(name, id);
      keys[id] = name;
    }
  }
  for (const id of later) {
    let key = names[id]!;
    while (taken.has(key)) key = `${key}#${id}`;
    taken.set(key, id);
    keys[id] = key;
  }
  return keys;
}
