/**
 * @file A process with a pool under load that closes it in one way or another, and says what is left. It must end by itself.
 */
import { executorPool, graph, input, mul, type PoolOptions } from '../../../src/index.js';

const [kind, how] = process.argv.slice(-2) as [PoolOptions['kind'], 'drain' | 'abort' | 'idle' | 'unawaited'];
const doubled = graph({ x: input(['n']) }, ({ x }) => ({ y: mul(x, 2) }));
const script = new URL(process.env['POOL_WORKER']!);

const pool = await executorPool({ workers: 2, kind, script });
const asked = Array.from({ length: 50 }, (_, x) => pool.evaluate(doubled, { x: [x] }));
const outcomes = Promise.allSettled(asked);
if (how === 'drain' || how === 'abort') {
  const began = performance.now();
  const closed = pool.close({ mode: how });
  const late = await pool.evaluate(doubled, { x: [1] }).then(
    () => 'answered',
    (error: { code: string }) => error.code,
  );
  await closed;
  const answered = (await outcomes).filter(({ status }) => status === 'fulfilled').length;
  const ms = performance.now() - began;
  // What has ended is taken from the list in a later turn.
  await new Promise((resolve) => setTimeout(resolve, 20));
  const left = process.getActiveResourcesInfo().filter((name) => /Worker|Process|MessagePort|Pipe|Timeout/.test(name));
  console.log(
    JSON.stringify({
      late,
      answered,
      ms: Math.round(ms),
      left: left.filter((name) => name !== 'PipeWrap'),
      health: pool.stats().health,
    }),
  );
} else if (how === 'idle') {
  await outcomes;
  console.log(JSON.stringify({ health: pool.stats().health }));
} else
  void outcomes.then((all) =>
    console.log(JSON.stringify({ answered: all.filter(({ status }) => status === 'fulfilled').length })),
  );
