/**
 * @file Einsum: diagonals, sums, outer products, several operands, ellipsis, sizes 1 and 0, every dtype.
 */
import { findOp } from '../../ops/registry.js';
import { COMPUTED_DTYPES } from '../../tensor/dtype.js';
import type { Shape } from '../../tensor/shape.js';

import { caseOf, filled } from './cases.js';
import { holds, type Check, type Harness } from './harness.js';

const SPECS: readonly (readonly [spec: string, ...shapes: readonly Shape[]])[] = [
  ['ij,jk->ik', [3, 4], [4, 5]],
  ['ij,kj->ik', [3, 4], [5, 4]],
  ['ji,jk->ki', [4, 3], [4, 5]],
  ['bij,bjk->bik', [2, 3, 4], [2, 4, 2]],
  ['...ij,...jk->...ik', [2, 1, 3, 4], [5, 4, 2]],
  ['ij,jk,kl->il', [2, 3], [3, 4], [4, 2]],
  ['a,b,c->cab', [2], [3], [4]],
  ['ii->i', [4, 4]],
  ['ii->', [4, 4]],
  ['iij->ji', [3, 3, 2]],
  ['ij->ji', [2, 3]],
  ['ijk->', [2, 3, 4]],
  ['i,i', [5], [5]],
  ['i,i', [0], [0]],
  ['ij,jk->ik', [2, 0], [0, 3]],
  ['ij,jk->ik', [2, 1], [3, 4]],
  ['a,->a', [3], []],
  [',->', [], []],
];

export const contraction = (harness: Harness): readonly Check[] =>
  SPECS.map(([spec, ...shapes]) => ({
    title: `einsum: ${spec} of ${shapes.map((shape) => `[${shape.join()}]`).join(' and ')}`,
    check: harness.on(async (backend) => {
      for (const dtype of COMPUTED_DTYPES) {
        const operands = shapes.map((shape, at) => filled(shape, dtype, (i) => ((i * 5 + at) % 7) - 3));
        const made = caseOf(findOp('einsum')!, operands, { spec });
        if (made !== undefined) await holds(harness, backend, made.graph, made.feeds, `${spec} of ${dtype}`);
      }
    }),
  }));
