/**
 * @file How many WebAssembly modules were compiled in a test, and what they are made of.
 */

const original = WebAssembly.Module;

/** Begins to count, until the test ends. Each module and its bytes go to `seen`. */
export type ModulesMade = (seen?: (bytes: Uint8Array<ArrayBuffer>, module: WebAssembly.Module) => void) => () => number;

/** To be called by each spec file as it is loaded: what restores the engine's own is a hook of that file's run. */
export function moduleCounter(): ModulesMade {
  afterEach(() => {
    WebAssembly.Module = original;
  });
  return (seen = () => undefined) => {
    let count = 0;
    WebAssembly.Module = class extends original {
      constructor(bytes: BufferSource) {
        super(bytes);
        count++;
        seen(bytes as Uint8Array<ArrayBuffer>, this);
      }
    };
    return () => count;
  };
}
