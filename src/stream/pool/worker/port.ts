/**
 * @file A worker's end of its channel: of a thread on Node, of a process, or of a page's worker.
 */
import { fault } from '../../../errors/index.js';
import type { Manner } from '../wire/pack.js';
import type { Reply } from '../wire/protocol.js';
import { MARK } from './mark.js';

export interface Port {
  /** How outputs leave: `'moved'` where their buffers can be given away. */
  readonly manner: Exclude<Manner, 'copied'>;
  readonly post: (reply: Reply, buffers: ArrayBuffer[]) => void;
  readonly listen: (hear: (message: unknown) => void) => void;
}

/** @throws EinstreamError E_ARGUMENT where no pool has started this thread or process */
export function portHere(): Port {
  // Before anything is loaded that only threads need.
  if (globalThis.process?.argv?.[2] === MARK && process.send !== undefined) return portOfProcess();
  // No import statement: a page has no such module.
  const threads = globalThis.process?.getBuiltinModule?.('node:worker_threads');
  if (threads?.parentPort && (threads.workerData as { readonly mark?: unknown } | null)?.mark === MARK) {
    const { parentPort } = threads;
    return {
      manner: 'moved',
      post: (reply, buffers) => parentPort.postMessage(reply, buffers),
      listen: (hear) => void parentPort.on('message', hear),
    };
  }
  const scope = globalThis as unknown as PageScope;
  if (threads === undefined && scope.name === MARK && typeof scope.postMessage === 'function')
    return {
      manner: 'moved',
      post: (reply, buffers) => scope.postMessage(reply, buffers),
      listen: (hear) => void (scope.onmessage = ({ data }) => hear(data)),
    };
  throw fault('E_ARGUMENT', {
    place: 'poolWorker',
    rule: 'it serves in a worker that a pool has started',
    hint: 'name the script that calls it: executorPool({ script })',
  });
}

/** The scope of a page's worker. */
interface PageScope {
  readonly name?: unknown;
  onmessage: ((event: { readonly data: unknown }) => void) | null;
  postMessage: (message: unknown, transfer: ArrayBuffer[]) => void;
}

function portOfProcess(): Port {
  // Whoever started it is gone: nobody would ever stop it.
  process.on('disconnect', () => process.exit(0));
  return {
    manner: 'lent',
    // Should the other side be gone, `disconnect` follows.
    post: (reply) => void process.send!(reply, undefined, undefined, () => undefined),
    listen: (hear) => void process.on('message', hear),
  };
}
