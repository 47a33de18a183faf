/**
 * @file `fork`: one flow for several consumers, in step.
 */
import { teller } from '../../run/ending.js';
import { fifo } from '../../run/fifo.js';
import { readCount } from './bounds.js';
import type { Barrier, Flow, Sink } from './flow.js';
import { inlet, openInto } from './inlet.js';
import { outlet, type Outlet, type Producer } from './outlet.js';

/**
 * Branches of a flow, each of which gets every item. An item is asked for when all branches have credit, so none is ever ahead, and
 * nothing is buffered for a slow one. A branch that cancels is waited for no more.
 *
 * The first openings of all branches share one run of the flow, which begins with the last of them; so do the second ones, and so on.
 *
 * ```ts
 * const [a, b] = fork(pulled([1, 2, 3]), 2);
 * const squares = through(map((x: number) => x * x), { credits: 1 })(a);
 * toObservable(join({ square: squares, x: b })) // => [{ square: 1, x: 1 }, { square: 4, x: 2 }, { square: 9, x: 3 }]
 * ```
 *
 * @param count branches, an integer ≥ 1
 * @throws EinstreamError E_ARGUMENT for another count
 */
export function fork<T>(flow: Flow<T>, count: number): readonly Flow<T>[] {
  readCount('fork', 'count', count);
  /** Runs that wait for branches yet, the oldest first. */
  const runs: Sharing<T>[] = [];
  return Array.from({ length: count }, (_, branch) => ({
    open(sink: Sink<T>) {
      let run = runs.find((each) => !each.has(branch));
      if (run === undefined) runs.push((run = sharing(flow, count)));
      run.attach(branch, sink);
      if (run.isComplete()) runs.splice(runs.indexOf(run), 1);
    },
  }));
}

interface Sharing<T> {
  readonly has: (branch: number) => boolean;
  readonly attach: (branch: number, sink: Sink<T>) => void;
  readonly isComplete: () => boolean;
}

interface Branch<T> {
  readonly out: Outlet<T>;
  /** What it was given and has not told yet: its sink is being called. */
  readonly pending: { readonly push: (value: T) => void };
  /** Passes behind what is pending. */
  readonly mark: (barrier: Barrier) => void;
  readonly count: () => number;
}

function sharing<T>(flow: Flow<T>, count: number): Sharing<T> {
  const branches = new Map<number, Branch<T>>();
  let end: ((out: Outlet<T>) => void) | undefined;
  let asked = 0;
  let isOpened = false;

  const above = inlet<T>({
    next(value) {
      asked--;
      const open = [...branches.values()].filter(({ out }) => out.isOpen());
      for (const { pending } of open) pending.push(value);
      for (const { out } of open) out.pump();
    },
    error: (error) => finish((out) => out.error(error)),
    complete: () => finish((out) => out.complete()),
    barrier(barrier) {
      const open = [...branches.values()].filter(({ out }) => out.isOpen());
      for (const { mark } of open) mark(barrier);
      for (const { out } of open) out.pump();
    },
  });
  const finish = (signal: (out: Outlet<T>) => void): void => {
    end = signal;
    for (const { out } of branches.values()) out.pump();
  };
  /** Asks for as many as the branch with the least credit can take. */
  const ask = (): void => {
    if (!isOpened || end !== undefined) return;
    let least = Infinity;
    let isAnyOpen = false;
    for (const { out, count: waiting } of branches.values()) {
      if (!out.isOpen()) continue;
      isAnyOpen = true;
      least = Math.min(least, out.credits() - waiting());
    }
    if (!isAnyOpen) return above.cancel();
    if (least === Infinity && asked !== Infinity) {
      asked = Infinity;
      above.grant(Infinity);
    } else if (least > asked) {
      const more = least - asked;
      asked = least;
      above.grant(more);
    }
  };
  const branchOf = (out: Outlet<T>, branch: number): Producer => {
    const pending = fifo<T>();
    let waiting = 0;
    const push = (value: T): void => {
      waiting++;
      pending.push(value);
    };
    /** A barrier that is to pass, and how many items are in front of it. */
    let [passing, before]: [Barrier | undefined, number] = [undefined, 0];
    const mark = (barrier: Barrier): void => void ([passing, before] = [barrier, waiting]);
    branches.set(branch, { out, pending: { push }, mark, count: () => waiting });
    return {
      step() {
        if (passing !== undefined && before === 0) {
          const barrier = passing;
          passing = undefined;
          out.barrier(barrier);
          return true;
        }
        if (waiting > 0) {
          waiting--;
          before--;
          out.next(pending.shift()!);
          return true;
        }
        if (end === undefined) ask();
        else end(out);
        return false;
      },
      stop: ask,
    };
  };
  return {
    has: (branch) => branches.has(branch),
    isComplete: () => isOpened,
    attach(branch, sink) {
      outlet<T>(sink, teller(undefined), (out) => branchOf(out, branch));
      if (branches.size < count || isOpened) return;
      isOpened = true;
      ask();
      openInto(flow, above);
    },
  };
}
