/**
 * @file Random graphs of flows whose stages keep sums, with work that is done when dice say so: for laws of barriers.
 */
import { concatMap, defer, map, Observable, pipe, type OperatorFunction } from 'rxjs';
import { fork, memoryStore, type CheckpointedFlowJob, type CheckpointStore, type Flow, type FlowStage, type KeptState } from '../../src/index.js'; // prettier-ignore
import type { Dag } from './anyDag.js';

/** Work that waits to be done. */
export type Tasks = (() => void)[];

const totalOf = (item: unknown): number =>
  typeof item === 'number' ? item : Object.values(item as Readonly<Record<string, number>>).reduce((sum, x) => sum + x, 0);

/** A sum that forgets nothing: any item lost, or met twice, shows in all outputs behind it. */
const mixing =
  ({ from = 0, state }: KeptState<number>): OperatorFunction<unknown, number> =>
  (items$) =>
    defer(() => {
      let sum = from;
      state(() => sum);
      return items$.pipe(map((item) => (sum = (3 * sum + totalOf(item) + 1) % 1_000_003)));
    });

const later = (tasks: Tasks): OperatorFunction<number, number> =>
  concatMap(
    (item) =>
      new Observable<number>((subscriber) => {
        tasks.push(() => {
          subscriber.next(item);
          subscriber.complete();
        });
      }),
  );

/** The way through the graph, with as many credits an edge. */
export const keptDag =
  ({ nodes }: Dag, credits: number, tasks: Tasks) =>
  (items: Flow<number>, stage: FlowStage): Flow<unknown> => {
    const readers = Array.from({ length: nodes.length + 1 }, (): number => 0);
    for (const { inputs } of nodes) for (const input of inputs) readers[input]++;
    const branches: Flow<unknown>[][] = [];
    const add = (flow: Flow<unknown>, node: number): void =>
      void branches.push(readers[node] > 1 ? [...fork(flow, readers[node])] : [flow]);
    add(items, 0);
    nodes.forEach(({ inputs, work }, k) => {
      const from = inputs.map((input) => branches[input].pop()!);
      const joined =
        from.length === 1 ? from[0] : stage.join(`join ${k}`, Object.fromEntries(from.map((flow, at) => [`i${at}`, flow])), { credits }); // prettier-ignore
      const make = (kept: KeptState<number>) => (work === 'now' ? mixing(kept) : pipe(mixing(kept), later(tasks)));
      add(stage.through(`stage ${k}`, make, { credits })(joined), k + 1);
    });
    return stage.join('end', Object.fromEntries(branches.flat().map((flow, k) => [`o${k}`, flow])), { credits });
  };

/** Answers when dice say so. */
export const answering = (tasks: Tasks, store: CheckpointStore = memoryStore()): CheckpointStore => ({
  ...store,
  write: (bytes) => new Promise<string>((resolve) => tasks.push(() => resolve(store.write(bytes)))),
});

/** Takes outputs when dice say so, and keeps what was committed. */
export function slowSink(tasks: Tasks, written: string[]): CheckpointedFlowJob<number, unknown>['sink'] {
  return {
    open(mark) {
      written.length = (mark as number | undefined) ?? 0;
    },
    write(value) {
      written.push(JSON.stringify(value));
      return new Promise<void>((resolve) => tasks.push(resolve));
    },
    commit: () => written.length,
  };
}
