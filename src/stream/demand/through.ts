/**
 * @file `through`: an RxJS operator on the way of a flow, with bounded work in it.
 */
import { Subject, type OperatorFunction } from 'rxjs';
import { describeValue, fault, type Diagnostic, type EinstreamError } from '../../errors/index.js';
import { teller } from '../../run/ending.js';
import { fifo } from '../../run/fifo.js';
import { listener } from '../../run/link.js';
import { checkBounds, roomFor, type Bounds } from './bounds.js';
import type { Barrier, Flow } from './flow.js';
import { inlet, openInto } from './inlet.js';
import { outlet, type Outlet, type Producer } from './outlet.js';

/** Bounds of what is in the operator or waits behind it. */
export interface ThroughOptions<T> extends Bounds<T> {
  /**
   * When the credit of an input comes back. `'output'` (default): with its output, of which there is one for each input. `'input'`: when
   * the operator has taken it, for operators that give fewer or more outputs and bound themselves what they keep (`filter`, `bufferCount`).
   */
  readonly release?: 'output' | 'input';
  /** Hears of a teardown that failed when the sink had cancelled; the console does otherwise. */
  readonly onDiagnostic?: (diagnostic: Diagnostic) => void;
}

/**
 * Takes a flow through an RxJS operator that gives one output for each input, in order: `run(graph)`, `map`, `concatMap`, a pipe of such;
 * with `release: 'input'` through any that keeps a bounded number of items.
 *
 * From the first demand on it keeps `credits` items in flight: in the operator, or computed and not yet asked for. So an operator that
 * works on several at once (`mergeMap(work, 4)`) has something to work on, and yet what it buffers is bounded. With `bytes` it asks for
 * one item at a time, and only while less than that is held. Outputs that were computed before an error are given before it.
 *
 * Outputs may wait, so they must be the consumer's own: what is lent (`outputs: 'borrow'`) is E_STALE by the time it is read.
 *
 * With `release: 'output'` more outputs than inputs are E_DEMAND, and an input that gives no output keeps its credit until the end: when
 * all credits are gone so, nothing moves any more. With `'input'` outputs that wait hold credits, too; those of one input may go beyond.
 *
 * ```ts
 * const g = graph({ x: input([]) }, ({ x }) => ({ y: mul(x, 2) }));
 * const outputs = through(run(g), { credits: 4 })(pulled([{ x: 1 }, { x: 2 }]));
 * toObservable(outputs).pipe(map(({ y }) => y.toArray())) // => [2, 4]
 * ```
 *
 * @throws EinstreamError E_ARGUMENT for bounds that bound nothing, at the call
 */
export function through<A, B>(operator: OperatorFunction<A, B>, options: ThroughOptions<A | B>): (flow: Flow<A>) => Flow<B> {
  checkBounds('through', options);
  if (!['output', 'input', undefined].includes(options.release))
    throw fault('E_ARGUMENT', {
      place: 'through',
      rule: 'release has two values',
      expected: "'output' or 'input'",
      actual: describeValue(options.release),
    });
  if (typeof operator !== 'function')
    throw fault('E_ARGUMENT', { place: 'through', rule: 'through takes an operator', actual: typeof operator });
  const tell = teller(options.onDiagnostic);
  return (flow) => ({
    open: (sink) => outlet<B>(sink, tell, (out) => passage(flow, operator, options, out)),
  });
}

/** A passage that is checkpointed: its name on barriers, outputs that waited at the last one, and its operator's state. */
export interface KeptPassage<B> {
  readonly name: string;
  readonly waiting: readonly B[];
  readonly read: () => unknown;
}

