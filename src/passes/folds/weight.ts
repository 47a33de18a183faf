/**
 * @file What an elementwise op costs for one element, in additions.
 */
import type { OpNode } from '../../graph/graph.js';
import type { ValueType } from '../../graph/infer.js';
import { expressionOf } from '../../ops/fused.js';
import { knownOp } from '../../ops/known.js';
import { s } from '../../ops/scalar.js';
import { weightOf as weightOfTerm } from '../../ops/weight.js';
import type { ComputedDType } from '../../tensor/dtype.js';

export { FUNCTION } from '../../ops/weight.js';

export function weightOf({ op, params, inputs }: OpNode, types: readonly (ValueType | undefined)[]): number {
  const dtypes = inputs.map((id) => types[id]?.dtype ?? 'float32') as readonly ComputedDType[];
  return weightOfTerm(expressionOf(knownOp(op)!, params, dtypes, inputs.map((_, k) => s.operand(k)))); // prettier-ignore
}
