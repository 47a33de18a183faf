/**
 * @file A nest's expressions as instructions in which sizes are operands: code does not depend on how many are folded.
 */
import { subterms, type Scalar } from '../../../ops/scalar.js';
import type { NestIR } from '../../ir.js';
import { linearize, type Instruction } from '../../linear.js';

export interface Expressions {
  /** What each fold folds. */
  readonly values: readonly (readonly Instruction[])[];
  readonly result: readonly Instruction[];
}

/** `count` becomes the operand behind the last input. */
export function expressionsOf(ir: NestIR): Expressions {
  const known = new Map<Scalar, Scalar>();
  const sized = (term: Scalar): Scalar => {
    let made = known.get(term);
    if (made === undefined) known.set(term, (made = rewrite(term)));
    return made;
  };
  const rewrite = (term: Scalar): Scalar => {
    if (term.kind === 'count') return { kind: 'operand', index: ir.inputs.length };
    if (subterms(term).length === 0) return term;
    const parts = { ...term } as Record<string, unknown>;
    for (const [name, part] of Object.entries(parts))
      if (typeof part === 'object' && part !== null) parts[name] = sized(part as Scalar);
    return parts as unknown as Scalar;
  };
  const { dtype } = ir.output;
  return {
    values: ir.folds.map(({ value }) => linearize(sized(value), dtype, 0)),
    result: linearize(sized(ir.result), dtype, 0),
  };
}

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
