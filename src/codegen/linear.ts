/**
 * @file A scalar expression as a list of instructions, each computed once: what renderers walk.
 */
import type { ComputedDType } from '../tensor/dtype.js';
import type { BinaryFunction, Scalar, UnaryFunction } from '../ops/scalar.js';

/** Arguments are indices of earlier instructions. `domain` tells integer arithmetic (exact modulo 2³²) from float64. */
export type Instruction =
  | { readonly kind: 'constant'; readonly value: number }
  | { readonly kind: 'operand'; readonly index: number }
  | { readonly kind: 'fold'; readonly index: number }
  | { readonly kind: 'position' }
  | { readonly kind: 'unary'; readonly fn: UnaryFunction; readonly x: number; readonly domain: Domain }
  | { readonly kind: 'binary'; readonly fn: BinaryFunction; readonly x: number; readonly y: number; readonly domain: Domain }
  | { readonly kind: 'select'; readonly test: number; readonly x: number; readonly y: number }
  | { readonly kind: 'round'; readonly dtype: ComputedDType; readonly x: number };

export type Domain = 'float' | 'integer';

const PREDICATES = new Set<string>(['isnan', 'isfinite', 'isinf', 'not', 'eq', 'ne', 'lt', 'le', 'gt', 'ge', 'and', 'or', 'xor']);

/** True when the instruction can only give 0 or 1. */
export const isTruth = (instruction: Instruction): boolean =>
  (instruction.kind === 'unary' || instruction.kind === 'binary' ? PREDICATES.has(instruction.fn) : false) ||
  (instruction.kind === 'round' && instruction.dtype === 'bool') ||
  (instruction.kind === 'constant' && (Object.is(instruction.value, 0) || instruction.value === 1));

/**
 * Instructions in order of evaluation; the last one is the term's value.
 *
 * A term is computed in the domain of the dtype that it is rounded to: `dtype` at the root, a `round`'s own below it.
 *
 * @param count what `s.count` stands for
 */
export function linearize(term: Scalar, dtype: ComputedDType, count: number): readonly Instruction[] {
  const list: Instruction[] = [];
  const known: Record<Domain, Map<Scalar, number>> = { float: new Map(), integer: new Map() };
  const add = (instruction: Instruction): number => list.push(instruction) - 1;

  const visit = (t: Scalar, domain: Domain): number => {
    const seen = known[domain].get(t);
    if (seen !== undefined) return seen;
    const at = emit(t, domain);
    known[domain].set(t, at);
    return at;
  };
  const emit = (t: Scalar, domain: Domain): number => {
    switch (t.kind) {
      case 'constant':
      case 'operand':
      case 'fold':
      case 'position':
        return add(t);
      case 'count':
        return add({ kind: 'constant', value: count });
      case 'unary':
        return add({ kind: 'unary', fn: t.fn, x: visit(t.x, domain), domain });
      case 'binary':
        return add({ kind: 'binary', fn: t.fn, x: visit(t.x, domain), y: visit(t.y, domain), domain });
      case 'select':
        return add({ kind: 'select', test: visit(t.test, domain), x: visit(t.x, domain), y: visit(t.y, domain) });
      case 'round':
        return add({ kind: 'round', dtype: t.dtype, x: visit(t.x, domainOf(t.dtype)) });
    }
  };
  const root = visit(term, domainOf(dtype));
  // The value is read from the last instruction; an operand met first may be the whole term.
  if (root !== list.length - 1) list.push(list[root]);
  return list;
}

const domainOf = (dtype: ComputedDType): Domain => (dtype === 'int32' ? 'integer' : 'float');
