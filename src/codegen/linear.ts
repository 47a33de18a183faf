/**
 * @file A scalar expression as a list of instructions, each computed once: what renderers walk.
 */
import { describeValue, fault } from '../errors/index.js';
import { isComputed, isDType, type ComputedDType } from '../tensor/dtype.js';
import { BINARY_FUNCTIONS, UNARY_FUNCTIONS, type BinaryFunction, type Scalar, type UnaryFunction } from '../ops/scalar.js';

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
 * Terms come from definitions of ops, which users write too, so this is where words that are not ours are stopped.
 *
 * @param count what `s.count` stands for
 * @throws EinstreamError E_CODEGEN for a term that is made of anything but known words and numbers
 */
export function linearize(term: Scalar, dtype: ComputedDType, count: number): readonly Instruction[] {
  const list: Instruction[] = [];
  const known: Record<Domain, Map<Scalar, number>> = { float: new Map(), integer: new Map() };
  const add = (instruction: Instruction): number => list.push(instruction) - 1;

  const visit = (t: Scalar, domain: Domain): number => {
    if (!isSound(t)) throw unsound(t);
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
  visit(term, domainOf(dtype));
  return list;
}

const domainOf = (dtype: ComputedDType): Domain => (dtype === 'int32' ? 'integer' : 'float');

const UNARY: ReadonlySet<string> = new Set(UNARY_FUNCTIONS);
const BINARY: ReadonlySet<string> = new Set(BINARY_FUNCTIONS);

function isSound(t: Scalar): boolean {
  if (typeof t !== 'object' || t === null) return false;
  switch (t.kind) {
    case 'constant':
      return typeof t.value === 'number';
    case 'operand':
    case 'fold':
      return Number.isSafeInteger(t.index) && t.index >= 0;
    case 'unary':
      return UNARY.has(t.fn);
    case 'binary':
      return BINARY.has(t.fn);
    case 'round':
      return isDType(t.dtype) && isComputed(t.dtype);
    default:
      return t.kind === 'position' || t.kind === 'count' || t.kind === 'select';
  }
}

const unsound = (t: unknown): Error =>
  fault('E_CODEGEN', {
    place: 'kernel',
    rule: 'a scalar expression is made of the functions of `s` and of numbers',
    actual: typeof t === 'object' && t !== null ? Object.values(t).map(describeValue).join(' ') : describeValue(t),
  });
