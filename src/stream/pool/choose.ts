/**
 * @file Which hand gets a request.
 */
import type { Settings } from './options.js';
import type { Request } from './request.js';
import type { Slot } from './slot.js';

/** Of hands that are able, one. */
export type Choice = (slots: readonly Slot[]) => Slot | undefined;

export interface Chooser {
  /** A hand that may take the request now. */
  readonly free: (request: Request) => Slot | undefined;
  readonly present: () => number;
  readonly isWhole: () => boolean;
}

/** @param backup works while no other hand is there */
export function chooser(
  workers: readonly Slot[],
  backup: Slot | undefined,
  { capacity, workers: most }: Pick<Settings, 'capacity' | 'workers'>,
  pick: Choice,
): Chooser {
  const count = (is: (slot: Slot) => boolean): number => workers.reduce((sum, slot) => sum + Number(is(slot)), 0);
  const present = (): number => count(({ state }) => state === 'up');
  return {
    present,
    isWhole: () => present() >= Math.min(most, workers.length),
    free({ avoid }) {
      const up = workers.filter(({ state }) => state === 'up');
      if (up.length === 0) return backup?.state === 'up' && backup.runs.size === 0 ? backup : undefined;
      const busy = count(({ runs }) => runs.size > 0);
      const able = up.filter(({ runs }) => runs.size < capacity && (runs.size > 0 || busy < most));
      if (avoid === undefined) return pick(able);
      const others = able.filter(({ hand }) => hand !== avoid);
      // The hand that failed it gets it again only where there is no other one to wait for.
      const isOnly = workers.every(({ hand, state }) => hand === avoid || state === 'down');
      return pick(isOnly ? able : others);
    },
  };
}
