/**
 * @file Reductions, softmax and normalisation over every choice of axes, empty and non-finite groups too.
 */
import type { AnyOp, Params } from '../../ops/op.js';
import { allOps } from '../../ops/registry.js';
import { COMPUTED_DTYPES } from '../../tensor/dtype.js';

import { caseOf, exampleCases, filled, type OpCase } from './cases.js';
import { holds, type Check, type Harness } from './harness.js';

const SHAPE = [3, 4, 2];
const AXES: readonly unknown[] = [null, 0, 1, 2, -1, [0, 2], [2, 0], []];

/** Parameters to try; those that an op does not take, or refuses, are left out. */
function* choicesFor(op: AnyOp): Iterable<Params> {
  const hasAxis = Object.hasOwn(op.params, 'axis');
  const hasKeep = Object.hasOwn(op.params, 'keepdims');
  if (!hasAxis) return;
  for (const axis of AXES) {
    yield { axis };
    if (hasKeep) yield { axis, keepdims: true };
  }
}

function accepted(
  op: AnyOp,
  shape: readonly number[],
  params: Params,
  dtype: (typeof COMPUTED_DTYPES)[number],
): readonly OpCase[] {
  const value = (i: number): number => (((i * 7) % 11) - 5) / (dtype === 'int32' ? 1 : 4);
  try {
    return [caseOf(op, [filled(shape, dtype, value)], params) ?? []].flat();
  } catch {
    // The op refuses this axis, or an empty group: the definition says so before any backend is asked.
    return [];
  }
}

/** One suite for all ops that fold. */
export const reduce = (harness: Harness): readonly Check[] =>
  allOps()
    .filter((op) => op.fold !== undefined)
    .map((op) => ({
      title: `reduce: ${op.name} is what its definition says, over any axes and for every dtype`,
      check: harness.on(async (backend) => {
        const tolerance = Math.max(harness.tolerance, op.tolerance?.relative ?? 0);
        for (const dtype of COMPUTED_DTYPES) {
          const place = `${op.name} of ${dtype}`;
          for (const { graph, feeds } of exampleCases(op, dtype)) await holds({ tolerance }, backend, graph, feeds, place);
          for (const params of choicesFor(op)) {
            for (const shape of [SHAPE, [2, 0, 3]]) {
              for (const { graph, feeds } of accepted(op, shape, params, dtype)) {
                await holds({ tolerance }, backend, graph, feeds, `${place}, shape [${shape.join()}], ${JSON.stringify(params)}`);
              }
            }
          }
        }
      }),
    }));
