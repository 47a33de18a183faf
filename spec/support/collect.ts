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

/** Collects until something that became garbage now was reported: what became garbage before it was then reported, too. */
async function finalized(): Promise<void> {
  let reported = false;
  const registry = new FinalizationRegistry(() => (reported = true));
  registry.register({}, undefined);
  for (let round = 0; !reported && round < MOST; round++) {
    await new Promise((resolve) => setTimeout(resolve, 0));
    gc();
  }
  if (!reported) throw new Error(`garbage was not reported within ${MOST} collections`);
}

/** Bytes of the heap, of array buffers, and of all that the heap holds elsewhere (modules too), that are reachable. */
export function reachable(): { readonly heap: number; readonly buffers: number; readonly external: number } {
  gc();
  gc();
  const { heapUsed, arrayBuffers, external } = process.memoryUsage();
  return { heap: heapUsed, buffers: arrayBuffers, external };
}
