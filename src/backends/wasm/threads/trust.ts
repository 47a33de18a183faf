/**
 * @file Whether help pays: where cores are busy with other things, to wait for a worker takes longer than its part.
 */

export interface Trust {
  /** Whether the next kernel is shared. */
  readonly isGiven: () => boolean;
  /** @param took what a shared kernel took, `alone` what it would have taken this thread, both in milliseconds */
  readonly learn: (took: number, alone: number) => void;
}

/** After a loss one kernel is computed alone, after the next two, then four, at most `most`; a gain makes good for a loss. */
export function trust(most: number): Trust {
  let losses = 0;
  let rest = 0;
  return {
    isGiven() {
      if (rest === 0) return true;
      rest--;
      return false;
    },
    learn(took, alone) {
      losses = took > alone ? losses + 1 : Math.max(0, losses - 1);
      rest = took > alone ? Math.min(most, 2 ** (losses - 1)) : 0;
    },
  };
}
