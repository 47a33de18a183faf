/**
 * @file Garbage collection on demand, for specs that look at what is left.
 */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const gc = runInNewContext('gc') as () => void;

/** Bytes of the heap and of array buffers that are reachable. */
export function reachable(): { readonly heap: number; readonly buffers: number } {
  gc();
  gc();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return { heap: heapUsed, buffers: arrayBuffers };
}
