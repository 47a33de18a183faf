/**
 * @file Which program a frame gets: that of the frame before, which most often fits again, or another one.
 */
import type { Tensor } from '../tensor/tensor.js';
import type { Prepared } from './prepare.js';
import { fits, type Program } from './program.js';
import { insteadOf, keyOf, specialize } from './specialize.js';

/** Chooses for one caller. */
export interface Chooser {
  readonly next: (tensors: readonly Tensor[]) => Program;
  /** What takes over, for good, from a program that found no room. @throws `error` itself where nothing may */
  readonly instead: (program: Program, tensors: readonly Tensor[], error: unknown) => Program;
}

export const chooserOf = (prepared: Prepared): Chooser => prepared.choosing?.() ?? byFit(prepared);

function byFit(prepared: Prepared): Chooser {
  let last: Program | undefined;
  return {
    next: (tensors) => (last = last !== undefined && fits(last, tensors) ? last : specialize(prepared, tensors)),
    instead: (program, tensors, error) =>
      (last = prepared.programs.set(keyOf(tensors), insteadOf(program, prepared, tensors, error))),
  };
}
