/**
 * @file The frames of one subscription that are on their way, so that their arenas go home whatever happens.
 */
import type { Frame } from './frame.js';

export interface InFlight {
  readonly add: (frame: Frame) => void;
  readonly remove: (frame: Frame) => void;
  /** Gives back the arenas of all that are left. */
  readonly clear: () => void;
}

/** An array, as most often one frame comes and goes: a Set would allocate for each. */
export function inFlight(): InFlight {
  const frames: Frame[] = [];
  return {
    add: (frame) => void frames.push(frame),
    remove(frame) {
      const last = frames.pop();
      if (last === frame || last === undefined) return;
      const at = frames.indexOf(frame);
      if (at < 0) frames.push(last);
      else frames[at] = last;
    },
    clear() {
      for (const frame of frames.splice(0)) frame.program.arenas.giveBack(frame.lease);
    },
  };
}

let expected: InFlight | undefined;

/**
 * Calls `subscribe`; an admission that is subscribed to in it notes its frames in `flights`. This is how the two ends of a
 * pipe that was put together by hand find each other: subscribing goes upstream, from `emit` to `admit`, without a break.
 */
export function noting(flights: InFlight | undefined, subscribe: () => void): void {
  const before = expected;
  expected = flights;
  try {
    subscribe();
  } finally {
    expected = before;
  }
}

/** Where frames of an admission that is now subscribed to are to be noted. */
export const flightsHere = (): InFlight => expected ?? inFlight();
