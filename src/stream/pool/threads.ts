/**
 * @file Channels to threads: of Node, or of a page.
 */
import { fault, humanBytes, type EinstreamError } from '../../errors/index.js';
import type { Channel, Open } from './wire/channel.js';
import { MARK } from './worker/mark.js';
import { workerUrl } from './worker-url.js';

export interface ThreadOptions {
  /** In place of the package's own. */
  readonly script: string | URL | undefined;
  /** Bytes that the heap of a thread may take; 0 is what the engine allows. A page's threads know no limit. */
  readonly heapBytes: number;
}

// No import statement: a page has no such module.
const threadsOfNode = () => globalThis.process?.getBuiltinModule?.('node:worker_threads');

export const openThread = (options: ThreadOptions): Open =>
  threadsOfNode() === undefined ? openOnPage(options) : openOnNode(options);

const ended = (actual: string, cause?: unknown): EinstreamError =>
  fault('E_WORKER_LOST', { place: 'worker', rule: 'a worker must live until the pool ends it', actual, cause });

const openOnNode =
  ({ script = workerUrl(), heapBytes }: ThreadOptions): Open =>
  ({ heard, lost }) => {
    const resourceLimits = heapBytes === 0 ? undefined : { maxOldGenerationSizeMb: Math.ceil(heapBytes / 2 ** 20) };
    const worker = new (threadsOfNode().Worker)(script, {
      workerData: { mark: MARK },
      name: MARK,
      execArgv: [],
      stdin: false,
      resourceLimits,
    });
    let reason: EinstreamError | undefined;
    worker.on('message', heard);
    // What cannot be read is no reply.
    worker.on('messageerror', () => heard(undefined));
    worker.on('error', (error: Error & { readonly code?: unknown }) => {
      reason = error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? outOfHeap(heapBytes, error) : ended(error.message, error);
    });
    worker.on('exit', (code) => lost(reason ?? ended(`it ended with code ${code}`)));
    const channel: Channel = {
      manner: 'copied',
      shares: typeof SharedArrayBuffer === 'function',
      post: (order, buffers) => worker.postMessage(order, buffers),
      hold: (isHeld) => (isHeld ? worker.ref() : worker.unref()),
      end: async () => void (await worker.terminate()),
    };
    return channel;
  };

const outOfHeap = (heapBytes: number, cause: unknown): EinstreamError =>
  fault('E_OOM', {
    place: 'worker',
    rule: "a run must fit into its worker's heap",
    expected: heapBytes === 0 ? "at most the engine's limit" : `at most ${humanBytes(heapBytes)}`,
    hint: 'raise memoryMb, or use smaller batches',
    cause,
  });

const openOnPage =
  ({ script }: ThreadOptions): Open =>
  ({ heard, lost }) => {
    const worker =
      script === undefined
        ? // Bundlers look for exactly this expression.
          new Worker(new URL('./pool-worker.js', import.meta.url), { type: 'module', name: MARK })
        : new Worker(script, { type: 'module', name: MARK });
    worker.onmessage = ({ data }) => heard(data);
    worker.onmessageerror = () => heard(undefined);
    worker.onerror = ({ message }) => {
      // It may live on, but what it was doing is lost.
      worker.terminate();
      lost(ended(message === '' || message === undefined ? 'its file cannot be loaded' : message));
    };
    const scope = globalThis as { readonly crossOriginIsolated?: boolean };
    return {
      manner: 'copied',
      shares: scope.crossOriginIsolated === true && typeof SharedArrayBuffer === 'function',
      post: (order, buffers) => worker.postMessage(order, buffers),
      hold: () => undefined,
      end: () => Promise.resolve(worker.terminate()),
    };
  };
