/**
 * @file Reads slice specs from users and files alike into plain records.
 */
import { at, ellipsis, newaxis, range, type SliceSpec } from '../../tensor/view/specs.js';
import { MAX_RANK } from '../../tensor/shape.js';
import type { ParamRule } from '../params.js';

/** Numbers are checked where they meet an axis; here only the form. */
export const sliceSpecs: ParamRule<readonly SliceSpec[]> = (value, refuse) => {
  // Every axis may be taken and as many added; beyond that no slice can be right.
  if (!Array.isArray(value) || value.length > 2 * MAX_RANK) return refuse(`a list of at most ${2 * MAX_RANK} specs`);
  return Object.freeze(
    Array.from(value as readonly unknown[], (item, i) => readSpec(item) ?? (item === null ? null : refuse(expected(item, i)))),
  );
};

const expected = (item: unknown, i: number): string =>
  `a list of null, at(…), range(…), reversed, newaxis or ellipsis; item ${i} is none of these${typeof item === 'number' ? ` (write at(${item}))` : ''}`;

function readSpec(item: unknown): SliceSpec | undefined {
  if (typeof item !== 'object' || item === null) return undefined;
  const { kind, index, start, stop, step } = item as Readonly<Record<string, unknown>>;
  if (kind === 'newaxis') return newaxis;
  if (kind === 'ellipsis') return ellipsis;
  if (kind === 'at' && typeof index === 'number') return at(index);
  if (kind === 'range' && isEnd(start) && isEnd(stop) && typeof step === 'number') return range(start, stop, step);
  return undefined;
}

const isEnd = (end: unknown): end is number | null => end === null || typeof end === 'number';
