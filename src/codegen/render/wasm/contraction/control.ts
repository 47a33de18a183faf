/**
 * @file Loops and descriptor words, as the kernels of contractions write them.
 */
import type { Code } from '../bytes.js';
import { block, br, brIf, i32, loop, select } from '../instructions.js';
import type { Local } from '../module.js';

/** `for (i = from; i < limit; i += step) body`; unsigned, so that addresses may pass 2³¹. */
export const each = (i: Local, from: Code, limit: Code, step: Code, ...body: readonly Code[]): Code => [
  i.set(from),
  block(loop(brIf(1, i32.ge_u(i.get, limit)), body, i.set(i32.add(i.get, step)), br(0))),
];

/** `do body while (count -= step)`: the tightest loop, for a count that `step` divides. */
export const countdown = (count: Local, step: number, ...body: readonly Code[]): Code =>
  loop(body, brIf(0, count.tee(i32.sub(count.get, i32.const(step)))));

/** `i += bytes`. */
export const advance = (i: Local, bytes: Code): Code => i.set(i32.add(i.get, bytes));

export const min = (x: Local, y: Local): Code => select(x.get, y.get, i32.lt_s(x.get, y.get));

/** Numbers that reach the code through the descriptor, and the code that reads them in `run(descriptor)`. */
export interface WordList {
  readonly values: readonly number[];
  readonly put: (value: number) => Code;
  /** The address of input `index`, of the output (`inputs`), of the scratch memory (`inputs + 1`). */
  readonly address: (index: number) => Code;
}

const DESCRIPTOR: Code = [0x20, 0x00];

export function wordList(inputs: number): WordList {
  const values: number[] = [];
  const read = (index: number): Code => i32.load(DESCRIPTOR, { offset: 4 * index, align: 2 });
  return { values, put: (value) => read(inputs + 1 + values.push(value)), address: read };
}
