/**
 * @file Where the script of a pool's worker lies.
 */

/** Beside this file; sources run the one that was built from them. */
export const workerUrl = (): URL =>
  new URL('./pool-worker.js', import.meta.url.replace(/\/src(\/stream\/pool\/)worker-url\.ts$/, '/dist$1'));
