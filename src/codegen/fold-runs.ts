/**
 * @file Which folds share one run over a row: neighbours that read nothing of one another, so that the row is read once.
 */
import { subterms, type Scalar } from '../ops/scalar.js';
import type { NestIR } from './ir.js';

/** Indices of the folds of each run, in order. */
export function foldRuns({ folds }: NestIR): readonly (readonly number[])[] {
  const runs: number[][] = [];
  folds.forEach(({ value }, at) => {
    const run = runs.at(-1);
    if (run !== undefined && latestFold(value, new Set()) < run[0]) run.push(at);
    else runs.push([at]);
  });
  return runs;
}

/** The last fold that a term reads; −1 where it reads none. */
function latestFold(term: Scalar, seen: Set<Scalar>): number {
  if (term.kind === 'fold') return term.index;
  if (seen.has(term)) return -1;
  seen.add(term);
  return subterms(term).reduce((latest, each) => Math.max(latest, latestFold(each, seen)), -1);
}
