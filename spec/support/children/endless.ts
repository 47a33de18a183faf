/**
 * @file An endless producer of 16 KiB items, a graph, and a consumer: what is in flight, how much memory stays, how fast it is (L3).
 *
 * A program of its own: `endless <items>`. Its last line is JSON.
 */
import { map, take } from 'rxjs';
import { graph, input } from '../../../src/graph/builder.js';
import { mul } from '../../../src/ops/binary/index.js';
import { run } from '../../../src/run/index.js';
import { acknowledged, pulled, through, toObservable, type Flow } from '../../../src/stream/index.js';
import { tensor } from '../../../src/tensor/create.js';
import type { Tensor } from '../../../src/tensor/tensor.js';

/** Float32 elements of 16 KiB. */
const ELEMENTS = 4096;
const CREDITS = 4;

export interface Endless {
  readonly items: number;
  /** Pulled and not released, at most; and what the credits allow. */
  readonly peakInFlight: number;
  readonly bound: number;
  /** MB of resident memory above those after warming up, at most. */
  readonly growth: number;
  /** On the clock. */
  readonly seconds: number;
  /** Items a second of processor time when the consumer is not the limit: the way alone, and with the graph on it. */
  readonly perSecond: number;
  readonly computedPerSecond: number;
}

type Feed = { readonly x: Tensor };
const count = Number(process.argv.at(-1));
const g = graph({ x: input([ELEMENTS]) }, ({ x }) => ({ y: mul(x, 2) }));
let pulledItems = 0;
async function* endless() {
  await Promise.resolve();
  for (;;) {
    const x = new Float32Array(ELEMENTS);
    x[0] = pulledItems++;
    yield { x: tensor(x) };
  }
}
const bounds = { credits: CREDITS };
const items = () =>
  through(
    map((feeds: Feed) => feeds),
    bounds,
  )(pulled(endless()));
const outputs = () => through(run(g), bounds)(pulled(endless()));

/** Each turn of the event loop is a millisecond of its clock, in which it lets go of one item. */
function slowly(items: number, look: (released: number) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    let released = 0;
    const acks: (() => void)[] = [];
    const tick = (): void => {
      const ack = acks.shift();
      if (ack === undefined) return;
      look(++released);
      ack();
      if (acks.length > 0) setImmediate(tick);
    };
    acknowledged(outputs(), { credits: CREDITS })
      .pipe(take(items))
      .subscribe({
        next({ value, ack }) {
          if (value.y.data[1] !== 0) reject(new Error('a result is wrong'));
          acks.push(ack);
          if (acks.length === 1) setImmediate(tick);
        },
        error: reject,
        complete: resolve,
      });
  });
}

/** Items a second of processor time. */
async function freely(flow: Flow<unknown>, items: number): Promise<number> {
  const before = process.cpuUsage();
  await new Promise<void>((resolve, reject) => {
    toObservable(flow).pipe(take(items)).subscribe({ error: reject, complete: resolve });
  });
  const { user, system } = process.cpuUsage(before);
  return (items * 1e6) / (user + system);
}

await slowly(2_000, () => undefined);
pulledItems = 0;
const base = process.memoryUsage.rss();
let [peakInFlight, peak] = [0, base];
const from = performance.now();
await slowly(count, (released) => {
  peakInFlight = Math.max(peakInFlight, pulledItems - released + 1);
  if (released % 256 === 0) peak = Math.max(peak, process.memoryUsage.rss());
});
const seconds = (performance.now() - from) / 1000;
const some = Math.min(count, 100_000);
const result: Endless = {
  items: count,
  peakInFlight,
  bound: 2 * CREDITS,
  growth: (peak - base) / 2 ** 20,
  seconds,
  perSecond: await freely(items(), some),
  computedPerSecond: await freely(outputs(), some),
};
console.log(JSON.stringify(result));
