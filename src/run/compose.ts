/**
 * @file Steps become one operator: runs of plain steps join into loops, long chains hand over through a queue.
 *
 * RxJS operators call one another, so about 1,000 in a row overflow the stack. Every 128 nodes the frame is put
 * into a queue instead, and the outermost call takes it on from there.
 */
import { map, Observable, Subject, type Observer } from 'rxjs';
import type { OpNode } from '../graph/graph.js';
import { fifo } from './fifo.js';
import type { Frame } from './frame.js';
import { link } from './link.js';
import type { Apply, Step } from './step.js';

/** A node's step: `apply` is there for plain synchronous steps, whose operator is `map(apply)`. */
export interface ComposedStep {
  readonly node: OpNode;
  readonly operator: Step;
  readonly apply: Apply | undefined;
}

/** Nodes between two hand-overs. */
const HANDOVER = 128;

export function compose(steps: readonly ComposedStep[], mode: 'segments' | 'separate'): Step {
  if (mode === 'segments' && steps.every(({ apply }) => apply !== undefined)) return chain(joined(steps));
  // Cut by nodes, not by operators: both modes then hand over at the same places, and tear down in the same order.
  const pieces: Step[] = [];
  for (let from = 0; from < steps.length; from += HANDOVER) {
    const part = steps.slice(from, from + HANDOVER);
    pieces.push(chain(mode === 'segments' ? joined(part) : part.map(({ operator }) => operator)));
  }
  return pieces.length <= 1 ? chain(pieces) : handingOver(pieces);
}

const chain =
  (operators: readonly Step[]): Step =>
  (frames$) =>
    operators.reduce((source$, operator) => operator(source$), frames$);

/** map ∘ map = map: each run of plain steps as one operator that loops over them. */
function joined(steps: readonly ComposedStep[]): Step[] {
  const operators: Step[] = [];
  let run: Apply[] = [];
  const flush = (): void => {
    if (run.length > 0) operators.push(segment(run));
    run = [];
  };
  for (const { apply, operator } of steps) {
    if (apply !== undefined) run.push(apply);
    else {
      flush();
      operators.push(operator);
    }
  }
  flush();
  return operators;
}

const segment = (run: readonly Apply[]): Step =>
  map((frame) => {
    for (let at = 0; at < run.length; at++) run[at]!(frame);
    return frame;
  });

/** Each piece has a subject of its own; what leaves a piece is queued for the next one. */
function handingOver(pieces: readonly Step[]): Step {
  return (frames$) =>
    new Observable((subscriber) => {
      const { later } = trampoline();
      const queued = (to: Observer<Frame>): Observer<Frame> => ({
        next: (frame) => later(() => to.next(frame)),
        error: (error: unknown) => later(() => to.error(error)),
        complete: () => later(() => to.complete()),
      });
      const entries = pieces.map(() => new Subject<Frame>());
      const exits: Observer<Frame>[] = [...entries.slice(1).map(queued), subscriber];
      const inner = pieces.map((piece, at) => ({ piece$: piece(entries[at]!), exit: exits[at]! }));
      // Downstream first, so that a piece that emits at once is heard; torn down upstream first, as in a plain chain.
      const subscriptions = inner.map(() => new Subject<Frame>().subscribe());
      for (let at = inner.length - 1; at >= 0; at--) subscriptions[at] = inner[at]!.piece$.subscribe(inner[at]!.exit);
      link(frames$, subscriber, queued(entries[0]!));
      subscriber.add(() => subscriptions.forEach((subscription) => subscription.unsubscribe()));
    });
}

/** Runs tasks one after another: a task given while another runs waits its turn. */
function trampoline(): { readonly later: (task: () => void) => void } {
  const tasks = fifo<() => void>();
  let isRunning = false;
  return {
    later(task) {
      tasks.push(task);
      if (isRunning) return;
      isRunning = true;
      try {
        for (let next = tasks.shift(); next !== undefined; next = tasks.shift()) next();
      } finally {
        isRunning = false;
      }
    },
  };
}
