/**
 * @file The line of those who wait: in the order of arrival, behind those that are tried again. Anyone may leave it.
 */
import type { EinstreamError } from '../../errors/index.js';
import type { Request } from './request.js';
import type { Room } from './room.js';

export interface Line extends Iterable<Request> {
  readonly size: () => number;
  /** Of those that came back. */
  readonly returned: () => number;
  /** Joins at the end, or gives the error that says why there is no room. */
  readonly join: (request: Request) => EinstreamError | undefined;
  /** Joins in front of those who were never tried. */
  readonly comeBack: (request: Request) => void;
  readonly leave: (request: Request) => void;
}

export function lineIn(room: Room): Line {
  // Sets keep the order of arrival.
  const [waiting, again] = [new Set<Request>(), new Set<Request>()];
  return {
    size: () => waiting.size + again.size,
    returned: () => again.size,
    join(request) {
      const full = room.take(request.work.bytes);
      if (full === undefined) waiting.add(request);
      return full;
    },
    comeBack: (request) => void again.add(request),
    leave(request) {
      again.delete(request);
      if (waiting.delete(request)) room.give(request.work.bytes);
    },
    *[Symbol.iterator]() {
      yield* again;
      yield* waiting;
    },
  };
}
