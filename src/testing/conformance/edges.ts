/**
 * @file Edge cases: what arithmetic does at its ends, graphs that are deep or wide, and faults that data alone can show.
 */
import { graph, input, type GraphSymbol } from '../../graph/builder.js';
import type { Graph } from '../../graph/graph.js';
import { add, div, mul, maximum } from '../../ops/binary/index.js';
import { take } from '../../ops/movement/index.js';
import { argmax, max, prod, sum } from '../../ops/reduce/index.js';
import { neg, oneMinus, reciprocal } from '../../ops/unary/index.js';
import type { ComputedDType } from '../../tensor/dtype.js';
import { filled } from './cases.js';
import { holds, refuses, type Check, type Harness } from './harness.js';

const listed = (values: readonly number[], dtype: ComputedDType = 'float32') => filled([values.length], dtype, (i) => values[i]);
const over = (length: number, dtype: ComputedDType, build: (x: GraphSymbol) => GraphSymbol): Graph =>
  graph({ x: input([length], { dtype }) }, ({ x }) => ({ y: build(x) }));

export const edges = (harness: Harness): readonly Check[] => {
  const one = (title: string, g: Graph, x: ReturnType<typeof listed>): Check => ({
    title: `edge cases: ${title}`,
    check: harness.on((backend) => holds(harness, backend, g, { x }, title)),
  });
  const extremes = listed([2 ** 31 - 1, -(2 ** 31), 65537, -65537], 'int32');
  return [
    one(
      'int32 wraps in addition',
      over(4, 'int32', (x) => add(x, x)),
      extremes,
    ),
    one(
      'int32 wraps in multiplication, exactly',
      over(4, 'int32', (x) => mul(x, x)),
      extremes,
    ),
    one(
      'int32 wraps in a sum and in a product',
      over(4, 'int32', (x) => add(sum(x), prod(x))),
      extremes,
    ),
    one(
      'int32 wraps in negation',
      over(4, 'int32', (x) => neg(x)),
      extremes,
    ),
    one(
      'division by zero follows IEEE',
      over(4, 'float32', (x) => div(x, mul(x, 0))),
      listed([1, -1, 0, NaN]),
    ),
    one(
      'a negative zero is one',
      over(2, 'float32', (x) => reciprocal(neg(x))),
      listed([0, -0]),
    ),
    one(
      'NaN wins in max, maximum and argmax',
      over(4, 'float32', (x) => add(max(x), maximum(x, 2))),
      listed([1, NaN, 3, 2]),
    ),
    one(
      'argmax gives the first of equals, and the first NaN',
      over(5, 'float32', (x) => argmax(x)),
      listed([1, 3, 3, NaN, NaN]),
    ),
    one(
      'infinities of both signs make NaN in a sum',
      over(3, 'float32', (x) => sum(x)),
      listed([Infinity, 1, -Infinity]),
    ),
    one(
      'float32 overflows to infinity when it is stored',
      over(2, 'float32', (x) => mul(x, x)),
      listed([1e30, -1e30]),
    ),
    one(
      'float64 does not',
      over(2, 'float64', (x) => mul(x, x)),
      listed([1e30, -1e30], 'float64'),
    ),
    one(
      'bool counts as 0 and 1',
      over(3, 'bool', (x) => add(sum(x), x)),
      listed([1, 0, 1], 'bool'),
    ),
    one(
      'a chain of 600 nodes',
      over(3, 'float32', (x) => Array.from({ length: 600 }).reduce<GraphSymbol>((y) => oneMinus(y), x)),
      listed([0, 1, 0.25]),
    ),
    one(
      'a sum of 300 readers of one value',
      over(2, 'float32', (x) => Array.from({ length: 300 }, (_, i) => mul(x, i)).reduce((a, b) => add(a, b))),
      listed([1, 0.5]),
    ),
    {
      title: 'edge cases: an index that is outside is an error, not an element that is not there',
      check: harness.on(async (backend) => {
        const g = graph({ x: input([3]), i: input([1], { dtype: 'int32' }) }, ({ x, i }) => ({ y: take(x, i) }));
        for (const at of [3, -4, 2 ** 31 - 1]) {
          const feeds = { x: listed([1, 2, 3]), i: listed([at], 'int32') };
          await refuses(backend, g, feeds, `index ${at}`, 'E_SHAPE');
        }
        await holds(harness, backend, g, { x: listed([1, 2, 3]), i: listed([-3], 'int32') }, 'index -3');
      }),
    },
  ];
};
