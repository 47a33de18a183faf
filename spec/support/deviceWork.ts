/**
 * @file Frames whose values lie on a device in more than one piece before they are what a node gives.
 */
import {
  concat,
  evaluate,
  evaluateSync,
  exp,
  graph,
  input,
  js,
  matmul,
  mul,
  relu,
  softmax,
  sum,
  tensor,
} from '../../src/index.js';
import type { Backend, EinstreamError, Feeds, Graph, Outputs } from '../../src/index.js';
import { differenceOf } from '../../src/testing/conformance/difference.js';

interface Work {
  readonly title: string;
  readonly graph: Graph;
  readonly feeds: Feeds;
  /** What js gives. */
  readonly want: Outputs;
}

const ramp = (shape: readonly number[]) => {
  const size = shape.reduce((product, extent) => product * extent, 1);
  return tensor(
    Float32Array.from({ length: size }, (_, at) => ((at * 7) % 13) / 13 + 0.1),
    { shape: [...shape] },
  );
};

/** No element of any result is 0, which is what a lost device gives. */
const WORKS: readonly Omit<Work, 'want'>[] = [
  {
    title: 'tiles',
    graph: graph({ a: input([64, 4]), b: input([4, 64]) }, ({ a, b }) => ({ y: exp(mul(matmul(a, b), -0.1)) })),
    feeds: { a: ramp([64, 4]), b: ramp([4, 64]) },
  },
  {
    title: 'folds in two levels',
    graph: graph({ x: input([2048]) }, ({ x }) => {
      const positive = relu(x);
      return { y: mul(softmax(positive), sum(positive)) };
    }),
    feeds: { x: ramp([2048]) },
  },
  {
    title: 'results put together of parts',
    graph: graph({ x: input([2, 3]) }, ({ x }) => ({ y: relu(concat([exp(x), mul(x, 2), x], { axis: 1 })) })),
    feeds: { x: ramp([2, 3]) },
  },
];

export const DEVICE_WORKS: readonly Work[] = WORKS.map((work) => ({
  ...work,
  want: evaluateSync(work.graph, work.feeds, { backend: js() }),
}));

/** `right` where a frame gives what js gives, else what is wrong or the code of its error. */
export async function outcomeOfWork({ graph: work, feeds, want }: Work, backend: Backend): Promise<string> {
  return evaluate(work, feeds, { backend, level: 'none', fallback: 'never' }).then(
    (got) => {
      const difference = differenceOf(got['y'], want['y'], 1e-5);
      return difference === undefined ? 'right' : `${difference.actual} for ${difference.expected}`;
    },
    ({ code }: EinstreamError) => code,
  );
}
