/**
 * @file A child process that is asked in lines, and answers in lines of JSON until it dies.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';

export interface Asked {
  readonly child: ChildProcess;
  /** The next line that it says, or undefined when it is gone. */
  next(): Promise<Record<string, unknown> | undefined>;
  ask(line: string): Promise<Record<string, unknown> | undefined>;
  /** Ends its input, and waits until it is gone. */
  end(): Promise<void>;
}

export function asked(command: string, args: readonly string[], env: Readonly<Record<string, string>> = {}): Asked {
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'], env: { ...process.env, ...env } });
  child.stdin.on('error', () => undefined); // it died: `next` says so
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  const gone = new Promise<void>((resolve) => child.on('close', () => resolve()));
  const next = async () => {
    const { done, value } = await lines.next();
    return done === true ? undefined : (JSON.parse(value) as Record<string, unknown>);
  };
  return {
    child,
    next,
    ask(line) {
      child.stdin.write(`${line}\n`);
      return next();
    },
    end() {
      child.stdin.end();
      return gone;
    },
  };
}
