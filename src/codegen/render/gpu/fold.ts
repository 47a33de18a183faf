/**
 * @file Folds within one thread. Sums are added up in blocks, so that float32 loses little however many terms there are.
 */
import type { Monoid } from '../../../ops/op.js';
import { literal } from '../../emitted.js';
import { BINARY } from './functions/index.js';
import type { Text } from './text.js';

/** Terms that are added one after another. */
const BLOCK = 16;

const COMBINED = { sum: 'add', prod: 'mul', max: 'max', min: 'min' } as const;
/** What a fold of nothing gives. */
export const NEUTRAL: Readonly<Record<Monoid, number>> = { sum: 0, prod: 1, max: -Infinity, min: Infinity };

/** Loops over `extents` around a term, which is given the index of each axis; gives the name of what they fold to. */
export function renderFold(
  m: Text,
  monoid: Monoid,
  extents: readonly number[],
  term: (indices: readonly string[]) => string,
): string {
  const total = m.variable(m.f(NEUTRAL[monoid]));
  const add = (into: string, value: string): void => {
    m.run(`${into}=${BINARY[COMBINED[monoid]](m, into, monoid === 'sum' ? value : m.keep(value))};`);
  };
  if (monoid === 'sum') sumInto(m, total, extents, [], term, add);
  else walk(m, extents, [], (indices) => add(total, term(indices)));
  return total;
}

function walk(m: Text, extents: readonly number[], outer: readonly string[], body: (indices: readonly string[]) => void): void {
  const [extent, ...rest] = extents;
  if (extent === undefined) return body(outer);
  m.loop(extent, (index) => walk(m, rest, [...outer, index], body));
}

type Add = (into: string, value: string) => void;

/** The sum over one axis after another, each with a partial sum of its own. */
function sumInto(
  m: Text,
  into: string,
  extents: readonly number[],
  outer: readonly string[],
  term: (indices: readonly string[]) => string,
  add: Add,
): void {
  const [extent, ...rest] = extents;
  if (extent === undefined) return add(into, term(outer));
  const inside = (target: string, index: string): void => sumInto(m, target, rest, [...outer, index], term, add);
  blocks(m, into, extent, '', inside, add, rest.length > 0);
}

/** Sums over `count` indices that begin at `start`, in blocks of blocks. `isNested`: what is inside sums itself. */
function blocks(
  m: Text,
  into: string,
  count: number,
  start: string,
  inside: (into: string, index: string) => void,
  add: Add,
  isNested: boolean,
): void {
  const from = (index: string): string => (start === '' ? index : m.keep(`${start}+${index}`));
  const partial = (body: (target: string) => void): void => {
    const part = m.variable('0');
    body(part);
    add(into, part);
  };
  if (count <= BLOCK) {
    m.loop(count, (index) => {
      if (isNested) partial((part) => inside(part, from(index)));
      else inside(into, from(index));
    });
    return;
  }
  let size = BLOCK;
  while (size * BLOCK < count) size *= BLOCK;
  const whole = Math.floor(count / size);
  m.loop(whole, (index) => {
    const begin = m.keep(from(`${index}*${literal(size)}`));
    partial((part) => blocks(m, part, size, begin, inside, add, isNested));
  });
  const rest = count - whole * size;
  if (rest > 0) {
    const begin = m.keep(from(literal(whole * size)));
    partial((part) => blocks(m, part, rest, begin, inside, add, isNested));
  }
}
