/**
 * @file Random directed graphs of flows: forks where a node has several readers, joins where it has several inputs, credit 1 throughout.
 */
import { map, Observable, type OperatorFunction } from 'rxjs';
import fc from 'fast-check';
import { fork, join, pulled, through, type Flow } from '../../src/index.js';

export interface Dag {
  /** For each node after the source (which is 0): the nodes it reads, what kind of work it does, and the item it fails at. */
  readonly nodes: readonly {
    readonly inputs: readonly number[];
    readonly work: 'now' | 'later' | 'last';
    readonly failsAt?: number;
  }[];
  readonly items: number;
}

/** Dags of up to `most` nodes; one node in some of them fails. */
export const anyDag = (most: number): fc.Arbitrary<Dag> =>
  fc
    .record({
      shape: fc.array(
        fc.record({
          picks: fc.array(fc.nat(1_000), { minLength: 1, maxLength: 3 }),
          work: fc.constantFrom('now', 'now', 'later', 'last'),
          failsAt: fc.option(fc.nat(6), { freq: 12, nil: undefined }),
        }),
        { minLength: 1, maxLength: most },
      ),
      items: fc.integer({ min: 0, max: 6 }),
    })
    .map(({ shape, items }) => ({
      items,
      nodes: shape.map(({ picks, work, failsAt }, k) => ({
        inputs: [...new Set(picks.map((pick) => pick % (k + 1)))],
        work,
        failsAt,
      })),
    }));

/** Work that waits to be done: that of `last` only when there is no other. */
export interface Tasks {
  readonly later: (() => void)[];
  readonly last: (() => void)[];
}

export interface BuiltDag {
  readonly flow: Flow<unknown>;
  readonly seen: { pulled: number; open: number };
  readonly tasks: Tasks;
}

export function buildDag({ nodes, items }: Dag): BuiltDag {
  const tasks: Tasks = { later: [], last: [] };
  const seen = { pulled: 0, open: 0 };
  const source = {
    *[Symbol.iterator]() {
      seen.open++;
      try {
        while (seen.pulled < items) yield seen.pulled++;
      } finally {
        seen.open--;
      }
    },
  };
  const readers = Array.from({ length: nodes.length + 1 }, (): number => 0);
  for (const { inputs } of nodes) for (const input of inputs) readers[input]++;
  /** Branches of each node that nobody has taken yet. A node without readers is an output of the whole. */
  const branches: Flow<unknown>[][] = [];
  const add = (flow: Flow<unknown>, node: number): void =>
    void branches.push(readers[node] > 1 ? [...fork(flow, readers[node])] : [flow]);
  add(pulled(source), 0);
  nodes.forEach(({ inputs, work, failsAt }, k) => {
    const from = inputs.map((input) => branches[input].pop()!);
    const joined: Flow<unknown> =
      from.length === 1 ? from[0] : join(Object.fromEntries(from.map((flow, at) => [`i${at}`, flow])));
    add(through(failing(failsAt), { credits: 1 })(through(working(work, tasks), { credits: 1 })(joined)), k + 1);
  });
  const outputs = branches.flat();
  return { flow: join(Object.fromEntries(outputs.map((flow, k) => [`o${k}`, flow]))), seen, tasks };
}

const working = (work: 'now' | 'later' | 'last', tasks: Tasks): OperatorFunction<unknown, unknown> =>
  work === 'now'
    ? map((x) => x)
    : (items$) =>
        new Observable((subscriber) => {
          // With credit 1 there is one at a time, and the end comes when it is done.
          let end: (() => void) | undefined;
          let isAtWork = false;
          const finish = (how: () => void): void => {
            if (isAtWork) end = how;
            else how();
          };
          return items$.subscribe({
            next(item) {
              isAtWork = true;
              tasks[work].push(() => {
                isAtWork = false;
                subscriber.next(item);
                if (!isAtWork) end?.();
              });
            },
            error: (error: unknown) => finish(() => subscriber.error(error)),
            complete: () => finish(() => subscriber.complete()),
          });
        });

const failing = (at: number | undefined): OperatorFunction<unknown, unknown> => {
  if (at === undefined) return map((x) => x);
  return map((x, index) => {
    if (index === at) throw new Error('a branch fails');
    return x;
  });
};
