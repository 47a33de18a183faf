/**
 * @file A program that is measured: the same actions, and the time of each.
 */
import type { Action } from '../action.js';
import type { Program } from '../program.js';
import type { Times } from './times.js';

/** Shares everything with the program but its actions. The time between the nodes, which may be a consumer's, does not count. */
export function timed(program: Program, times: Times, clock: () => number): Program {
  const measured =
    (action: Action): Action =>
    (frame) => {
      const before = clock();
      const done = action(frame);
      if (done !== undefined) return done.finally(() => void (times.ms += clock() - before));
      times.ms += clock() - before;
      return undefined;
    };
  return { ...program, actions: program.actions.map(measured) };
}
