/**
 * @file First in a page's script: makes the runner ready, so that the specs after it can describe themselves.
 */

mocha.setup({
  ui: 'bdd',
  timeout: 60_000, // a page shares the machine with the rest of the run
  reporter: Mocha.reporters.Base, // it prints nothing: what happens is told to Node
});

/** Calls of `Atomics.wait` on the page's main thread that would block it: where each came from. */
export const waits: string[] = [];
const { wait } = Atomics;
Atomics.wait = ((...given: Parameters<typeof wait>) => {
  // Who waits no time at all asks whether it might.
  if (given[3] !== 0) waits.push(new Error('Atomics.wait').stack ?? '');
  return wait(...given);
}) as typeof wait;

/** Specs use Node's to come back after all promises: here it is a message, which nothing throttles. */
const { port1, port2 } = new MessageChannel();
const turns: (() => void)[] = [];
port1.onmessage = () => turns.shift()!();
globalThis.setImmediate = ((callback: (...args: readonly unknown[]) => void, ...args: readonly unknown[]) => {
  turns.push(() => callback(...args));
  port2.postMessage(null);
}) as typeof setImmediate;

// The runner fails the test in which an error is uncaught, but in a page it lets rejections pass.
addEventListener('unhandledrejection', ({ reason }) => {
  setTimeout(() => {
    throw reason;
  });
});
