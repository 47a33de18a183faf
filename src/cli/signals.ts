/**
 * @file Signals of this process as a stream.
 */
import { fromEvent, map, merge } from 'rxjs';
import type { Observable } from 'rxjs';
import type { Signal } from './io.js';

/** While it is subscribed to, these signals do not end the process. */
export const processSignals = (): Observable<Signal> =>
  merge(...(['SIGINT', 'SIGTERM'] as const).map((signal) => fromEvent(process, signal).pipe(map(() => signal))));
