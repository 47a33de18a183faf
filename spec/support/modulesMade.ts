/**
 * @file How many WebAssembly modules were compiled in a test, and what they are made of.
 */
import { afterEach } from 'mocha';

const original = WebAssembly.Module;

afterEach(() => {
  WebAssembly.Module = original;
});

/** Begins to count, until the test ends. Each module and its bytes go to `seen`. */
export function modulesMade(
  seen: (bytes: Uint8Array<ArrayBuffer>, module: WebAssembly.Module) => void = () => undefined,
): () => number {
  let count = 0;
  WebAssembly.Module = class extends original {
    constructor(bytes: BufferSource) {
      super(bytes);
      count++;
      seen(bytes as Uint8Array<ArrayBuffer>, this);
    }
  };
  return () => count;
}
