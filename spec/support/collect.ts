/**
 * @file Garbage collection on demand, for specs that look at what is left.
 */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const gc = runInNewContext('gc') as () => void;

/** Collects, and lets those be told who asked to hear of it. */
export async function collected(): Promise<void> {
  for (let turn = 0; turn < 3; turn++) {
    await new Promise((resolve) => setTimeout(resolve, 0));
    gc();
  }
  await new Promise((resolve) => setTimeout(resolve, 5));
}

/** Bytes of the heap, of array buffers, and of all that the heap holds elsewhere (modules too), that are reachable. */
export function reachable(): { readonly heap: number; readonly buffers: number; readonly external: number } {
  gc();
  gc();
  const { heapUsed, arrayBuffers, external } = process.memoryUsage();
  return { heap: heapUsed, buffers: arrayBuffers, external };
}
