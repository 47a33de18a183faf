/**
 * @file Channels to child processes of Node: what kills one of them kills no other.
 */
import { describeValue, fault, type EinstreamError } from '../../errors/index.js';
import type { ThreadOptions } from './threads.js';
import type { Open } from './wire/channel.js';
import { MARK } from './worker/mark.js';
import { workerUrl } from './worker-url.js';

// No import statement: a page has no such module.
const processesOfNode = () => globalThis.process?.getBuiltinModule?.('node:child_process');

/** @throws EinstreamError E_BACKEND where there are no processes */
export function openProcess({ script, heapBytes }: ThreadOptions): Open {
  const node = processesOfNode();
  if (node === undefined)
    throw fault('E_BACKEND', { place: 'kind', rule: 'processes are there on Node alone', hint: "kind: 'thread'" });
  const execArgv = heapBytes === 0 ? [] : [`--max-old-space-size=${Math.ceil(heapBytes / 2 ** 20)}`];
  return ({ heard, lost }) => {
    const child = node.fork(script ?? workerUrl(), [MARK], {
      env: script === undefined ? ownEnvironment(process.env) : process.env,
      execArgv,
      serialization: 'advanced',
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    const over = new Promise<void>((resolve) => {
      let isTold = false;
      const tell = (error: EinstreamError): void => {
        if (!isTold) lost(error);
        isTold = true;
        resolve();
      };
      child.on('exit', (code, signal) =>
        tell(ended(signal === null ? `it ended with code ${code}` : `it was killed by ${signal}`)),
      );
      child.on('error', (error) => {
        // Of a message that came too late `exit` tells more; of one that never started nothing else tells.
        if (child.pid === undefined) tell(ended(error.message, error));
      });
    });
    child.on('message', heard);
    return {
      manner: 'lent',
      shares: false,
      // Should it be gone, `exit` follows.
      post: (order) => void (child.connected && child.send(order, () => undefined)),
      hold(isHeld) {
        if (isHeld) {
          child.ref();
          child.channel?.ref();
        } else {
          child.unref();
          child.channel?.unref();
        }
      },
      end() {
        if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
        // Whoever waits for its end waits for a process that nobody holds.
        child.ref();
        child.kill('SIGKILL');
        return over;
      },
      pid: child.pid,
    };
  };
}

/**
 * The environment of the package's own worker. It connects to nobody, and to read the certificates that Node is told of, which a
 * start does in any case, may take as long as all the rest of it. What `NODE_OPTIONS` loads may need them.
 */
export const ownEnvironment = (given: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  given['NODE_OPTIONS'] ? given : { ...given, NODE_EXTRA_CA_CERTS: undefined };

const ended = (actual: string, cause?: unknown): EinstreamError =>
  fault('E_WORKER_LOST', {
    place: 'worker',
    rule: 'a worker must live until the pool ends it',
    actual: actual === '' ? describeValue(cause) : actual,
    cause,
  });
