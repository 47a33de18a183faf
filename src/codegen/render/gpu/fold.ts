/**
 * @file Folds within one thread, of one value or of several side by side. Sums are added up in blocks, so that float32 loses
 * little however many terms there are.
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

/** What is folded: the terms at an index of each axis, one for each value that is folded beside the others. */
type Terms = (indices: readonly string[]) => readonly string[];

export interface Folding {
  readonly monoid: Monoid;
  readonly extents: readonly number[];
  readonly terms: Terms;
  /** Values that are folded side by side; 1 by default. */
  readonly width?: number;
  /** Terms of a sum that one turn of a loop adds; 1 by default. */
  readonly unroll?: number;
}

/** Loops over `extents`; gives the names of what the terms fold to. */
export function renderFold(m: Text, { monoid, extents, terms, width = 1, unroll = 1 }: Folding): readonly string[] {
  const totals = Array.from({ length: width }, () => m.variable(m.f(NEUTRAL[monoid])));
  const add = (into: readonly string[], values: readonly string[]): void => {
    into.forEach((name, lane) => {
      const value = monoid === 'sum' ? values[lane] : m.keep(values[lane]);
      m.run(`${name}=${BINARY[COMBINED[monoid]](m, name, value)};`);
    });
  };
  if (monoid === 'sum') sumInto({ m, terms, add, unroll }, totals, extents, []);
  else walk(m, extents, [], (indices) => add(totals, terms(indices)));
  return totals;
}

function walk(m: Text, extents: readonly number[], outer: readonly string[], body: (indices: readonly string[]) => void): void {
  const [extent, ...rest] = extents;
  if (extent === undefined) return body(outer);
  m.loop(extent, (index) => walk(m, rest, [...outer, index], body));
}

interface Sum {
  readonly m: Text;
  readonly terms: Terms;
  readonly add: (into: readonly string[], values: readonly string[]) => void;
  readonly unroll: number;
}

/** The sum over one axis after another, each with partial sums of its own. */
function sumInto(sum: Sum, into: readonly string[], extents: readonly number[], outer: readonly string[]): void {
  const [extent, ...rest] = extents;
  if (extent === undefined) return sum.add(into, sum.terms(outer));
  const inside = (target: readonly string[], index: string): void => sumInto(sum, target, rest, [...outer, index]);
  blocks(sum, into, extent, '', inside, rest.length > 0);
}

/** Sums over `count` indices that begin at `start`, in blocks of blocks. `isNested`: what is inside sums itself. */
function blocks(
  sum: Sum,
  into: readonly string[],
  count: number,
  start: string,
  inside: (into: readonly string[], index: string) => void,
  isNested: boolean,
): void {
  const { m, add, unroll } = sum;
  const from = (index: string): string => (start === '' ? index : m.keep(`${start}+${index}`));
  const partial = (body: (target: readonly string[]) => void): void => {
    const parts = into.map(() => m.variable('0'));
    body(parts);
    add(into, parts);
  };
  if (count <= BLOCK) {
    const turn = isNested || count % unroll !== 0 ? 1 : unroll;
    m.loop(count / turn, (index) => {
      if (isNested) partial((part) => inside(part, from(index)));
      else if (turn === 1) inside(into, from(index));
      else {
        const first = m.keep(from(`${index}*${literal(turn)}`));
        for (let at = 0; at < turn; at++) inside(into, at === 0 ? first : m.keep(`${first}+${literal(at)}`));
      }
    });
    return;
  }
  let size = BLOCK;
  while (size * BLOCK < count) size *= BLOCK;
  const whole = Math.floor(count / size);
  m.loop(whole, (index) => {
    const begin = m.keep(from(`${index}*${literal(size)}`));
    partial((part) => blocks(sum, part, size, begin, inside, isNested));
  });
  const rest = count - whole * size;
  if (rest > 0) {
    const begin = m.keep(from(literal(whole * size)));
    partial((part) => blocks(sum, part, rest, begin, inside, isNested));
  }
}
