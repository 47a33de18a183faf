/**
 * @file Whole graphs: a diamond, a small network, random ones; streams of feeds of changing shapes.
 */
import { firstValueFrom, from, toArray } from 'rxjs';
import { graph, input, named, param } from '../../graph/builder.js';
import type { Graph } from '../../graph/graph.js';
import { add, mul, sub } from '../../ops/binary/index.js';
import { einsum } from '../../ops/einsum/einsum.js';
import { mean } from '../../ops/reduce/index.js';
import { softmax } from '../../ops/softmax/index.js';
import { exp, relu, square } from '../../ops/unary/index.js';
import { evaluate } from '../../run/evaluate.js';
import { run } from '../../run/run.js';
import { filled } from './cases.js';
import { failed, holds, same, type Check, type Harness } from './harness.js';
import { randomCase } from './random.js';
import { reference } from './reference.js';

const wave = (i: number): number => Math.sin(i + 1);
const network = graph(
  { x: input(['n', 6]), w: param(filled([6, 5], 'float32', wave)), b: param(filled([5], 'float32', wave)) },
  ({ x, w, b }) => {
    const h = relu(add(einsum('ni,io->no', x, w), b));
    return { p: softmax(h, { axis: -1 }), spread: mean(square(sub(h, mean(h, { axis: 1, keepdims: true })))) };
  },
);
const diamond = graph({ x: input(['n']) }, ({ x }) => {
  const y = exp(x);
  return { z: add(mul(y, 2), mul(y, y)), y };
});

const RANDOM = 24;

export const forward = (harness: Harness): readonly Check[] => [
  {
    title: 'forward: a diamond gives each value once and right',
    check: harness.on((backend) => holds(harness, backend, diamond, { x: filled([7], 'float32', wave) }, 'diamond')),
  },
  {
    title: 'forward: a small network, with its own weights and with fed ones',
    check: harness.on(async (backend) => {
      const x = filled([3, 6], 'float32', wave);
      await holds(harness, backend, network, { x }, 'network');
      await holds(harness, backend, network, { x, b: filled([5], 'float32', (i) => i) }, 'network with a fed bias');
    }),
  },
  {
    title: 'forward: a stream of feeds, of one shape and then of another, is answered in order',
    check: harness.on(async (backend) => {
      const feeds = [2, 2, 5, 2, 1].map((n, at) => ({ x: filled([n, 6], 'float32', (i) => wave(i + at)) }));
      const answers = await firstValueFrom(from(feeds).pipe(run(network as Graph, { backend, fallback: 'never' }), toArray()));
      if (answers.length !== feeds.length) throw failed('stream', 'one answer a feed', `${feeds.length}`, `${answers.length}`);
      answers.forEach((answer, at) => same(answer, reference(network, feeds[at]), harness.tolerance, `answer ${at}`));
    }),
  },
  {
    title: 'forward: kept intermediate values are right beside the outputs',
    check: harness.on(async (backend) => {
      const feeds = { x: filled([4], 'float32', wave) };
      const hidden = graph({ x: input([4]) }, ({ x }) => ({ z: mul(named('e', exp(x)), 3) }));
      const shown = graph({ x: input([4]) }, ({ x }) => ({ z: mul(exp(x), 3), e: exp(x) }));
      const got = await evaluate(hidden, feeds, { backend, keep: ['e'], fallback: 'never' });
      same(got, reference(shown, feeds), harness.tolerance, 'kept');
    }),
  },
  ...Array.from({ length: RANDOM }, (_, at) => ({
    title: `forward: random graph ${harness.seed + at}`,
    check: harness.on(async (backend) => {
      const { graph: g, feeds } = randomCase(harness.seed + at, 4 + at);
      await holds(harness, backend, g, feeds, `random graph ${harness.seed + at}`);
    }),
  })),
];
