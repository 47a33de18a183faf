/**
 * @file Working memory of one thread: one region for all kernels, as only one runs there at a time.
 */
import type { WasmMemory } from './memory.js';

/** The region grows to what the largest kernel needs; the function that is given tells where it lies at the moment. */
export function scratchOf(memory: WasmMemory): (bytes: number) => () => number {
  let region = memory.borrow(64);
  let size = 64;
  const address = (): number => region.address;
  return (bytes) => {
    if (bytes > size) {
      // The larger one first: where it cannot be had, the old one still serves.
      const larger = memory.borrow(bytes);
      region.release();
      region = larger;
      size = bytes;
    }
    return address;
  };
}
