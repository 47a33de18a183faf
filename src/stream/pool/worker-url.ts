/**
 * @file Where the script of a pool's worker lies.
 */

/**
 * Beside this file; of the package the CommonJS copy, which starts sooner, as nothing of it is loaded asynchronously. Sources run
 * the one that was built from them.
 */
export const workerUrl = (): URL =>
  new URL('./pool-worker.js', import.meta.url.replace(/\/(?:src|dist)(\/stream\/pool\/)worker-url\.[jt]s$/, '/dist/cjs$1'));
