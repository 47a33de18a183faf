/**
 * @file Where items wait for credit that came without being asked, and the policy of who must leave.
 */
import { fault, humanBytes, type EinstreamError } from '../../errors/index.js';
import { fifo } from '../../run/fifo.js';
import { sizing } from './bounds.js';
import { calling } from './failures.js';
import type { DropStats, HotOptions } from './from-observable.js';

export interface WaitingRoom<T> {
  /** @throws EinstreamError E_QUEUE_FULL when the policy says so, E_CONSUMER when a callback throws */
  readonly receive: (item: T, credits: number) => void;
  readonly isEmpty: () => boolean;
  /** The oldest. */
  readonly deliver: () => T;
  /** Nobody will take them any more. */
  readonly clear: () => void;
}

export function waitingRoom<T>(options: HotOptions<T>): WaitingRoom<T> {
  const { policy, bytes = Infinity, onDrop } = options;
  const size = options.size ?? 1;
  const sizeOf = bytes === Infinity ? () => 0 : sizing(options.sizeOf);
  const items = fifo<T>();
  const sizes = fifo<number>();
  let [received, delivered, dropped, waiting, peakWaiting, held] = [0, 0, 0, 0, 0, 0];

  const read = (): DropStats => ({ policy, received, delivered, dropped, waiting, peakWaiting });
  const take = (): T => {
    waiting--;
    held -= sizes.shift()!;
    return items.shift()!;
  };
  const put = (item: T, bytesOfItem: number): void => {
    waiting++;
    held += bytesOfItem;
    sizes.push(bytesOfItem);
    items.push(item);
  };
  const drop = (item: T): void => {
    dropped++;
    if (onDrop !== undefined) calling('onDrop', () => onDrop(item, read()));
  };
  const fits = (more: number, credits: number): boolean => waiting - credits < size && held + more <= bytes;

  calling('stats', () => options.stats?.(read));
  return {
    isEmpty: () => waiting === 0,
    receive(item, credits) {
      received++;
      const more = sizeOf(item);
      // With credit it does not wait; it only lets the call end that the sink is in.
      if (waiting < credits || fits(more, credits)) {
        put(item, more);
        peakWaiting = Math.max(peakWaiting, waiting - credits);
      } else if (policy === 'error') {
        dropped++;
        throw full(options, size, waiting, held);
      } else {
        if (policy !== 'dropNewest') while (waiting > 0 && !fits(more, credits)) drop(take());
        if (fits(more, credits)) put(item, more);
        else drop(item);
      }
    },
    deliver() {
      delivered++;
      return take();
    },
    clear() {
      dropped += waiting;
      while (waiting > 0) take();
    },
  };
}

const full = <T>({ bytes }: HotOptions<T>, size: number, waiting: number, held: number): EinstreamError =>
  fault('E_QUEUE_FULL', {
    place: 'fromObservable',
    rule: "with policy 'error' no more items may wait for credit than there is room for",
    expected: `at most ${size} items${bytes === undefined ? '' : ` and ${humanBytes(bytes)}`}`,
    actual: `one more than ${waiting}${bytes === undefined ? '' : `, which hold ${humanBytes(held)}`}`,
    hint: "name a policy that drops ('dropOldest', 'dropNewest', 'latest'), or pull the source",
  });
