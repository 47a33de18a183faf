/**
 * @file `join`: several flows as one, item by item.
 */
import { describeValue, fault } from '../../errors/index.js';
import { teller } from '../../run/ending.js';
import { fifo } from '../../run/fifo.js';
import { readCount } from './bounds.js';
import type { Barrier, Flow } from './flow.js';
import { inlet, openInto } from './inlet.js';
import { outlet, type Outlet, type Producer } from './outlet.js';

/** How far one input may be ahead of the others. */
export interface JoinOptions {
  /** Items of each input that may wait for the others, an integer ≥ 1; 1 by default. */
  readonly credits?: number;
}

/**
 * Records of the first items of all flows, then of the second ones, and so on. Each input has credits of its own, so a fast one waits
 * for a slow one, and credit 1 is enough: what an input holds is always the next that is needed.
 *
 * Ends with the first input that has ended and whose items are all joined; the others are cancelled.
 *
 * ```ts
 * toObservable(join({ x: pulled([1, 2, 3]), y: pulled(['a', 'b']) })) // => [{ x: 1, y: 'a' }, { x: 2, y: 'b' }]
 * ```
 *
 * @throws EinstreamError E_ARGUMENT for no flows, or a wrong option
 */
export function join<R extends Readonly<Record<string, unknown>>>(
  flows: { readonly [K in keyof R]: Flow<R[K]> },
  { credits = 1 }: JoinOptions = {},
): Flow<R> {
  readCount('join', 'credits', credits);
  const inputs = Object.entries(flows as Readonly<Record<string, Flow<unknown>>>);
  if (inputs.length === 0) throw fault('E_ARGUMENT', { place: 'join', rule: 'there must be a flow to join' });
  for (const [name, flow] of inputs)
    if (typeof flow?.open !== 'function')
      throw fault('E_ARGUMENT', { place: `join ${name}`, rule: 'an input must be a flow', actual: describeValue(flow) });
  return { open: (sink) => outlet<R>(sink, teller(undefined), (out) => joined(inputs, credits, out)) };
}

/** What a join that is checkpointed holds for each input, and its name on barriers. */
export interface KeptJoin {
  readonly name: string;
  readonly waiting: Readonly<Record<string, readonly unknown[]>>;
}

interface Input {
  readonly name: string;
  readonly isEmpty: () => boolean;
  readonly shift: () => unknown;
  /** Asks for what there is room for. */
  readonly ask: () => void;
  readonly list: () => readonly unknown[];
  /** Where a barrier has come, or none will: what follows is held back until all are there. */
  readonly isAligned: () => boolean;
  readonly release: () => void;
  /** Set when it has ended and holds nothing more. */
  readonly end: () => (() => void) | undefined;
  readonly open: () => void;
  readonly cancel: () => void;
}

/** @param kept where barriers are aligned; without it they are lost here */
export function joined<R>(
  flows: readonly (readonly [string, Flow<unknown>])[],
  credits: number,
  out: Outlet<R>,
  kept?: KeptJoin,
): Producer {
  let [aligning, passing]: (Barrier | undefined)[] = [];
  const align = (barrier?: Barrier): void => {
    aligning ??= barrier;
    if (aligning === undefined || !inputs.every(({ isAligned }) => isAligned())) return;
    // Items of both sides of the barrier wait for credit: those in front of it are a part of the state.
    aligning.note(kept!.name, { waiting: Object.fromEntries(inputs.map(({ name, list }) => [name, list()])) });
    for (const { release } of inputs) release();
    [aligning, passing] = [undefined, aligning];
    out.pump();
  };
  const inputs = flows.map(([name, flow]) => inputOf(name, flow, { credits, out, waiting: kept?.waiting[name] ?? [], align: kept && align })); // prettier-ignore
  const cancel = (): void => {
    for (const input of inputs) input.cancel();
  };
  let isWanted = false;
  const ask = (): void => {
    isWanted ||= out.credits() > 0;
    if (isWanted) for (const input of inputs) input.ask();
  };
  return {
    start() {
      ask();
      for (const { open } of inputs) open();
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
      const ended = inputs.find(({ end }) => end() !== undefined)?.end();
      if (ended !== undefined) {
        cancel();
        ended();
        return false;
      }
      if (out.credits() === 0 || inputs.some(({ isEmpty }) => isEmpty())) return false;
      const record = Object.create(null) as Record<string, unknown>;
      for (const { name, shift } of inputs) record[name] = shift();
      out.next(record as R);
      return true;
    },
    stop: cancel,
  };
}

interface Means<R> {
  readonly credits: number;
  readonly out: Outlet<R>;
  readonly waiting: readonly unknown[];
  readonly align: ((barrier?: Barrier) => void) | undefined;
}

function inputOf<R>(name: string, flow: Flow<unknown>, { credits, out, waiting, align }: Means<R>): Input {
  const items = fifo<unknown>();
  for (const item of waiting) items.push(item);
  /** What came behind a barrier that others have not met yet. */
  const behind = fifo<unknown>();
  let isBehind = false;
  let held = waiting.length;
  let end: (() => void) | undefined;
  const from = inlet<unknown>({
    next(value) {
      (isBehind ? behind : items).push(value);
      out.pump();
    },
    barrier: align && ((barrier) => ((isBehind = true), align(barrier))),
    error(error) {
      end = () => out.error(error);
      out.pump();
    },
    complete() {
      end = () => out.complete();
      align?.();
      out.pump();
    },
  });
  return {
    name,
    isEmpty: items.isEmpty,
    shift() {
      held--;
      return items.shift();
    },
    ask() {
      const free = credits - held;
      held = credits;
      if (free > 0) from.grant(free);
    },
    list: items.list,
    isAligned: () => isBehind || end !== undefined,
    release() {
      isBehind = false;
      while (!behind.isEmpty()) items.push(behind.shift());
    },
    end: () => (items.isEmpty() && behind.isEmpty() ? end : undefined),
    open: () => openInto(flow, from),
    cancel: from.cancel,
  };
}
