/**
 * @file Kernels in parts that a crew computes together.
 */
import { EinstreamError } from '../../../errors/index.js';
import type { InParts } from '../kernels.js';
import type { Crew } from './crew.js';
import { launchParts } from './job.js';
import { split } from './split.js';

/** Parts for `crew`, of kernels that are worth it. */
export const inPartsOf =
  (crew: Crew): InParts =>
  (ir, whole, { memory, words, modules, render, scratch }) => {
    // A worker has no functions of JavaScript to import.
    const parts = (whole.source().imports ?? []).length > 0 ? undefined : split(ir, whole, render, crew);
    if (parts === undefined) return undefined;
    const most = Math.max(...parts.map(({ kernel }) => kernel.scratch));
    try {
      crew.reserve(most);
      return launchParts(memory, words, crew, modules, ir, parts, scratch(most));
    } catch (error) {
      // Parts take more memory than the whole; without it, one thread computes.
      if (error instanceof EinstreamError && error.code === 'E_OOM') return undefined;
      throw error;
    }
  };
