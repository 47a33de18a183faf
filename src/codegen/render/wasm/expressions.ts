/**
 * @file A nest's expressions as instructions in which sizes are operands: code does not depend on how many are folded.
 */
import { s, subterms, type Scalar } from '../../../ops/scalar.js';
import { replaced } from '../../../ops/replaced.js';
import type { NestIR } from '../../ir.js';
import { linearize, type Instruction } from '../../linear.js';

export interface Expressions {
  /** What each fold folds. */
  readonly values: readonly (readonly Instruction[])[];
  /** What becomes of each. */
  readonly finishes: readonly (readonly Instruction[] | undefined)[];
  readonly result: readonly Instruction[];
  /** Further results of a group. */
  readonly further: readonly (readonly Instruction[])[];
}

/** Operands behind the inputs: the number of elements folded into one, and the output's element. */
export const countOperand = (inputs: number): number => inputs;
export const outputOperand = (inputs: number): number => inputs + 1;

const readsInputs = (term: Scalar, inputs: number): boolean =>
  (term.kind === 'operand' && term.index < inputs) ||
  term.kind === 'position' ||
  subterms(term).some((each) => readsInputs(each, inputs));

const lister =
  ({ output }: NestIR) =>
  (term: Scalar): readonly Instruction[] =>
    linearize(term, output.dtype, 0);

const sized = (ir: NestIR, term: Scalar): Scalar =>
  replaced(term, ({ kind }) => (kind === 'count' ? { kind: 'operand', index: countOperand(ir.inputs.length) } : undefined));

/** The nest's expressions; `count` becomes an operand. */
export function expressionsOf(ir: NestIR): Expressions {
  const list = lister(ir);
  return {
    values: ir.folds.map(({ value }) => list(sized(ir, value))),
    finishes: ir.folds.map(({ finish }) => finish && list(sized(ir, finish))),
    result: list(sized(ir, ir.result)),
    further: (ir.further?.results ?? []).map((result) => list(sized(ir, result))),
  };
}

/**
 * The same with the last fold's value written to the output on the way and read from there for the result (softmax: the
 * exponentials); undefined where that leaves inputs to be read, which the output may lie over.
 */
export function keepingLast(ir: NestIR): Expressions | undefined {
  const value = ir.folds.at(-1)?.value;
  if (value === undefined || ir.emits !== 'element' || subterms(value).length === 0) return undefined;
  const list = lister(ir);
  const key = expressionKey(list(value));
  let found = false;
  const kept = replaced(ir.result, (term) => {
    if (subterms(term).length === 0 || expressionKey(list(term)) !== key) return undefined;
    found = true;
    return { kind: 'operand', index: outputOperand(ir.inputs.length) };
  });
  if (!found || readsInputs(kept, ir.inputs.length)) return undefined;
  if (!isAtLeastOne(ir)) return { ...expressionsOf(ir), result: list(sized(ir, kept)) };
  // Exponentials that are only added up and divided may be less exact where they are small.
  const inverse = timesInverse(kept);
  return inverse && { ...expressionsOf(ir), result: list(sized(ir, inverse)) };
}

/** Whether the last fold adds up e^(x − max x), of which one is 1. */
export function isAtLeastOne(ir: NestIR): boolean {
  const [largest, total] = ir.folds;
  if (ir.folds.length !== 2 || largest.monoid !== 'max' || total.monoid !== 'sum') return false;
  const value = unrounded(total.value);
  const difference = value.kind === 'unary' && value.fn === 'exp' ? unrounded(value.x) : undefined;
  if (difference?.kind !== 'binary' || difference.fn !== 'sub' || largest.finish !== undefined) return false;
  const { x, y } = difference;
  const list = lister(ir);
  return y.kind === 'fold' && y.index === 0 && expressionKey(list(x)) === expressionKey(list(largest.value));
}

/** x/y as x·(1/y), for which one division does where y is the same for all. */
const timesInverse = (term: Scalar): Scalar | undefined =>
  term.kind === 'binary' && term.fn === 'div' && term.x.kind === 'operand' && term.y.kind === 'fold'
    ? s.mul(term.x, s.div(1, term.y))
    : undefined;

/** What the list squares at last; undefined where it ends with anything else. */
export function rootOf(list: readonly Instruction[]): readonly Instruction[] | undefined {
  const last = list.at(-1)!;
  const isSquare = last.kind === 'binary' && last.fn === 'mul' && last.x === last.y && last.x === list.length - 2;
  return isSquare ? list.slice(0, -1) : undefined;
}

/** Without rounding, which float32 lanes do at each step. */
const unrounded = (term: Scalar): Scalar => (term.kind === 'round' && term.dtype === 'float32' ? unrounded(term.x) : term);

const numberKey = (value: number): string => (Object.is(value, -0) ? '-0' : String(value));

/** Equal texts mean equal code. */
export const expressionKey = (list: readonly Instruction[]): string =>
  list
    .map((i) => {
      switch (i.kind) {
        case 'constant':
          return `c${numberKey(i.value)}`;
        case 'operand':
          return `x${i.index}`;
        case 'fold':
          return `f${i.index}`;
        case 'position':
          return 'p';
        case 'unary':
          return `${i.fn}${i.domain === 'integer' ? '!' : ''}:${i.x}`;
        case 'binary':
          return `${i.fn}${i.domain === 'integer' ? '!' : ''}:${i.x}:${i.y}`;
        case 'select':
          return `select:${i.test}:${i.x}:${i.y}`;
        case 'round':
          return `${i.dtype}:${i.x}`;
      }
    })
    .join(' ');
