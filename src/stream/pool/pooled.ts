/**
 * @file `pool.run`: the pool as an operator. Outputs leave in the order of feeds, whoever was faster.
 *
 * At most `concurrency` feeds are between coming and leaving. Those beyond wait in the pool's room, so that E_QUEUE_FULL ends the
 * stream where they are too many. Whatever ends it, the source's error too, leaves after the outputs of the feeds before it.
 */
import { Observable, type OperatorFunction } from 'rxjs';
import type { EinstreamError } from '../../errors/index.js';
import { endWith, tearDown, teller } from '../../run/ending.js';
import { fifo } from '../../run/fifo.js';
import type { Feeds, Outputs } from '../../run/index.js';
import { listener } from '../../run/link.js';
import type { Desk } from './counter.js';
import type { Work } from './hand.js';
import type { Plan } from './plan.js';

type Result = { readonly outputs: Outputs } | { readonly error: unknown };

/** A feed that has come, in one of three states: it waits for its turn, it is with the pool, or it has a result. */
interface Item {
  readonly work: Work | undefined;
  hasRoom: boolean;
  cancel: ((reason: unknown) => void) | undefined;
  result: Result | undefined;
}

export const pooled =
  (desk: Desk, plan: Plan, concurrency: number): OperatorFunction<Feeds, Outputs> =>
  (feeds$) =>
    new Observable((subscriber) => {
      const waiting = fifo<Item>();
      const begun = fifo<Item>();
      const asked = new Set<Item>();
      const tell = teller(undefined);
      let inFlight = 0;
      let head: Item | undefined;
      let end: (() => void) | undefined;
      let failure: EinstreamError | undefined;
      let isSending = false;

      const leaveSource = (): void => {
        const failed = tearDown(above);
        failure ??= failed;
      };
      const giveRoom = (item: Item): void => {
        if (item.hasRoom) desk.room.give(item.work!.bytes);
        item.hasRoom = false;
      };
      /** Lets go of everything; gives what failed in doing so, once. */
      const stop = (): EinstreamError | undefined => {
        leaveSource();
        for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) giveRoom(item);
        const left = [...asked];
        asked.clear();
        for (const { cancel } of left) cancel?.(undefined);
        const told = failure;
        failure = undefined;
        return told;
      };
      const fail = (error: unknown): void => subscriber.error(endWith(error, stop(), tell));
      const finish = (): void => {
        const failed = stop();
        if (failed === undefined) subscriber.complete();
        else subscriber.error(failed);
      };

      /** In order, one at a time: what a consumer brings about meanwhile waits for the loop. */
      const send = (): void => {
        if (isSending) return;
        isSending = true;
        try {
          for (;;) {
            begin();
            head ??= begun.shift();
            if (head?.result === undefined || subscriber.closed) break;
            const { result } = head;
            head = undefined;
            inFlight--;
            if ('error' in result) return fail(result.error);
            subscriber.next(result.outputs);
          }
          if (inFlight === 0 && !subscriber.closed) end?.();
        } finally {
          isSending = false;
        }
      };
      const begin = (): void => {
        while (inFlight < concurrency && !subscriber.closed) {
          const item = waiting.shift();
          if (item === undefined) return;
          giveRoom(item);
          inFlight++;
          begun.push(item);
          if (item.work !== undefined) ask(item, item.work);
        }
      };
      const ask = (item: Item, work: Work): void => {
        asked.add(item);
        const settle = (result: Result): void => {
          if (!asked.delete(item)) return;
          item.result = result;
          // Nothing that comes later can matter.
          if ('error' in result) close(() => undefined);
          send();
        };
        item.cancel = desk.submit(work, { done: (outputs) => settle({ outputs }), fail: (error) => settle({ error }) });
      };
      const close = (last: () => void): void => {
        end ??= last;
        leaveSource();
      };
      const refuse = (error: unknown): void => {
        waiting.push({ work: undefined, hasRoom: false, cancel: undefined, result: { error: desk.refuse(error) } });
        close(() => undefined);
      };
      const take = (feeds: Feeds): void => {
        let work: Work;
        try {
          work = plan.workFor(feeds);
        } catch (error) {
          return refuse(error);
        }
        const hasRoom = inFlight >= concurrency || !waiting.isEmpty();
        const full = hasRoom ? desk.room.take(work.bytes) : undefined;
        if (full === undefined) waiting.push({ work, hasRoom, cancel: undefined, result: undefined });
        else refuse(full);
      };

      const above = listener<Feeds>({
        next(feeds) {
          if (end !== undefined) return;
          take(feeds);
          send();
        },
        error(error: unknown) {
          end ??= () => fail(error);
          send();
        },
        complete() {
          end ??= finish;
          send();
        },
      });
      subscriber.add(() => {
        const failed = stop();
        if (failed !== undefined) tell(failed);
      });
      feeds$.subscribe(above);
    });
