/**
 * @file A measured process, asked line by line.
 */
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import type { Contender } from './contenders.js';
import type { Answers, Failed, Ready, Request } from './protocol.js';

export interface Child {
  readonly name: string;
  readonly ready: Ready;
  readonly ask: <R extends Request>(request: R) => Promise<Answers[R['do']] | Failed>;
  readonly close: () => void;
}

/** Longest wait for an answer: a slow engine at a large size takes seconds. */
const PATIENCE = 180_000;
const GRACE = 5_000;

/** Starts it, and waits until its engine is ready. */
export async function child({ name, command, args, env }: Contender): Promise<Child | Failed> {
  const process_ = spawn(command, args, { stdio: ['pipe', 'ignore', 'pipe', 'pipe'], env: { ...process.env, ...env } });
  let ended: string | undefined;
  let said = '';
  let answered: ((answer: unknown) => void) | undefined;
  const end = (why: string): void => {
    ended ??= why;
    answered?.({ failed: `${ended} ${said}`.trim() });
  };
  process_.stderr?.on('data', (text: Buffer) => (said = (said + text.toString()).slice(-600)));
  process_.stdin?.on('error', (error) => end(String(error)));
  process_.on('error', (error) => end(String(error)));
  process_.on('exit', (code, signal) => end(`ended with ${signal ?? code}`));
  createInterface({ input: process_.stdio[3] as Readable }).on('line', (line) => answered?.(JSON.parse(line)));

  const answer = <T>(): Promise<T | Failed> =>
    new Promise((resolve) => {
      const timeout = setTimeout(() => answered?.({ failed: `no answer in ${PATIENCE / 1000} s` }), PATIENCE);
      answered = (value) => {
        clearTimeout(timeout);
        answered = undefined;
        resolve(value as T | Failed);
      };
      if (ended !== undefined) end(ended);
    });
  // It ends with its input, so that profiles are written; one that hangs is killed.
  const close = (): void => {
    process_.stdin?.end();
    setTimeout(() => process_.kill(), GRACE).unref();
  };
  const ready = await answer<Ready>();
  if ('failed' in ready) {
    close();
    return ready;
  }
  return {
    name,
    ready,
    ask(request) {
      const promise = answer<Answers[(typeof request)['do']]>();
      if (ended === undefined) process_.stdin?.write(`${JSON.stringify(request)}\n`);
      return promise;
    },
    close,
  };
}
