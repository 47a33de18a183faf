/**
 * @file The kinds of `wasm` backend that must all prove the same.
 */
import { expect } from 'chai';
import { environment, wasm, type Backend } from '../../src/index.js';
import { isLarge } from './property.js';
import { allowRelaxedSimd, forbidRelaxedSimd } from './relaxedSimd.js';
import { threadedWasm, type ThreadedWasm } from './threadedWasm.js';
import { wasmKit } from './wasmKit.js';

export interface WasmVariant {
  readonly title: string;
  readonly isRelaxed: boolean;
  readonly threads: number;
  readonly make: () => Promise<{ readonly backend: Backend; readonly counted?: ThreadedWasm['counted'] }>;
}

const relaxed = { isRelaxed: true, limit: 2 ** 30 };
/** However small, kernels are cut in parts, and workers get the time to take theirs. */
const inParts = { limit: 2 ** 28, pause: 0.05 };

/** The first forgets modules often, so that they are made again. */
export const WASM_VARIANTS: readonly WasmVariant[] = [
  { title: 'plain', isRelaxed: false, threads: 1, make: async () => ({ backend: await wasm({ deterministic: true, cacheSize: 100 }) }) }, // prettier-ignore
  { title: 'relaxed', isRelaxed: true, threads: 1, make: () => Promise.resolve(wasmKit(relaxed)) },
  { title: 'plain, two threads', isRelaxed: false, threads: 2, make: () => threadedWasm({ ...inParts, cacheSize: 100 }) },
  { title: 'relaxed, two threads', isRelaxed: true, threads: 2, make: () => threadedWasm({ ...inParts, isRelaxed: true }) },
];

/** A page that is not cross-origin isolated has no threads. */
const isPossible = ({ threads }: WasmVariant): boolean => threads === 1 || environment().sharedMemory;

/** In `npm test` those are left out whose sums may be rounded once less. */
const USUAL = WASM_VARIANTS.filter(({ isRelaxed }) => isLarge() || !isRelaxed);
/** For what shows little that depends on the kind. */
export const PLAIN_OR_ALL = isLarge() ? WASM_VARIANTS : WASM_VARIANTS.slice(0, 1);

/** A suite for each of these variants: `body` declares tests, in which `backend` gives the one backend of its suite. */
export function onEachWasm(
  title: string,
  body: (backend: () => Backend, variant: WasmVariant) => void,
  variants: readonly WasmVariant[] = USUAL,
): void {
  for (const variant of variants.filter(isPossible)) {
    describe(`${title} (${variant.title})`, function () {
      this.timeout(300_000); // at its full size
      let made: Awaited<ReturnType<WasmVariant['make']>>;
      before(async () => {
        if (variant.isRelaxed) allowRelaxedSimd();
        made = await variant.make();
      });
      after(async () => {
        if (variant.isRelaxed) forbidRelaxedSimd();
        await made.backend.close();
        if (made.counted === undefined) return;
        const { kernels, parts, own } = made.counted;
        console.log(`      ${kernels} kernels ran in ${parts} parts, ${parts - own} of them on workers`);
        if (kernels > 100) expect(parts - own, 'parts that workers computed').to.be.greaterThan(0);
      });
      body(() => made.backend, variant);
    });
  }
}
