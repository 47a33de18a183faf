/**
 * @file Unary, binary and ternary ops: their examples, and every pair of special numbers, broadcast.
 */
import type { AnyOp } from '../../ops/op.js';
import { allOps } from '../../ops/registry.js';
import { COMPUTED_DTYPES, type ComputedDType } from '../../tensor/dtype.js';
import type { Tensor } from '../../tensor/tensor.js';

import { caseOf, exampleCases, filled, SPECIALS, type OpCase } from './cases.js';
import { holds, type Check, type Harness } from './harness.js';

const isElementwise = ({ expr, exprFor }: AnyOp): boolean => expr !== undefined || exprFor !== undefined;

/** Ops that compute one element from elements at the same place, by how many. */
const elementwise = (arity: AnyOp['arity']): readonly AnyOp[] => allOps().filter((op) => isElementwise(op) && op.arity === arity);

/** Specials along an axis of their own for each operand: broadcast, they meet in every combination. */
const specials = (count: number, dtype: ComputedDType): readonly Tensor[] =>
  Array.from({ length: count }, (_, at) => {
    const shape = [SPECIALS.length, ...Array.from({ length: at }, () => 1)];
    return filled(shape, dtype, (i) => (dtype === 'int32' ? SPECIALS[i] | 0 : SPECIALS[i]));
  });

const casesOf = (op: AnyOp, dtype: ComputedDType): readonly OpCase[] => [
  ...exampleCases(op, dtype),
  ...(Object.keys(op.params).length > 0 ? [] : [caseOf(op, specials(op.minInputs, dtype)) ?? []].flat()),
];

const suite = (title: string, arity: AnyOp['arity'], harness: Harness): readonly Check[] =>
  elementwise(arity).map((op) => ({
    title: `${title}: ${op.name} is what its definition says, for every dtype`,
    check: harness.on(async (backend) => {
      const tolerance = Math.max(harness.tolerance, op.tolerance?.relative ?? 0);
      for (const dtype of COMPUTED_DTYPES) {
        for (const { graph, feeds } of casesOf(op, dtype))
          await holds({ tolerance }, backend, graph, feeds, `${op.name} of ${dtype}`);
      }
    }),
  }));

export const unary = (harness: Harness): readonly Check[] => suite('unary', 1, harness);
export const binary = (harness: Harness): readonly Check[] => [...suite('binary', 2, harness), ...suite('ternary', 3, harness)];
