/**
 * @file Scalar expressions as JavaScript: one `const` an instruction, in the order of evaluation.
 */
import type { ComputedDType } from '../../tensor/dtype.js';
import type { BinaryFunction, Scalar, UnaryFunction } from '../../ops/scalar.js';
import { literal } from '../emitted.js';
import { isTruth, linearize, type Instruction } from '../linear.js';

/** What stands for the leaves of an expression at this place of the kernel. */
export interface Leaves {
  readonly operand: (index: number) => string;
  readonly fold: (index: number) => string;
  readonly position: string;
  /** Prefix of the names of this expression's values; unique within the function. */
  readonly prefix: string;
  readonly count: number;
  readonly dtypes: readonly ComputedDType[];
}

/** Functions that JavaScript engines compile to a few instructions; the others are called through `F`. */
const INLINE_UNARY: Partial<Record<UnaryFunction, (x: string) => string>> = {
  neg: (x) => `-${x}`,
  abs: (x) => `Math.abs(${x})`,
  sqrt: (x) => `Math.sqrt(${x})`,
  floor: (x) => `Math.floor(${x})`,
  ceil: (x) => `Math.ceil(${x})`,
  trunc: (x) => `Math.trunc(${x})`,
  exp: (x) => `Math.exp(${x})`,
  log: (x) => `Math.log(${x})`,
  tanh: (x) => `Math.tanh(${x})`,
  sin: (x) => `Math.sin(${x})`,
  cos: (x) => `Math.cos(${x})`,
  not: (x) => `(${x} === 0 ? 1 : 0)`,
  isnan: (x) => `(${x} !== ${x} ? 1 : 0)`,
};

const test = (sign: string) => (x: string, y: string) => `(${x} ${sign} ${y} ? 1 : 0)`;

const INLINE_BINARY: Partial<Record<BinaryFunction, (x: string, y: string) => string>> = {
  add: (x, y) => `${x} + ${y}`,
  sub: (x, y) => `${x} - ${y}`,
  mul: (x, y) => `${x} * ${y}`,
  div: (x, y) => `${x} / ${y}`,
  min: (x, y) => `Math.min(${x}, ${y})`,
  max: (x, y) => `Math.max(${x}, ${y})`,
  eq: test('==='),
  ne: test('!=='),
  lt: test('<'),
  le: test('<='),
  gt: test('>'),
  ge: test('>='),
};

const ROUND: Record<ComputedDType, (x: string) => string> = {
  float64: (x) => x,
  float32: (x) => `Math.fround(${x})`,
  int32: (x) => `(${x} | 0)`,
  bool: (x) => `(${x} === 0 ? 0 : 1)`,
};

/** Statements that compute a term, and the name (or literal) of its value, not yet rounded to `dtype`. */
export function renderScalar(
  term: Scalar,
  dtype: ComputedDType,
  leaves: Leaves,
): { readonly statements: readonly string[]; readonly value: string; readonly truth: boolean } {
  const list = linearize(term, dtype, leaves.count);
  const statements: string[] = [];
  const names: string[] = [];
  const whole = wholeNumbers(list, leaves.dtypes);
  list.forEach((instruction, at) => {
    const expression = renderInstruction(instruction, names, leaves, whole);
    if (instruction.kind === 'constant' || instruction.kind === 'position') names.push(expression);
    else {
      names.push(`${leaves.prefix}${at}`);
      statements.push(`const ${leaves.prefix}${at} = ${expression};`);
    }
  });
  return { statements, value: names.at(-1)!, truth: isTruth(list.at(-1)!) };
}

/** The value as storing to `dtype` needs it: typed arrays round float32 and int32 by themselves. */
export const stored = (value: string, dtype: ComputedDType, truth: boolean): string =>
  dtype === 'bool' && !truth ? ROUND.bool(value) : value;

function renderInstruction(i: Instruction, names: readonly string[], leaves: Leaves, whole: readonly boolean[]): string {
  switch (i.kind) {
    case 'constant':
      return literal(i.value);
    case 'operand':
      return leaves.operand(i.index);
    case 'fold':
      return leaves.fold(i.index);
    case 'position':
      return leaves.position;
    case 'unary':
      return INLINE_UNARY[i.fn]?.(names[i.x]) ?? `F.unary.${i.fn}(${names[i.x]})`;
    case 'binary': {
      const [x, y] = [names[i.x], names[i.y]];
      if (i.domain === 'integer' && i.fn === 'mul')
        return whole[i.x] && whole[i.y] ? `Math.imul(${x}, ${y})` : `F.integer.mul(${x}, ${y})`;
      if (i.domain === 'integer' && i.fn === 'pow') return `F.integer.pow(${x}, ${y})`;
      return INLINE_BINARY[i.fn]?.(x, y) ?? `F.binary.${i.fn}(${x}, ${y})`;
    }
    case 'select':
      return `(${names[i.test]} !== 0 ? ${names[i.x]} : ${names[i.y]})`;
    case 'round':
      return ROUND[i.dtype](names[i.x]);
  }
}

/** Which instructions surely give integers, so that products can wrap at once. */
function wholeNumbers(list: readonly Instruction[], dtypes: readonly ComputedDType[]): readonly boolean[] {
  const whole: boolean[] = [];
  for (const i of list) {
    if (i.kind === 'operand') whole.push(dtypes[i.index] === 'int32' || dtypes[i.index] === 'bool');
    else if (i.kind === 'constant') whole.push(Number.isInteger(i.value));
    else if (i.kind === 'round') whole.push(i.dtype === 'int32' || i.dtype === 'bool');
    else if (i.kind === 'binary' && i.domain === 'integer' && (i.fn === 'add' || i.fn === 'sub' || i.fn === 'mul'))
      whole.push(whole[i.x] && whole[i.y]);
    else whole.push(isTruth(i));
  }
  return whole;
}
