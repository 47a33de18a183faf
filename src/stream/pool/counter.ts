/**
 * @file What the rest of a pool sees of its desk.
 */
import type { Observable } from 'rxjs';
import type { EinstreamError } from '../../errors/index.js';
import type { Outputs } from '../../run/index.js';
import type { Choice } from './choose.js';
import type { Hire, Work } from './hand.js';
import type { PoolStats } from './ledger.js';
import type { Asked } from './request.js';
import type { Room } from './room.js';

export interface Desk {
  /** Gives what cancels it. `fail` is called in the same tick where there is no room, or no hope. */
  readonly submit: (work: Work, asked: Asked) => (reason: unknown) => void;
  /** Counts a request that could not even be made, and gives its error. */
  readonly refuse: (error: unknown) => unknown;
  readonly room: Room;
  readonly stats: () => PoolStats;
  /** Something has changed; completes when all is over. */
  readonly changed$: Observable<void>;
  /** Starts the hands; each has come up, or failed to, and this is the last failure. */
  readonly start: (started: (present: number, error: EinstreamError | undefined) => void) => void;
  /** Calls `over` when nothing is left to do, unless it is closed already. */
  readonly close: (mode: 'drain' | 'abort', over: () => void) => void;
  readonly end: () => Promise<void>;
  readonly isDegraded: (outputs: Outputs) => boolean;
}

export interface Ways {
  readonly pick?: Choice;
  /** Computes while nobody else is there. */
  readonly inProcess?: Hire;
}
