/**
 * @file How long `compile` takes: a first time in a new process, when its own code is not optimised yet, and again.
 */
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Level } from '../../../src/index.js';

export interface CompileTime {
  readonly form: 'rules' | 'chain';
  readonly level: Level;
  /** Before and after. */
  readonly nodes: readonly [number, number];
  /** Milliseconds. */
  readonly first: number;
  readonly again: number;
}

export function compileTime(form: CompileTime['form'], size: number, level: Level, times: number): CompileTime {
  const program = fileURLToPath(new URL('./compile-child.ts', import.meta.url));
  const text = execFileSync(process.execPath, [...process.execArgv, program, form, String(size), level, String(times)], {
    encoding: 'utf8',
  });
  const { first, last, nodes } = JSON.parse(text.trim().split('\n').at(-1)!) as {
    readonly first: number;
    readonly last: number;
    readonly nodes: readonly [number, number];
  };
  return { form, level, nodes, first, again: last };
}
