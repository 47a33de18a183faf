/** @file Runs a program to its end, for the specs that look at a whole process from outside. */
import { spawnSync } from 'node:child_process';
import { projectRoot } from './sourceFiles.js';

/** What a finished process said. `status` is null when it was stopped by `timeout`. */
export interface Finished {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

// What npm tells its scripts about this project would mislead an npm that works on another one.
const isOurs = (name: string) =>
  /^(npm_(package|lifecycle|command|config_(local_)?prefix)|TS_NODE|NODE_OPTIONS|EINSTREAM_|MOCHA)/i.test(name);

/** Runs `command` in `cwd` (the project's root) with a clean environment plus `env`; `input` goes to its standard input. */
export function runProcess(
  command: string,
  args: readonly string[],
  options: {
    readonly cwd?: string;
    readonly env?: Record<string, string>;
    readonly input?: string;
    readonly timeout?: number;
  } = {},
): Finished {
  const inherited = Object.fromEntries(Object.entries(process.env).filter(([name]) => !isOurs(name)));
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    cwd: options.cwd ?? projectRoot,
    env: { ...inherited, ...options.env },
    input: options.input ?? '',
    encoding: 'utf8',
    timeout: options.timeout ?? 120_000,
    maxBuffer: 1 << 28,
  });
  if (error !== undefined && status === null && stdout === null) throw error;
  return { status, stdout, stderr };
}

/** As `runProcess`, and throws with the output when the program fails. */
export function runToSuccess(...call: Parameters<typeof runProcess>): string {
  const { status, stdout, stderr } = runProcess(...call);
  if (status !== 0) throw new Error(`${call[0]} ${call[1].join(' ')} ended with ${status}:\n${stdout}\n${stderr}`);
  return stdout;
}
