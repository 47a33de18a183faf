/**
 * @file A kernel laid out in memory, ready to run on this thread.
 */
import type { WasmKernel } from '../../codegen/render/wasm/kernel.js';
import type { WasmMemory } from './memory.js';
import type { Run } from './modules.js';

export interface Launch {
  /** Index of the words that the addresses go to: of each input, then of the output. */
  readonly at: number;
  /** Runs it, and gives what the kernel returned. */
  readonly start: () => number | undefined;
  /** Gives its memory back; counts once. */
  readonly release: () => void;
}

/** @param working tells where working memory lies, as much as the kernel needs */
export function launchWhole(
  memory: WasmMemory,
  words: Int32Array,
  kernel: WasmKernel,
  run: Run,
  addresses: number,
  working: () => number,
): Launch {
  const { address, release } = memory.borrow(4 * (addresses + 1 + kernel.words.length));
  const at = address >>> 2;
  words.set(kernel.words, at + addresses + 1);
  return {
    at,
    start() {
      words[at + addresses] = working();
      return run(address);
    },
    release,
  };
}
