/**
 * @file What a scalar expression costs, in additions.
 */
import { subterms, type Scalar } from './scalar.js';

const CHEAP = new Set(['neg', 'abs', 'sign', 'floor', 'ceil', 'trunc', 'round', 'isnan', 'isfinite', 'isinf', 'not', 'add', 'sub', 'mul', 'min', 'max', 'eq', 'ne', 'lt', 'le', 'gt', 'ge', 'and', 'or', 'xor']); // prettier-ignore
/** Divisions, whose latency others hide. */
export const DIVISION = 3;
/** What is made of many operations. */
export const FUNCTION = 24;

/** All of a term; what stands in it twice is computed once. */
export function weightOf(term: Scalar): number {
  let weight = 0;
  for (const each of partsOf(term)) weight += ownWeight(each);
  return weight;
}

/** The dearest operation of a term. */
export function dearestOf(term: Scalar): number {
  let dearest = 0;
  for (const each of partsOf(term)) dearest = Math.max(dearest, ownWeight(each));
  return dearest;
}

function partsOf(term: Scalar): ReadonlySet<Scalar> {
  // A set goes on to what is added while it is walked.
  const parts = new Set([term]);
  for (const each of parts) for (const part of subterms(each)) parts.add(part);
  return parts;
}

function ownWeight(term: Scalar): number {
  if (term.kind === 'select') return 1;
  if (term.kind !== 'unary' && term.kind !== 'binary') return 0;
  if (CHEAP.has(term.fn)) return 1;
  return term.fn === 'div' || term.fn === 'sqrt' ? DIVISION : FUNCTION;
}
