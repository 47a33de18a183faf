/**
 * @file Garbage collection on demand, for specs that look at what is left.
 */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const gc = runInNewContext('gc') as () => void;

/** Collects, and lets those be told who asked to hear of it. */
export async function collected(): Promise<void> {
  for (let turn = 0; turn < 3; turn++) await finalized();
  await new Promise((resolve) => setTimeout(resolve, 5));
}

/** Most rounds that a busy process may need until it calls what waits for garbage. */
const MOST = 100;
/** Turns of the event loop that a report may take before another collection is tried. */
const TURNS = 4;

/** Collects until something that became garbage now was reported: what became garbage before it was then reported, too. */
async function finalized(): Promise<void> {
  let reported = false;
  const registry = new FinalizationRegistry(() => (reported = true));
  for (let round = 0; !reported && round < MOST; round++) {
    // Anew each time, as a place of the stack that nobody reads any more may hold one of them.
    drop(registry);
    gc();
    // Reports come in turns of their own, and a collection costs more than many turns.
    for (let turn = 0; !reported && turn < TURNS; turn++) await new Promise((resolve) => setImmediate(resolve));
  }
  if (!reported) throw new Error(`garbage was not reported within ${MOST} collections`);
  registry.unregister(registry);
}

/** Something that is garbage when this returns: no frame of a function that waits holds it. */
const drop = (registry: FinalizationRegistry<undefined>): void => registry.register({}, undefined, registry);

/** Bytes of the heap, of array buffers, and of all that the heap holds elsewhere (modules too), that are reachable. */
export function reachable(): { readonly heap: number; readonly buffers: number; readonly external: number } {
  gc();
  gc();
  const { heapUsed, arrayBuffers, external } = process.memoryUsage();
  return { heap: heapUsed, buffers: arrayBuffers, external };
}
