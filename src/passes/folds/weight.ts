/**
 * @file What an elementwise op costs for one element, in additions.
 */
import type { OpNode } from '../../graph/graph.js';
import type { ValueType } from '../../graph/infer.js';
import { expressionOf } from '../../ops/fused.js';
import { knownOp } from '../../ops/known.js';
import { s, subterms, type Scalar } from '../../ops/scalar.js';
import type { ComputedDType } from '../../tensor/dtype.js';

const CHEAP = new Set(['neg', 'abs', 'sign', 'floor', 'ceil', 'trunc', 'round', 'isnan', 'isfinite', 'isinf', 'not', 'add', 'sub', 'mul', 'min', 'max', 'eq', 'ne', 'lt', 'le', 'gt', 'ge', 'and', 'or', 'xor']); // prettier-ignore
/** Divisions, whose latency others hide. */
const DIVISION = 3;
/** What is made of many operations. */
export const FUNCTION = 24;

export function weightOf({ op, params, inputs }: OpNode, types: readonly (ValueType | undefined)[]): number {
  const dtypes = inputs.map((id) => types[id]?.dtype ?? 'float32') as readonly ComputedDType[];
  const term = expressionOf(knownOp(op)!, params, dtypes, inputs.map((_, k) => s.operand(k))); // prettier-ignore
  const seen = new Set<Scalar>();
  const weigh = (each: Scalar): number => {
    if (seen.has(each)) return 0;
    seen.add(each);
    return own(each) + subterms(each).reduce((sum, part) => sum + weigh(part), 0);
  };
  return weigh(term);
}

function own(term: Scalar): number {
  if (term.kind === 'select') return 1;
  if (term.kind !== 'unary' && term.kind !== 'binary') return 0;
  if (CHEAP.has(term.fn)) return 1;
  return term.fn === 'div' || term.fn === 'sqrt' ? DIVISION : FUNCTION;
}
