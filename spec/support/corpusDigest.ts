/**
 * @file The corpus run to its end on one backend, and a digest of every bit that came out.
 */
import { createHash } from 'node:crypto';
import type { Backend } from '../../src/index.js';
import { COMPUTED_FAMILIES, computeCase } from '../oracle/computeCase.js';
import { judge, loadCases } from '../oracle/corpus.js';

export interface CorpusResult {
  readonly passed: number;
  readonly total: number;
  /** Of dtype, shape and elements of every value, in order; NaN is one bit pattern. */
  readonly digest: string;
}

/** On the default backend unless another is given. */
export function runCorpus(backend?: Backend): CorpusResult {
  const hash = createHash('sha256');
  let [passed, total] = [0, 0];
  for (const family of COMPUTED_FAMILIES) {
    for (const c of loadCases(family)) {
      total++;
      const wrong = judge(c, () => {
        const value = computeCase(family, c, backend);
        hash.update(`${c.id} ${value.dtype} ${value.shape.join()}`);
        hash.update(Float64Array.from(value.data as Float64Array, (x) => (Number.isNaN(x) ? NaN : x)));
        return value;
      });
      if (wrong === undefined) passed++;
    }
  }
  return { passed, total, digest: hash.digest('hex') };
}
