/**
 * @file The program for feeds, from the cache or made now, and which of two backends computes it.
 */
import { repays } from '../backends/wasm/saving.js';
import { diagnose, type Diagnostic, type EinstreamError } from '../errors/index.js';
import type { Tensor } from '../tensor/tensor.js';
import type { Prepared } from './prepare.js';
import { programOf, type Program } from './program.js';
import { isNoRoom } from './room.js';
import { typed, type Typed } from './typed.js';

/** The whole of what a program depends on: type and layout of each input. Numbers and punctuation never run together. */
export const keyOf = (tensors: readonly Pick<Tensor, 'dtype' | 'shape' | 'strides'>[]): string =>
  tensors.map(({ dtype, shape, strides }) => `${dtype}(${shape.join()};${strides.join()})`).join();

export function specialize(prepared: Prepared, tensors: readonly Tensor[]): Program {
  const key = keyOf(tensors);
  return prepared.programs.get(key) ?? prepared.programs.set(key, build(prepared, prepared, tensors));
}

/**
 * The program that takes over from one that found no room. Whoever asks keeps it: a second try would cost as much as the first.
 *
 * @throws `error` itself where it is another one, or where nobody may take over
 */
export function insteadOf(
  { prepared: full, dispose }: Program,
  asked: Prepared,
  tensors: readonly Tensor[],
  error: unknown,
): Program {
  if (full.instead === undefined || !isNoRoom(error)) throw error;
  const program = programOf(typed(full.instead, asked, tensors), [noRoom(error)]);
  dispose();
  return program;
}

/** Whether the backend for what is large is to compute these feeds. */
export const isLarge = (here: Typed, tensors: readonly Tensor[]): boolean =>
  here.prepared.larger !== undefined && repays(here.saving, moved(here, tensors));

/** @param asked as it read the feeds: see `typed` */
export const build = (prepared: Prepared, asked: Prepared, tensors: readonly Tensor[]): Program =>
  onWhoComputes(prepared, asked, tensors, programOf);

/** What `make` makes for the backend that computes feeds of these types. @param tensors as `asked` read them */
export function onWhoComputes<T>(
  prepared: Prepared,
  asked: Prepared,
  tensors: readonly Tensor[],
  make: (by: Typed, notes?: Diagnostic[]) => T,
): T {
  const here = typed(prepared, asked, tensors);
  if (prepared.larger === undefined || !isLarge(here, tensors)) return make(here);
  try {
    return make(typed(prepared.larger(), asked, tensors));
  } catch (error) {
    if (prepared.fallback === 'never' || !isNoRoom(error)) throw error;
    return make(here, [noRoom(error)]);
  }
}

/** What is fed goes into the memory of the other backend, and outputs come back. */
function moved({ prepared, defaults, types }: Typed, tensors: readonly Tensor[]): readonly Pick<Tensor, 'shape' | 'dtype'>[] {
  const fed = tensors.filter((tensor, i) => tensor !== defaults[i]);
  return prepared.borrows ? fed : [...fed, ...prepared.outputs.map(({ slot }) => types[slot])];
}

/** The same words for all shapes, so that each subscription hears of it once. */
const noRoom = (cause: EinstreamError): Diagnostic => ({
  ...diagnose('E_BACKEND', {
    place: 'wasm',
    rule: 'its memory has no room for feeds of these shapes: js computes them',
    hint: 'name a backend with more memory: await wasm({ memoryLimit })',
    severity: 'warning',
    cause,
  }),
  code: 'W_FALLBACK',
});
