/**
 * @file A pool in a process that may start no more threads or processes: what it does when its workers are gone.
 */
import { execFileSync } from 'node:child_process';
import { executorPool, graph, input, mul, type PoolOptions } from '../../../src/index.js';

const kind = process.argv.at(-1) as PoolOptions['kind'];
const doubled = graph({ x: input([]) }, ({ x }) => ({ y: mul(x, 2) }));
const script = new URL(process.env['POOL_WORKER']!);

const starts: number[] = [];
const pool = await executorPool({
  ...{ workers: 2, kind, script },
  onDiagnostic: ({ rule }) => {
    if (rule === 'a worker must start' || rule === 'a worker must live until the pool ends it') starts.push(performance.now());
  },
});
await pool.evaluate(doubled, { x: 1 });
execFileSync('prlimit', [`--pid=${process.pid}`, '--nproc=1:1']);
// Both workers go: one by what it is asked, the other after it.
const asked = [7001, 7001].map((x) =>
  pool.evaluate(doubled, { x }).then(
    () => 'answer',
    (error: { readonly code: string }) => error.code,
  ),
);
const codes = await Promise.all(asked);
const began = performance.now();
const later = await pool.evaluate(doubled, { x: 2 }, { timeoutMs: 20_000 }).then(
  () => 'answer',
  (error: { readonly code: string }) => error.code,
);
const perSecond = Math.max(...starts.map((at) => starts.filter((other) => other >= at && other < at + 1000).length));
console.log(JSON.stringify({ codes, later, perSecond, health: pool.stats().health, waited: performance.now() - began < 20_000 }));
await pool.close({ mode: 'abort' });
