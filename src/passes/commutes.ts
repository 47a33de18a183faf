/**
 * @file Whether an op gives the same bits when its two operands change places.
 *
 * Read off its scalar expression, so that no list of ops has to be kept: addition, products, extremes, equality and logic are
 * symmetric in IEEE 754 to the last bit (0 and −0 too, and NaN wins on either side), and so is what is symmetric in them.
 */
import { expressionOf, isElementwise } from '../ops/fused.js';
import type { AnyOp, Params } from '../ops/op.js';
import { broadcastShape } from '../ops/rules.js';
import { s, subterms, type BinaryFunction, type Scalar } from '../ops/scalar.js';
import { COMPUTED_DTYPES } from '../tensor/dtype.js';

const SYMMETRIC: ReadonlySet<BinaryFunction> = new Set(['add', 'mul', 'min', 'max', 'eq', 'ne', 'and', 'or', 'xor']);

/** What a term is beside its parts. */
function headOf(term: Scalar): string {
  switch (term.kind) {
    case 'constant':
      return Object.is(term.value, -0) ? '-0' : String(term.value);
    case 'operand':
    case 'fold':
      return `${term.kind} ${term.index}`;
    case 'unary':
    case 'binary':
      return term.fn;
    case 'round':
      return term.dtype;
    default:
      return term.kind;
  }
}

/** Gives equal numbers to terms that differ in nothing but the order of what symmetric functions take. */
function termNumbers(): (term: Scalar) => number {
  const byText = new Map<string, number>();
  const known = new Map<Scalar, number>();
  const numberOf = (term: Scalar): number => {
    let number = known.get(term);
    if (number !== undefined) return number;
    const parts = subterms(term).map(numberOf);
    if (term.kind === 'binary' && SYMMETRIC.has(term.fn)) parts.sort((a, b) => a - b);
    const text = `${term.kind} ${headOf(term)} ${parts.join()}`;
    number = byText.get(text);
    if (number === undefined) byText.set(text, (number = byText.size));
    known.set(term, number);
    return number;
  };
  return numberOf;
}

/** True where op(x, y) and op(y, x) are the same bits for all operands of any dtypes. */
export function commutes(op: AnyOp, params: Params): boolean {
  if (op.minInputs !== 2 || op.maxInputs !== 2 || op.shape !== broadcastShape || !isElementwise(op)) return false;
  const numberOf = termNumbers();
  const [x, y] = [s.operand(0), s.operand(1)];
  return COMPUTED_DTYPES.every((a) =>
    COMPUTED_DTYPES.every((b) => {
      const isEven = op.dtype([a, b], params) === op.dtype([b, a], params);
      return isEven && numberOf(expressionOf(op, params, [a, b], [x, y])) === numberOf(expressionOf(op, params, [b, a], [y, x]));
    }),
  );
}
