/**
 * @file The subscribing of a pipe as one act: from `emit` upstream to `admit`, and only then to the source.
 *
 * A source may answer and end while it is subscribed to. By then all teardowns of the pipe must be in place: RxJS swallows
 * what a teardown throws that is added after the end. It is also how the two ends of a pipe that was put together by hand
 * find each other.
 */
import type { InFlight } from './in-flight.js';

export interface Wiring {
  /** Where frames are noted while they are on their way. */
  readonly flights: InFlight;
  /** To be called when all is wired. */
  readonly sources: (() => void)[];
}

let current: Wiring | undefined;

/** Subscribes to a pipe, then to its source. */
export function wire(flights: InFlight, subscribe: () => void): void {
  const before = current;
  const own: Wiring = { flights, sources: [] };
  current = own;
  try {
    subscribe();
  } finally {
    current = before;
  }
  for (const connect of own.sources) connect();
}

/** The pipe that is being subscribed to; undefined when a step subscribes late, or again: then its source is connected at once. */
export const pipeHere = (): Wiring | undefined => current;
