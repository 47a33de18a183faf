/**
 * @file What demand costs: the same frames through the same graph, pushed by RxJS and pulled against credits.
 */
import { from, type Observable } from 'rxjs';
import { pulled, run, through, toObservable, type Outputs } from '../../src/index.js';
import { tinyExpected, tinyFeeds, tinyGraph, type Workload } from './workloads.js';

type Feeds = ReturnType<typeof tinyFeeds>;

/** One subscription a round: so many frames of a tiny graph, each looked at. */
function framed(name: string, events: number, outputsOf: (feeds: readonly Feeds[]) => Observable<Outputs>): Workload {
  const outputs$ = outputsOf(new Array<Feeds>(events).fill(tinyFeeds()));
  const expected = tinyExpected();
  let count = 0;
  const round = (look: (outputs: Outputs) => void): void => {
    count = 0;
    outputs$.subscribe((outputs) => {
      count++;
      look(outputs);
    });
    if (count !== events) throw new Error(`${name}: ${count} outputs of ${events} frames`);
  };
  return {
    name,
    events,
    round: () => round(() => undefined),
    check: () =>
      round(({ y }) => {
        if (expected.some((value, i) => value !== y.data[i])) throw new Error(`${name}: a result is wrong`);
      }),
  };
}

export const pushed = (events: number): Workload =>
  framed('tiny graph, pushed: from(array)', events, (feeds) => from(feeds).pipe(run(tinyGraph())));

export const onDemand = (events: number): Workload =>
  framed('tiny graph, on demand: credits 16', events, (feeds) =>
    toObservable(through(run(tinyGraph()), { credits: 16 })(pulled(feeds))),
  );
