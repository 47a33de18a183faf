/**
 * @file Steps become one operator: runs of plain steps join into loops, long chains hand over through a queue.
 *
 * RxJS operators call one another, so about 1,000 in a row overflow the stack, and then values vanish without an
 * error. Every 128 operators the frame is put into a queue instead, and the outermost call takes it on from there.
 */
import { map, Observable, Subject, type Observer, type Subscriber } from 'rxjs';
import type { EinstreamError } from '../errors/index.js';
import type { OpNode } from '../graph/graph.js';
import { endWith, tearDown } from './ending.js';
import { fifo } from './fifo.js';
import type { Frame } from './frame.js';
import { listener } from './link.js';
import type { Apply, Step } from './step.js';

/** A node's step: `apply` is there for plain synchronous steps, whose operator is `map(apply)`. */
export interface ComposedStep {
  readonly node: OpNode;
  readonly operator: Step;
  readonly apply: Apply | undefined;
  /** Operators that `operator` is made of, at a guess that is rather too high. */
  readonly depth: number;
}

/** Operators between two hand-overs. */
const HANDOVER = 128;

/** @param tell hears of a teardown that failed when no stream could carry it */
export function compose(
  steps: readonly ComposedStep[],
  mode: 'segments' | 'separate',
  tell: (failure: EinstreamError) => void,
): Step {
  if (mode === 'segments' && steps.every(({ apply }) => apply !== undefined)) return chain(joined(steps));
  // Cut by depth, which is the same in both modes: they hand over at the same places, and tear down in the same order.
  const pieces = cut(steps).map((part) => chain(mode === 'segments' ? joined(part) : part.map(({ operator }) => operator)));
  return pieces.length <= 1 ? chain(pieces) : handingOver(pieces, tell);
}

function cut(steps: readonly ComposedStep[]): readonly (readonly ComposedStep[])[] {
  const parts: ComposedStep[][] = [];
  let part: ComposedStep[] = [];
  let depth = 0;
  for (const step of steps) {
    if (part.length === 0 || depth + step.depth > HANDOVER) {
      parts.push((part = []));
      depth = 0;
    }
    part.push(step);
    depth += step.depth;
  }
  return parts;
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
    for (let at = 0; at < run.length; at++) run[at](frame);
    return frame;
  });

/** Each piece has a subject of its own; what leaves a piece is queued for the next one. */
function handingOver(pieces: readonly Step[], tell: (failure: EinstreamError) => void): Step {
  return (frames$) =>
    new Observable((subscriber) => {
      const later = trampoline();
      const entries = pieces.map(() => new Subject<Frame>());
      let stopped = 0;
      /** When a piece ends, all before it is torn down at once, upstream first, as in a plain chain. */
      const stop = (count: number): EinstreamError | undefined => {
        let first: EinstreamError | undefined;
        for (; stopped < count; stopped++) {
          const failure = tearDown(parts[stopped]);
          if (first === undefined) first = failure;
          else endWith(first, failure, tell);
        }
        return first;
      };
      const into = (to: Observer<Frame>, above: number): Observer<Frame> => ({
        next: (frame) => later(() => to.next(frame)),
        error(error: unknown) {
          const end = endWith(error, stop(above), tell);
          later(() => to.error(end));
        },
        complete() {
          const failure = stop(above);
          later(() => (failure === undefined ? to.complete() : to.error(failure)));
        },
      });
      const source = listener(into(entries[0], 1));
      const exits = pieces.map((_, at) => listener(into(entries[at + 1] ?? subscriber, at + 2)));
      const parts: readonly Subscriber<Frame>[] = [source, ...exits];
      for (const part of parts) subscriber.add(part);
      // Downstream first, so that a piece that emits at once is heard. What has ended meanwhile needs no source.
      for (let at = pieces.length - 1; at >= 0; at--) if (!exits[at].closed) pieces[at](entries[at]).subscribe(exits[at]);
      if (!source.closed) frames$.subscribe(source);
    });
}

/** Runs tasks one after another: a task given while another runs waits its turn. */
function trampoline(): (task: () => void) => void {
  const tasks = fifo<() => void>();
  let isRunning = false;
  return (task) => {
    tasks.push(task);
    if (isRunning) return;
    isRunning = true;
    try {
      for (let next = tasks.shift(); next !== undefined; next = tasks.shift()) next();
    } finally {
      isRunning = false;
    }
  };
}
