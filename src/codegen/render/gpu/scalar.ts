/**
 * @file Scalar expressions for gpu.js: one value an instruction, in the order of evaluation, all of them float32.
 */
import type { Scalar } from '../../../ops/scalar.js';
import type { ComputedDType } from '../../../tensor/dtype.js';
import { isTruth, linearize, type Instruction } from '../../linear.js';
import { BINARY, UNARY } from './functions/index.js';
import { truth } from './functions/plain.js';
import { wholePower } from './functions/power.js';
import type { Text } from './text.js';

/** What stands for the leaves of an expression at this place of the kernel. */
export interface Leaves {
  readonly operand: (index: number) => string;
  readonly fold: (index: number) => string;
  readonly position: () => string;
  readonly count: number;
}

/** The value of a term, as storing it to `dtype` leaves it. */
export function renderScalar(m: Text, term: Scalar, dtype: ComputedDType, leaves: Leaves): string {
  const { value, isTrue } = render(m, term, dtype, leaves);
  return dtype === 'bool' && !isTrue ? m.keep(truth(value)) : dtype === 'int32' ? m.keep(`Math.trunc(${value})`) : value;
}

/** The value of a term that is not stored yet. */
export const renderValue = (m: Text, term: Scalar, dtype: ComputedDType, leaves: Leaves): string =>
  render(m, term, dtype, leaves).value;

function render(
  m: Text,
  term: Scalar,
  dtype: ComputedDType,
  leaves: Leaves,
): { readonly value: string; readonly isTrue: boolean } {
  const list = linearize(term, dtype, leaves.count);
  const names: string[] = [];
  for (const instruction of list) names.push(renderInstruction(m, instruction, names, list, leaves));
  return { value: names.at(-1)!, isTrue: isTruth(list.at(-1)!) };
}

function renderInstruction(
  m: Text,
  i: Instruction,
  names: readonly string[],
  list: readonly Instruction[],
  leaves: Leaves,
): string {
  switch (i.kind) {
    case 'constant':
      return m.f(i.value);
    case 'operand':
      return m.keep(leaves.operand(i.index));
    case 'fold':
      return leaves.fold(i.index);
    case 'position':
      return m.keep(leaves.position());
    case 'unary':
      return m.keep(UNARY[i.fn](m, named(m, names[i.x])));
    case 'binary': {
      const name = i.fn === 'div' && isComputedConstant(list, i.y) ? unfolded : named;
      const [x, y] = [name(m, names[i.x]), name(m, names[i.y])];
      const exponent = list[i.y];
      const whole = i.fn === 'pow' && exponent.kind === 'constant' ? wholePower(m, x, exponent.value) : undefined;
      return m.keep(whole ?? BINARY[i.fn](m, x, y));
    }
    case 'select':
      return m.keep(`(${named(m, names[i.test])}===0?${names[i.y]}:${names[i.x]})`);
    case 'round':
      if (i.dtype === 'bool') return isTruth(list[i.x]) ? names[i.x] : m.keep(truth(names[i.x]));
      return i.dtype === 'int32' ? m.keep(`Math.trunc(${names[i.x]})`) : names[i.x];
  }
}

/** A number that no operand changes, but that is written as an expression: it may be zero. */
function isComputedConstant(list: readonly Instruction[], at: number): boolean {
  const isConstant = (of: number): boolean => list[of].kind === 'constant' || isComputedConstant(list, of);
  const i = list[at];
  return i.kind === 'binary' && isConstant(i.x) && isConstant(i.y);
}

/** Compilers of shading languages fold 0/0 and 0/x to 0; they cannot know that an argument is positive. */
const unfolded = (m: Text, value: string): string => m.keep(`(${m.f(Infinity)}>0?${value}:1)`);

/** Functions read their operands several times, and a literal that is compared with itself is no shading language's. */
const named = (m: Text, value: string): string => (/^[vs]/.test(value) ? value : m.keep(value));
