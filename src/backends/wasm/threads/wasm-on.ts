/**
 * @file The `wasm` backend with workers: loaded by itself, for those who ask for threads.
 */
import type { Backend } from '../../backend.js';
import { wasmMemory } from '../memory.js';
import type { WasmOptions } from '../options.js';
import { checked, wasmOver } from '../over.js';
import { crewOf } from './crew.js';
import { inPartsOf } from './in-parts.js';
import { recruit } from './recruit.js';
import { surroundings, type Surroundings } from './start.js';

/** As far as workers can be had here. */
export const withThreads = (options: WasmOptions): Promise<Backend> => wasmOn(surroundings(), options);

/** A backend with workers, as far as they can be had in `place`. Rejects as `wasm` does. */
export async function wasmOn(place: Surroundings, options: WasmOptions): Promise<Backend> {
  const { memoryLimit, cacheSize, threads, isRelaxed } = checked(options);
  const { helpers, remarks } = await recruit(threads, place);
  if (helpers.length === 0) return wasmOver(wasmMemory(memoryLimit), cacheSize, isRelaxed, { remarks });
  try {
    const memory = wasmMemory(memoryLimit, 'shared');
    const crew = crewOf(memory, helpers, place);
    return wasmOver(memory, cacheSize, isRelaxed, { crew, inParts: inPartsOf(crew), remarks });
  } catch (error) {
    await Promise.all(helpers.map(({ stop }) => stop()));
    throw error;
  }
}
