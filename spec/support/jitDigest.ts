/**
 * @file What just-in-time tiers give in runs, streams, live and training, as plain data: to compare processes.
 */
import { from, queueScheduler, Subject } from 'rxjs';
import {
  add,
  einsum,
  evaluateSync,
  exp,
  graph,
  input,
  jit,
  js,
  live,
  mul,
  param,
  relu,
  run,
  sgd,
  sub,
  sum,
  tensor,
  train,
  wasm,
} from '../../src/index.js';

export async function jitDigest(): Promise<Readonly<Record<string, unknown>>> {
  const chain = graph({ x: input(['n']) }, ({ x }) => ({ y: relu(add(exp(x), mul(x, x))), s: sum(x) }));
  const line = graph({ x: input(['n', 2]), t: input(['n']), w: param(tensor([0, 0])) }, ({ x, t, w }) => {
    const error = sub(einsum('ni,i->n', x, w), t);
    return { loss: sum(mul(error, error)) };
  });
  const told: Record<string, unknown> = {};
  for (const inner of [js(), await wasm({ deterministic: true }), undefined]) {
    const backend = jit(inner, { hotPathThreshold: 3, adaptive: false });
    const values: unknown[] = [];
    const feeds = Array.from({ length: 6 }, (_, n) => ({ x: [n, -n / 4] }));
    for (const feed of feeds) values.push(evaluateSync(chain, feed, { backend }).y.toArray());
    from(feeds)
      .pipe(run(chain, { backend }))
      .subscribe(({ y, s }) => values.push(y.toArray(), s.toArray()));
    const x = new Subject<number[]>();
    live(chain, { x }, { backend, scheduler: queueScheduler }).subscribe(({ y }) => values.push(y.toArray()));
    feeds.forEach((feed) => x.next(feed.x));
    const batch = { x: [[1, 2], [3, 5]], t: [5, 13] }; // prettier-ignore
    from(Array.from({ length: 8 }, () => batch))
      .pipe(train(line, { loss: 'loss', optimizer: sgd({ rate: 0.01 }), backend }))
      .subscribe(({ loss }) => values.push(loss));
    const { cacheHits, compilations } = backend.stats();
    told[backend.name] = { values, cacheHits, compilations };
  }
  return JSON.parse(JSON.stringify(told)) as Readonly<Record<string, unknown>>;
}
