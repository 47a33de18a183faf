/**
 * @file `mergeTimed`: several inputs in event time as one, as far on as the slowest of them.
 */
import { isObservable, Observable } from 'rxjs';
import { describeValue, fault } from '../../errors/index.js';
import { listener } from '../../run/link.js';
import { serial } from '../../run/serial.js';
import { lend, type Kept } from '../kept.js';
import { checkKnown } from '../options.js';
import { asKept, EARLIEST, wrongState, type Timed } from './timed.js';

/** What `mergeTimed` remembers. */
export interface MergeState {
  /** The last watermark of each input. */
  readonly inputs: readonly number[];
  /** The last watermark that was told. */
  readonly told: number;
}

const PLACE = 'mergeTimed';

/**
 * Merges inputs in event time. The watermark is the least of the inputs' watermarks, and never goes back: an input that is idle is left
 * out until its next record, and so is one that has ended. When all are left out it is the greatest, and at the end +Infinity.
 *
 * ```ts
 * const timed = watermark({ time: (t: number) => t });
 * const watermarks = filter((item: Timed<number>) => item.kind === 'watermark');
 * mergeTimed([of(10, 30).pipe(timed), of(20).pipe(timed)]).pipe(watermarks, map(({ time }) => time)) // => [19, Infinity]
 * ```
 *
 * @throws EinstreamError E_ARGUMENT for what are no Observables, and a state of another number of inputs; at the call
 */
export function mergeTimed<T>(inputs: readonly Observable<Timed<T>>[], options: Kept<MergeState> = {}): Observable<Timed<T>> {
  checkKnown(PLACE, options, ['from', 'state']);
  if (!Array.isArray(inputs) || inputs.length === 0 || inputs.some((input) => !isObservable(input)))
    throw fault('E_ARGUMENT', { place: PLACE, rule: 'inputs are a list of Observables', actual: describeValue(inputs) });
  const start = readState(options.from, inputs.length);
  return new Observable((subscriber) => {
    const times = [...start.inputs];
    const isIdle = times.map(() => false);
    let { told } = start;
    const hasEnded = times.map(() => false);
    lend(options, () => Object.freeze({ inputs: Object.freeze(times.map(asKept)), told: asKept(told) }));
    const advance = (): void => {
      const active = times.filter((_, i) => !isIdle[i] && !hasEnded[i]);
      const greatest = hasEnded.every(Boolean) ? Infinity : Math.max(...times);
      const time = active.length === 0 ? greatest : Math.min(...active);
      if (time <= told) return;
      told = time;
      subscriber.next({ kind: 'watermark', time });
    };
    // One line for all inputs: what one brings about while another is being told must wait.
    const queue = serial<() => void>({
      next: (task) => {
        if (!subscriber.closed) task();
      },
      error: () => undefined,
      complete: () => undefined,
    });
    inputs.forEach((input$, i) => {
      if (subscriber.closed) return;
      const inner = listener<Timed<T>>({
        next: (item) => queue.next(() => take(item)),
        error: (error: unknown) => queue.next(() => subscriber.error(error)),
        complete: () =>
          queue.next(() => {
            hasEnded[i] = true;
            advance();
            if (hasEnded.every(Boolean)) subscriber.complete();
          }),
      });
      const take = (item: Timed<T>): void => {
        isIdle[i] = item.kind === 'idle';
        if (item.kind === 'record') subscriber.next(item);
        else if (item.kind === 'idle') {
          if (isIdle.every((idle, k) => idle || hasEnded[k])) subscriber.next(item);
        } else if (item.time === Infinity) hasEnded[i] = true;
        else times[i] = Math.max(times[i], item.time);
        advance();
      };
      subscriber.add(inner);
      input$.subscribe(inner);
    });
  });
}

function readState(from: MergeState | undefined, count: number): MergeState {
  if (from === undefined) return { inputs: new Array<number>(count).fill(EARLIEST), told: EARLIEST };
  if (Array.isArray(from?.inputs) && from.inputs.length === count && typeof from.told === 'number') return from;
  throw wrongState(PLACE, 'a state has a watermark for each input', `${count} inputs`, describeValue(from?.inputs));
}
