/**
 * @file A `wasm` backend with workers that a spec can look into, and that splits kernels however small they are.
 *
 * One is enough for a suite: a worker takes a tenth of a second to start.
 */
import type { Backend } from '../../src/index.js';
import { wasmMemory, type WasmMemory } from '../../src/backends/wasm/memory.js';
import { crewOf, type Crew, type Job } from '../../src/backends/wasm/threads/crew.js';
import { inPartsOf } from '../../src/backends/wasm/threads/in-parts.js';
import { recruit } from '../../src/backends/wasm/threads/recruit.js';
import type { Worth } from '../../src/backends/wasm/threads/split.js';
import { surroundings, type Helper } from '../../src/backends/wasm/threads/start.js';
import { wasmOver } from '../../src/backends/wasm/over.js';
import { buildWorker } from './builtWorker.js';

/** Everything that can be cut is worth it. */
export const ALWAYS: Worth = { kernel: 0, part: 1e-9 };

export interface ThreadedWasm {
  readonly backend: Backend;
  readonly memory: WasmMemory;
  readonly crew: Crew;
  /** Kernels that ran in parts, their parts, and those of them that this thread computed itself. */
  readonly counted: { readonly kernels: number; readonly parts: number; readonly own: number };
}

export interface ThreadedOptions {
  readonly threads?: number;
  readonly isRelaxed?: boolean;
  readonly limit?: number;
  readonly cacheSize?: number;
  readonly worth?: Worth;
  /** Milliseconds that this thread sleeps before it takes a part, so that workers take theirs of the smallest kernel. */
  readonly pause?: number;
  /** What this thread does with a part that it took; it computes it by default. */
  readonly own?: (part: number, job: Job, words: Int32Array) => number | undefined;
  /** Sees each kernel's words before any thread takes a part. */
  readonly before?: (job: Job, words: Int32Array) => void;
  /** Milliseconds for which a worker is waited for. */
  readonly patience?: number;
  /** The workers, in place of real ones. */
  readonly helpers?: readonly Helper[];
  readonly mayWait?: boolean;
}

/** A page's main thread may not sleep, so there it turns round and round. */
function sleep(ms: number, mayWait: boolean): void {
  if (mayWait) return void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
  for (const until = performance.now() + ms; performance.now() < until;);
}

/** `backend.close()` ends its workers. */
export async function threadedWasm(options: ThreadedOptions = {}): Promise<ThreadedWasm> {
  const { threads = 2, isRelaxed = false, limit = 2 ** 26, cacheSize = 1000, worth = ALWAYS, pause = 0.5 } = options;
  const { own = (part, job) => job.perform(part), before, patience } = options;
  const place = surroundings();
  const { mayWait = place.mayWait } = options;
  buildWorker();
  const { helpers, remarks } =
    options.helpers === undefined ? await recruit(threads, place) : { helpers: options.helpers, remarks: [] };
  if (helpers.length !== threads - 1) throw new Error(`no workers: ${remarks.join()}`);
  const memory = wasmMemory(limit, 'shared');
  const words = new Int32Array(memory.memory.buffer);
  const crew = crewOf(memory, helpers, { mayWait }, { worth, patience, rests: 0 });
  const counted = { kernels: 0, parts: 0, own: 0 };
  const perform = (job: Job): number => {
    counted.kernels++;
    counted.parts += job.parts;
    let isRested = false;
    before?.(job, words);
    return crew.perform({
      ...job,
      perform(part) {
        if (!isRested && pause > 0) sleep(pause, place.mayWait);
        isRested = true;
        counted.own++;
        return own(part, job, words);
      },
    });
  };
  const watched = { ...crew, perform };
  return {
    backend: wasmOver(memory, cacheSize, isRelaxed, { crew: watched, inParts: inPartsOf(watched), remarks }),
    memory,
    crew: watched,
    counted,
  };
}

/** A crew of this thread alone: kernels in parts, one after another, as `threads` threads would take them. */
export const lonelyCrew = (threads: number, worth: Worth = ALWAYS): Crew => ({
  threads,
  worth,
  perform({ parts, perform }) {
    let given = 0;
    for (let part = parts - 1; part >= 0; part--) given = perform(part) || given;
    return given;
  },
  reserve: () => undefined,
  close: () => Promise.resolve(),
});
