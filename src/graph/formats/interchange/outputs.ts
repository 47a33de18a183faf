/**
 * @file Outputs by name: a name that an earlier tensor has is made unique, as `keysOf` does.
 */
import type { NodeId, Output } from '../../graph.js';
import { uniqueKeys } from '../../unique.js';

/** An index out of range is called by its number; it stays for `validate`. */
export function outputsOf(tensors: readonly string[], ids: readonly NodeId[], exists: (id: NodeId) => boolean): Output[] {
  const wanted = new Set(ids.map((id) => tensors[id]));
  const seen = new Set<string>();
  let repeats = false;
  for (let id = 0; id < tensors.length && !repeats; id++) {
    const name = tensors[id];
    if (!wanted.has(name) || !exists(id)) continue;
    repeats = seen.has(name);
    seen.add(name);
  }
  const nameOf = repeats ? uniqueNames(tensors, exists) : (id: NodeId) => tensors[id];
  return ids.map((id) => ({ name: id >= 0 ? nameOf(id) : `#${-1 - id}`, id }));
}

function uniqueNames(tensors: readonly string[], exists: (id: NodeId) => boolean): (id: NodeId) => string {
  const keys = uniqueKeys(
    tensors.map((name, id) => (exists(id) ? name : undefined)),
    new Map(),
  );
  return (id) => keys[id] ?? tensors[id];
}
