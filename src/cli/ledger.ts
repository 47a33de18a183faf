/**
 * @file How far a run is in its feeds: the last line taken, what came before it as one checksum, and how many failed.
 */
import { createHash, type Hash } from 'node:crypto';
import { tap, type MonoTypeOperatorFunction } from 'rxjs';
import { fault } from '../errors/index.js';
import type { KeptState } from '../stream/checkpoint/stage.js';
import type { FedLine } from './units.js';

/** What a checkpoint keeps of it. */
export interface Place {
  readonly line: number;
  /** SHA-256 of all lines up to there, blank ones left out; empty where no checkpoint is written. */
  readonly sha256: string;
  readonly fed: number;
  readonly failed: number;
  /** Lines of outputs. */
  readonly told: number;
}

export interface Ledger {
  /** The last line that was taken; 0 before the first. */
  line: number;
  fed: number;
  failed: number;
  told: number;
  /** Notes each line as it is taken. */
  readonly noting: MonoTypeOperatorFunction<FedLine>;
  /** Where a run goes on, and how it tells where it is. */
  readonly keep: (kept: KeptState<Place>) => void;
  /** What lies behind a line that was read in an earlier run. @throws EinstreamError E_ARGUMENT when it is another one */
  readonly again: (line: number, text: Uint8Array | undefined) => boolean;
  /** Call at the end of the feeds. @throws EinstreamError E_ARGUMENT when they end before the place to go on from */
  readonly ended: () => void;
}

/** @param checks whether lines are summed up, for a run that may go on */
export function ledger(file: string, checks: boolean): Ledger {
  let hash: Hash | undefined;
  let from: Place | undefined;
  const sum = (text: Uint8Array | undefined): void => {
    // A line over the limit is known by its number alone: its bytes were not kept.
    hash?.update(text ?? 'over the limit').update('\n');
  };
  const self: Ledger = {
    line: 0,
    fed: 0,
    failed: 0,
    told: 0,
    noting: tap(({ line, text }) => {
      self.line = line;
      self.fed++;
      sum(text);
    }),
    keep({ from: saved, state }) {
      hash = checks ? createHash('sha256') : undefined;
      from = saved?.line === 0 ? undefined : saved;
      if (saved !== undefined) [self.line, self.fed, self.failed, self.told] = [saved.line, saved.fed, saved.failed, saved.told];
      state(() => ({
        line: self.line,
        sha256: hash?.copy().digest('hex') ?? '',
        fed: self.fed,
        failed: self.failed,
        told: self.told,
      }));
    },
    again(line, text) {
      if (from === undefined) return false;
      if (line > from.line) throw otherFeeds(file, from.line, 'a blank line');
      sum(text);
      if (line === from.line) {
        if (hash?.copy().digest('hex') !== from.sha256) throw otherFeeds(file, from.line, 'other lines');
        from = undefined;
      }
      return true;
    },
    ended() {
      if (from !== undefined) throw otherFeeds(file, from.line, 'an end before that');
    },
  };
  return self;
}

const otherFeeds = (file: string, line: number, actual: string) =>
  fault('E_ARGUMENT', {
    place: '--resume',
    rule: 'a run goes on with the feeds that it had',
    expected: `${file} to be the same up to line ${line}`,
    actual,
    hint: 'give the same feeds, or begin anew in another --checkpoint folder',
  });
