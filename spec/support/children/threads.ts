/** @file Backends with threads in a process of their own: how many threads the process has, and that nothing keeps it alive. */
import { readdirSync } from 'node:fs';
import { evaluateSync, graph, input, matmul, ones, wasm, type Backend } from '../../../src/index.js';
import { collected } from '../collect.js';

const SIZE = 200;
const g = graph({ x: input([SIZE, SIZE]) }, ({ x }) => ({ y: matmul(x, x) }));
const compute = (backend: Backend): number => evaluateSync(g, { x: ones([SIZE, SIZE]) }, { backend }).y.data[0] as number;

/** Threads of this process, where the system tells. */
const threads = (): number => {
  try {
    return readdirSync('/proc/self/task').length;
  } catch {
    return 0;
  }
};
/** What a thread leaves is gone a moment after it ended. */
const settled = async (most: number): Promise<number> => {
  for (let turn = 0; turn < 50 && threads() > most; turn++) await collected();
  return threads();
};

const first = await wasm({ threads: 3 });
const results = [compute(first)];
await first.close();
const before = await settled(0);

for (let turn = 0; turn < 5; turn++) {
  const each = await wasm({ threads: 3, memoryLimit: 2 ** 24 });
  results.push(compute(each));
  await each.close();
}
const closed = await settled(before);

const use = async (): Promise<number> => {
  const dropped = await wasm({ threads: 3, memoryLimit: 2 ** 24 });
  results.push(compute(dropped));
  return threads();
};
const open = await use();
const collectedThen = await settled(before);

const last = await wasm({ threads: 3 });
results.push(compute(last));
console.log(
  JSON.stringify({
    before,
    closed,
    open,
    dropped: collectedThen,
    results: [...new Set(results)],
    said: last.capabilities.remarks[0],
  }),
);
// Nobody closes the last one: the process ends all the same.
