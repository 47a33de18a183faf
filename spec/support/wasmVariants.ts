/**
 * @file The kinds of `wasm` backend that must all prove the same.
 */
import { wasm, type Backend } from '../../src/index.js';
import { allowRelaxedSimd, forbidRelaxedSimd } from './relaxedSimd.js';
import { wasmKit } from './wasmKit.js';

export interface WasmVariant {
  readonly title: string;
  readonly isRelaxed: boolean;
  /** Its memory is shared with workers. */
  readonly isShared?: boolean;
  readonly make: () => Promise<Backend>;
}

/** The first forgets modules often, so that they are made again. */
export const WASM_VARIANTS: readonly WasmVariant[] = [
  { title: 'plain', isRelaxed: false, make: () => wasm({ deterministic: true, cacheSize: 100 }) },
  { title: 'relaxed', isRelaxed: true, make: () => Promise.resolve(wasmKit({ isRelaxed: true, limit: 2 ** 30 }).backend) },
];

/** A suite for each variant: `body` declares tests, in which `backend` gives the one backend of its suite. */
export function onEachWasm(title: string, body: (backend: () => Backend, variant: WasmVariant) => void): void {
  for (const variant of WASM_VARIANTS) {
    describe(`${title} (${variant.title})`, function () {
      this.timeout(300_000); // at its full size
      let backend: Backend;
      before(async () => {
        if (variant.isRelaxed) allowRelaxedSimd();
        backend = await variant.make();
      });
      after(async () => {
        if (variant.isRelaxed) forbidRelaxedSimd();
        await backend.close();
      });
      body(() => backend, variant);
    });
  }
}
