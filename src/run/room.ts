/**
 * @file Buffers that wait for the next frame, by backend: they make room when a backend with memory of its own has none left.
 *
 * A program keeps its buffers for feeds of its shapes. Of many shapes, all of them together may be more than there is room
 * for, though each by itself is not.
 */
import { EinstreamError } from '../errors/index.js';
import type { Backend } from '../backends/index.js';

/** Sets of buffers that nobody uses now; whoever frees one takes it out. */
export type Idle = { free(): void }[];

interface Waiting {
  readonly lists: Set<WeakRef<Idle>>;
  /** Takes the lists of programs out that are garbage. */
  readonly registry: FinalizationRegistry<WeakRef<Idle>>;
}

const waiting = new WeakMap<Backend, Waiting>();

/** From now on the sets in this list may be freed when the backend has no room left. */
export function offer(backend: Backend, idle: Idle): void {
  if (backend.release === undefined) return;
  let found = waiting.get(backend);
  if (found === undefined) {
    const lists = new Set<WeakRef<Idle>>();
    waiting.set(backend, (found = { lists, registry: new FinalizationRegistry((gone) => void lists.delete(gone)) }));
  }
  const list = new WeakRef(idle);
  found.lists.add(list);
  found.registry.register(idle, list);
}

/** A tensor, or all of them together, are too much for the memory of a backend. */
export const isNoRoom = (error: unknown): error is EinstreamError =>
  error instanceof EinstreamError && (error.code === 'E_OOM' || error.code === 'E_LIMIT');

/** What `act` gives. Where there is no room for it, everything idle is freed, and it is called once more. */
export function withRoom<T>(backend: Backend, act: () => T): T {
  try {
    return act();
  } catch (error) {
    if (!(error instanceof EinstreamError && error.code === 'E_OOM' && freeIdle(backend))) throw error;
    return act();
  }
}

/** True when something was freed. */
function freeIdle(backend: Backend): boolean {
  let freed = false;
  for (const list of waiting.get(backend)?.lists ?? []) {
    for (const each of list.deref()?.splice(0) ?? []) {
      each.free();
      freed = true;
    }
  }
  return freed;
}
