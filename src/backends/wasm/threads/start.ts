/**
 * @file Workers on Node and on pages: how they start, and why they may not.
 */
import type { Orders } from './wasm-worker.js';

/** A worker that is there, and waits for its orders. */
export interface Helper {
  readonly order: (orders: Orders) => void;
  readonly stop: () => Promise<void>;
  /** `act` is called should the worker end by itself. */
  readonly whenLost: (act: () => void) => void;
}

/** What threads need of the place where they run. */
export interface Surroundings {
  /** Why there can be no threads; undefined where there can. */
  readonly obstacle: () => string | undefined;
  /** Rejects with why the worker did not come up. */
  readonly start: () => Promise<Helper>;
  /** This thread may wait in `Atomics.wait`: a page's main thread may not. */
  readonly mayWait: boolean;
}

/** A worker that has not answered after so many milliseconds is none. */
const PATIENCE = 10_000;

/** Where this code runs. */
export const surroundings = (): Surroundings => ({ obstacle, start: () => withinReason(startWorker()), mayWait: mayWait() });

function obstacle(): string | undefined {
  const scope = globalThis as { readonly SharedArrayBuffer?: unknown; readonly crossOriginIsolated?: boolean };
  if (scope.crossOriginIsolated === false) return 'the page is not cross-origin isolated';
  if (typeof scope.SharedArrayBuffer !== 'function') return 'SharedArrayBuffer is missing here';
  if (threadsOfNode() === undefined && typeof Worker !== 'function') return 'workers are missing here';
  return undefined;
}

function mayWait(): boolean {
  try {
    // The value differs, so a thread that may wait does not.
    return Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 1, 0) === 'not-equal';
  } catch {
    return false;
  }
}

// No import statement: a page has no such module.
const threadsOfNode = () => globalThis.process?.getBuiltinModule?.('node:worker_threads');

function startWorker(): Promise<Helper> {
  return threadsOfNode() === undefined ? startOnPage() : startOnNode();
}

/** Beside this file; sources run the worker that was built from them, as one through a compiler would take a second to start. */
const workerUrl = (): URL =>
  new URL('./wasm-worker.js', import.meta.url.replace(/\/src(\/backends\/wasm\/threads\/)start\.ts$/, '/dist$1'));

function startOnNode(): Promise<Helper> {
  return new Promise((resolve, reject) => {
    const worker = new (threadsOfNode().Worker)(workerUrl(), { name: 'einstream', execArgv: [], stdin: false });
    let lost = (): void => undefined;
    worker.once('message', () => {
      // Whoever waits for a frame waits for this thread, not for the worker: it never keeps a process alive.
      worker.unref();
      resolve({
        order: (orders) => worker.postMessage(orders),
        stop: async () => void (await worker.terminate()),
        whenLost: (act) => void (lost = act),
      });
    });
    worker.once('error', reject);
    worker.once('exit', (code) => {
      lost();
      reject(new Error(`it ended with code ${code}`));
    });
  });
}

function startOnPage(): Promise<Helper> {
  return new Promise((resolve, reject) => {
    // Bundlers look for exactly this expression.
    const worker = new Worker(new URL('./wasm-worker.js', import.meta.url), { type: 'module', name: 'einstream' });
    let lost = (): void => undefined;
    worker.onmessage = () =>
      resolve({
        order: (orders) => worker.postMessage(orders),
        stop: () => Promise.resolve(worker.terminate()),
        whenLost: (act) => void (lost = act),
      });
    worker.onerror = ({ message }) => {
      lost();
      reject(new Error(message === '' || message === undefined ? 'its file cannot be loaded' : message));
    };
  });
}

function withinReason(started: Promise<Helper>): Promise<Helper> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`it did not answer within ${PATIENCE} ms`)), PATIENCE);
  });
  // One that comes up later is of no use any more.
  const whoever = started.then((helper) => ({ helper }));
  return Promise.race([started, late])
    .catch((error: unknown) => {
      whoever.then(({ helper }) => helper.stop()).catch(() => undefined);
      throw error;
    })
    .finally(() => clearTimeout(timer));
}
