/**
 * @file Folds in two levels: threads fold stretches of a group, then others fold what those gave.
 *
 * A fold of everything would otherwise be one thread's, and float32 sums of very many terms lose digits.
 */
import type { NestIR } from '../../ir.js';
import { count } from './cells.js';

/** Terms that a thread folds at most. */
const MOST_TERMS = 4096;
/** Fewer terms than this are one thread's, however few threads there are: a further kernel costs more. */
const FEW_TERMS = 1024;
/** From here on there are threads enough without. */
const MANY_GROUPS = 256;

/** Stretches of the folded axes: `length` indices of one of them, `along` apart, and all indices of the axes after it. */
export interface Stretches {
  /** Of the nest. The folded axes before it have an index for each stretch. */
  readonly axis: number;
  readonly length: number;
  readonly along: number;
  /** In a group. */
  readonly total: number;
  /** Neighbouring threads have neighbouring groups; else neighbouring stretches of one group. */
  readonly isAcross: boolean;
}

/** How a group's terms are parted; undefined where one thread folds them all. */
export function stretchesOf({ extents, outer, folds }: NestIR): Stretches | undefined {
  const terms = count(extents.slice(outer));
  const isAcross = count(extents.slice(0, outer)) >= MANY_GROUPS;
  if (folds.length === 0 || terms < FEW_TERMS || (isAcross && terms <= MOST_TERMS)) return undefined;
  // The square root makes both levels equally long.
  const most = isAcross ? MOST_TERMS : Math.min(MOST_TERMS, Math.ceil(Math.sqrt(terms)));
  let axis = extents.length - 1;
  let inside = 1;
  while (axis > outer && inside * extents[axis] <= most) inside *= extents[axis--];
  const along = Math.ceil(extents[axis] / evenLength(extents[axis], Math.max(1, Math.floor(most / inside))));
  return { axis, length: Math.ceil(extents[axis] / along), along, total: count(extents.slice(outer, axis)) * along, isAcross };
}

/** At most `most`, and without a rest if that makes at most twice as many stretches. */
function evenLength(extent: number, most: number): number {
  for (let length = Math.min(most, extent); 2 * length > most; length--) if (extent % length === 0) return length;
  return Math.min(most, extent);
}

/** Into how many parts `total` partial results are folded next; 1 where one thread folds them all. */
export const partsOf = (total: number): number => Math.ceil(total / MOST_TERMS);
