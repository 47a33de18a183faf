/**
 * @file Shapes: ops that move elements, views as feeds, scalars, empty tensors, outputs that are inputs or repeat.
 */
import { graph, input, param } from '../../graph/builder.js';
import { add, mul } from '../../ops/binary/index.js';
import { einsum } from '../../ops/einsum/einsum.js';
import type { AnyOp } from '../../ops/op.js';
import { broadcastTo, reshape, slice, transpose } from '../../ops/movement/index.js';
import { sum } from '../../ops/reduce/index.js';
import { allOps } from '../../ops/registry.js';
import { exp } from '../../ops/unary/index.js';
import { COMPUTED_DTYPES } from '../../tensor/dtype.js';
import { range, reversed } from '../../tensor/index.js';
import type { Tensor } from '../../tensor/tensor.js';
import { exampleCases, filled } from './cases.js';
import { holds, type Check, type Harness } from './harness.js';

const isMovement = ({ view, pieces, gather }: AnyOp): boolean =>
  view !== undefined || pieces !== undefined || gather !== undefined;

const moving = (harness: Harness): readonly Check[] =>
  allOps()
    .filter(isMovement)
    .map((op) => ({
      title: `shapes: ${op.name} moves elements as its definition says, for every dtype`,
      check: harness.on(async (backend) => {
        for (const dtype of COMPUTED_DTYPES) {
          for (const { graph: g, feeds } of exampleCases(op, dtype))
            await holds(harness, backend, g, feeds, `${op.name} of ${dtype}`);
        }
      }),
    }));

const base = filled([4, 6], 'float32', (i) => i - 7);
/** The same shape by other strides: what a feed may be. */
const VIEWS: Readonly<Record<string, () => Tensor>> = {
  'a transposed view': () => transpose(filled([6, 4], 'float32', (i) => i / 2)),
  'a reversed view': () => slice(base, reversed, null),
  'every second row of a larger tensor': () => slice(filled([8, 6], 'float32', Number), range(0, null, 2), null),
  'a row that repeats': () => broadcastTo(filled([6], 'float32', Number), { shape: [4, 6] }),
  'a contiguous tensor': () => base,
};

const views = (harness: Harness): readonly Check[] =>
  Object.entries(VIEWS).map(([title, view]) => ({
    title: `shapes: ${title} is a feed like any other`,
    check: harness.on(async (backend) => {
      const g = graph({ x: input([4, 6]) }, ({ x: fed }) => ({
        y: exp(mul(fed, 0.1)),
        s: sum(fed, { axis: 0 }),
        c: einsum('ij,kj->ik', fed, fed),
        t: transpose(fed),
        r: reshape(fed, { shape: [24] }),
      }));
      await holds(harness, backend, g, { x: view() }, title);
    }),
  }));

const outputs = (harness: Harness): readonly Check[] => [
  {
    title: 'shapes: an output may be an input, a param, a view, and come twice',
    check: harness.on(async (backend) => {
      const g = graph({ x: input([2, 3]), w: param(filled([3], 'float32', (i) => i)) }, ({ x, w }) => {
        const y = add(x, w);
        return { x, w, y, again: y, t: transpose(y) };
      });
      await holds(harness, backend, g, { x: filled([2, 3], 'float32', (i) => i) }, 'outputs');
    }),
  },
  {
    title: 'shapes: scalars, sizes of 1 and of 0, and six axes',
    check: harness.on(async (backend) => {
      for (const shape of [[], [1], [1, 1, 1], [0], [3, 0, 2], [2, 1, 3, 1, 2, 2]]) {
        const g = graph({ x: input(shape), w: input([1]) }, ({ x, w }) => ({
          y: exp(add(x, w)),
          s: sum(x),
          k: sum(x, { keepdims: true }),
        }));
        const feeds = { x: filled(shape, 'float32', (i) => i / 3), w: filled([1], 'float32', () => 0.5) };
        await holds(harness, backend, g, feeds, `shape [${shape.join()}]`);
      }
    }),
  },
];

export const shapes = (harness: Harness): readonly Check[] => [...moving(harness), ...views(harness), ...outputs(harness)];