/** @param kept where barriers pass; without it they are lost here */
export function passage<A, B>(
  flow: Flow<A>,
  operator: OperatorFunction<A, B>,
  bounds: ThroughOptions<A | B>,
  out: Outlet<B>,
  kept?: KeptPassage<B>,
): Producer {
  const room = roomFor<A | B>(bounds);
  const isPaired = bounds.release !== 'input';
  const isSized = bounds.bytes !== undefined;
  const input = new Subject<A>();
  const outputs = fifo<B>();
  /** How many items are in the operator, and how many outputs wait; with a bound in bytes, their sizes. */
  let [inside, waiting] = [0, 0];
  const sizesInside = fifo<number>();
  const sizesWaiting = fifo<number>();
  let isWanted = false;
  let end: (() => void) | undefined;
  /** A barrier that waits for what is in the operator, what came behind it, and one that is to be handed on. */
  let [stopped, passing]: (Barrier | undefined)[] = [];
  const behind = fifo<() => void>();
  const wait = (value: B): void => {
    const size = room.add(value);
    if (isSized) sizesWaiting.push(size);
    waiting++;
    outputs.push(value);
  };
  /** Its moment has come: outputs that wait for credit are a part of the state, and it overtakes them. */
  const settle = (): void => {
    if (stopped === undefined || inside > 0) return;
    stopped.note(kept!.name, { state: kept!.read(), waiting: outputs.list() });
    [stopped, passing] = [undefined, stopped];
    for (let act = behind.shift(); act !== undefined; act = behind.shift()) act();
    out.pump();
  };
  const inTurn = (act: () => void): void => {
    if (stopped === undefined) act();
    else behind.push(act);
  };

  const above = inlet<A>({
    next: (value) => (stopped === undefined ? feed(value) : behind.push(() => feed(value))),
    error: (error) => inTurn(() => input.error(error)),
    complete: () => inTurn(() => input.complete()),
    barrier:
      kept &&
      ((barrier) => {
        stopped = barrier;
        settle();
      }),
  });
  const feed = (value: A): void => {
    const size = room.enter(value);
    if (isPaired) inside++;
    if (isPaired && isSized) sizesInside.push(size);
    input.next(value);
    if (!isPaired) room.leave(size);
    // Now that its size is known, or it is gone, there may be room for another one.
    if (isSized || !isPaired) out.pump();
  };
  const finish = (signal: () => void): void => {
    end ??= signal;
    above.cancel();
    out.pump();
  };
  const refuse = (error: unknown): void => {
    below.unsubscribe();
    finish(() => out.error(error));
  };
  const below = listener<B>({
    next(value) {
      if (isPaired && inside-- === 0) return refuse(excess());
      try {
        const size = isPaired ? (isSized ? room.swap(sizesInside.shift()!, value) : 0) : room.add(value);
        if (isSized) sizesWaiting.push(size);
      } catch (error) {
        return refuse(error);
      }
      waiting++;
      outputs.push(value);
      settle();
      out.pump();
    },
    error: (error: unknown) => finish(() => out.error(error)),
    complete: () => finish(() => out.complete()),
  });
  /**
   * Asks for what there is room for, from the first demand on.
   * An operator that has answered all it was given is given more when half of it is gone: fewer calls, for the same bound.
   */
  const ask = (): void => {
    isWanted ||= out.credits() > 0;
    if (!isWanted || end !== undefined || (inside === 0 && 2 * waiting > bounds.credits)) return;
    const free = room.take();
    if (free > 0) above.grant(free);
  };

  return {
    start() {
      kept?.waiting.forEach(wait);
      operator(input).subscribe(below);
      ask();
      openInto(flow, above);
    },
    step() {
      ask();
      // Also one that has come while asking: what it has counted as waiting must not go before it.
      if (passing !== undefined) {
        const barrier = passing;
        passing = undefined;
        out.barrier(barrier);
        return true;
      }
      if (waiting === 0) {
        end?.();
        return false;
      }
      if (out.credits() === 0) return false;
      waiting--;
      room.leave(isSized ? sizesWaiting.shift()! : 0);
      out.next(outputs.shift()!);
      return true;
    },
    stop() {
      above.cancel();
      below.unsubscribe();
    },
  };
}

const excess = (): EinstreamError =>
  fault('E_DEMAND', {
    place: 'through',
    rule: 'an operator gives at most one output for each input',
    hint: "release: 'input' is for operators that give more, or fewer",
  });
