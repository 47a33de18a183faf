/**
 * @file Memory: feeds are not written to, outputs stay what they were, kernels and buffers go home.
 */
import { firstValueFrom, NEVER, of, startWith, toArray } from 'rxjs';
import type { Backend, Kernel } from '../../backends/index.js';
import { graph, input } from '../../graph/builder.js';
import type { Graph } from '../../graph/graph.js';
import { add, mul } from '../../ops/binary/index.js';
import { take } from '../../ops/movement/index.js';
import { sum } from '../../ops/reduce/index.js';
import { exp } from '../../ops/unary/index.js';
import { liveMemory } from '../../run/arena.js';
import { evaluate } from '../../run/evaluate.js';
import { run } from '../../run/run.js';
import { filled } from './cases.js';
import { failed, type Check, type Harness } from './harness.js';

const g = graph({ x: input(['n']) }, ({ x }) => ({ y: add(exp(x), sum(mul(x, 2))), x })) as Graph;
const feedOf = (length: number, first = 0) => ({ x: filled([length], 'float32', (i) => first + i / length) });
const text = (values: unknown): string => JSON.stringify(values);

function settled(place: string, before: ReturnType<typeof liveMemory>): void {
  if (text(liveMemory()) !== text(before)) throw failed(place, 'buffers go home', text(before), text(liveMemory()));
}

/** The backend, with its kernels counted. */
function counting(backend: Backend): { readonly counted: Backend; readonly live: () => number } {
  let live = 0;
  const compile: Backend['compile'] = (ir) => {
    const kernel = backend.compile(ir);
    live++;
    let isLive = true;
    return {
      run: (inputs, outputs) => kernel.run(inputs, outputs),
      dispose() {
        if (isLive) live--;
        isLive = false;
        kernel.dispose();
      },
    } satisfies Kernel;
  };
  return { counted: { ...backend, compile }, live: () => live };
}

export const memory = (harness: Harness): readonly Check[] => [
  {
    title: 'memory: feeds are never written to, and outputs are not touched by later frames',
    check: harness.on(async (backend) => {
      const feeds = [feedOf(9), feedOf(9, 1), feedOf(9, 2)];
      const before = text(feeds.map(({ x }) => x.toArray()));
      const outputs = await firstValueFrom(of(...feeds).pipe(run(g, { backend, fallback: 'never' }), toArray()));
      const first = text(outputs[0]['y'].toArray());
      const alone = text((await evaluate(g, feeds[0], { backend, fallback: 'never' }))['y'].toArray());
      if (first !== alone) throw failed('outputs', 'an output stays what it was', alone, first);
      const after = text(feeds.map(({ x }) => x.toArray()));
      if (after !== before) throw failed('feeds', 'a feed stays what it was', before, after);
    }),
  },
  {
    title: 'memory: buffers go home after success, an error and unsubscribing',
    check: harness.on(async (backend) => {
      const before = liveMemory();
      for (let at = 0; at < 50; at++) await evaluate(g, feedOf(1 + (at % 5)), { backend, fallback: 'never' });
      settled('success', before);
      const gathering = graph({ x: input([3]), i: input([1], { dtype: 'int32' }) }, ({ x, i }) => ({
        y: exp(take(x, i)),
      })) as Graph;
      const outside = { x: filled([3], 'float32', () => 1), i: filled([1], 'int32', () => 9) };
      await evaluate(gathering, outside, { backend, fallback: 'never' }).catch(() => undefined);
      settled('error', before);
      const subscription = NEVER.pipe(startWith(feedOf(4)), run(g, { backend, fallback: 'never' })).subscribe();
      subscription.unsubscribe();
      // A kernel of an asynchronous backend may still be writing: its buffers go home when it is done.
      await new Promise((resolve) => setTimeout(resolve, backend.capabilities.asynchronous ? 50 : 0));
      settled('unsubscribing', before);
    }),
  },
  {
    title: 'memory: kernels of shapes that were not met for long are disposed of',
    check: harness.on(async (backend) => {
      const { counted, live } = counting(backend);
      for (let length = 1; length <= 100; length++) await evaluate(g, feedOf(length), { backend: counted, fallback: 'never' });
      const settledAt = live();
      for (let length = 101; length <= 200; length++) await evaluate(g, feedOf(length), { backend: counted, fallback: 'never' });
      if (live() > settledAt) throw failed('kernels', 'their number is bounded', `at most ${settledAt}`, String(live()));
    }),
  },
];
