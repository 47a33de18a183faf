/**
 * @file What is told of a source that does not end when it is cancelled (S12).
 */
import { asyncScheduler, Subscription } from 'rxjs';
import { describeValue, fault, humanMs, type EinstreamError } from '../../errors/index.js';
import { teardownFailed } from './failures.js';
import type { PullOptions } from './pulled.js';

/** Waits for the promise that closing a source gave, if it gave one, and tells of a rejection, or of silence after the grace. */
export function patience(
  { graceMs = 1_000, scheduler = asyncScheduler }: PullOptions,
  tell: (failure: EinstreamError) => void,
): (closing: unknown) => void {
  if (!(typeof graceMs === 'number' && graceMs >= 0 && graceMs < Infinity))
    throw fault('E_ARGUMENT', { place: 'pulled', rule: 'graceMs must be a number ≥ 0', actual: describeValue(graceMs) });
  return (closing) => {
    if (typeof (closing as PromiseLike<unknown> | undefined)?.then !== 'function') return;
    const late = new Subscription();
    late.add(scheduler.schedule(() => tell(deaf(graceMs)), graceMs));
    Promise.resolve(closing as PromiseLike<unknown>).then(
      () => late.unsubscribe(),
      (error: unknown) => {
        const isToldAlready = late.closed;
        late.unsubscribe();
        if (!isToldAlready) tell(teardownFailed(error));
      },
    );
  };
}

const deaf = (graceMs: number): EinstreamError =>
  fault('E_TEARDOWN', {
    place: 'source',
    rule: 'a source must end when it is cancelled',
    expected: `within ${humanMs(graceMs)}`,
    actual: 'its return() is not over',
    hint: 'let what the source waits for end, too; nothing of it is heard any more',
  });
