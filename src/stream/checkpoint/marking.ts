/**
 * @file The beginning of the way of barriers: puts them between the items of a source, whether anyone asks for items or not.
 */
import { teller } from '../../run/ending.js';
import { fifo } from '../../run/fifo.js';
import type { Barrier, Flow } from '../demand/flow.js';
import { inlet, openInto } from '../demand/inlet.js';
import { outlet, type Outlet, type Producer } from '../demand/outlet.js';

export interface Marks {
  /** A barrier that is to pass now, behind the first `position` items. */
  readonly next: (position: number) => Barrier | undefined;
  /** Given what looks for a barrier again, at a time when no item comes. */
  readonly wake: (look: () => void) => void;
}

/** The items of a flow, which are those from `position` on, with barriers between them. */
export const marking = <T>(flow: Flow<T>, position: number, marks: Marks): Flow<T> => ({
  open: (sink) => outlet<T>(sink, teller(undefined), (out) => marked(flow, position, marks, out)),
});

function marked<T>(flow: Flow<T>, position: number, { next, wake }: Marks, out: Outlet<T>): Producer {
  const here = fifo<T>();
  /** Items that are here and not told, and those that were asked for and are not here. */
  let [held, asked] = [0, 0];
  let end: (() => void) | undefined;
  const above = inlet<T>({
    next(value) {
      asked--;
      held++;
      here.push(value);
      out.pump();
    },
    error: (error) => finish(() => out.error(error)),
    complete: () => finish(() => out.complete()),
  });
  const finish = (signal: () => void): void => {
    end = signal;
    out.pump();
  };
  return {
    start() {
      openInto(flow, above);
      wake(out.pump);
    },
    step() {
      const barrier = next(position);
      if (barrier !== undefined) {
        out.barrier(barrier);
        return true;
      }
      if (held > 0) {
        held--;
        position++;
        out.next(here.shift()!);
        return true;
      }
      if (end !== undefined) {
        end();
        return false;
      }
      const more = out.credits() - asked;
      if (more > 0) {
        asked += more;
        above.grant(more);
      }
      return false;
    },
    stop: above.cancel,
  };
}
