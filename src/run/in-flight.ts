/**
 * @file The frames of one subscription that are on their way, so that their arenas go home whatever happens.
 */
import type { Frame } from './frame.js';

export interface InFlight {
  readonly add: (frame: Frame) => void;
  readonly remove: (frame: Frame) => void;
  /** Gives back the arenas of all that are left: the pipe is torn down. */
  readonly clear: () => void;
  readonly isCleared: () => boolean;
}

/** An array, as most often one frame comes and goes: a Set would allocate for each. */
export function inFlight(): InFlight {
  const frames: Frame[] = [];
  let isCleared = false;
  return {
    add: (frame) => void frames.push(frame),
    remove(frame) {
      const last = frames.pop();
      if (last === frame || last === undefined) return;
      const at = frames.indexOf(frame);
      if (at < 0) frames.push(last);
      else frames[at] = last;
    },
    isCleared: () => isCleared,
    clear() {
      isCleared = true;
      for (const frame of frames.splice(0)) frame.program.arenas.giveBack(frame.lease);
    },
  };
}
