/**
 * @file The crew: hands that are started, lost, and started again, without a storm of starts.
 */
import { Subscription } from 'rxjs';
import { EinstreamError, fault } from '../../errors/index.js';
import type { Outputs } from '../../run/index.js';
import type { Hand, Hire, Tidings } from './hand.js';
import type { Settings } from './options.js';
import { newSlot, type Attempt, type Slot } from './slot.js';
import { after } from './timers.js';

/** Why a hand is gone: by itself, because it answered nonsense, or because the pool ended it. */
export type Why = 'lost' | 'malformed' | 'replaced';

export interface CrewEvents {
  /** A hand has come up, or is free again. */
  readonly free: () => void;
  readonly done: (attempt: Attempt, outputs: Outputs) => void;
  readonly failed: (attempt: Attempt, error: unknown) => void;
  /** A hand is gone; these were its runs, which it holds no more. */
  readonly lost: (attempts: readonly Attempt[], error: EinstreamError, why: Why) => void;
  readonly stray: () => void;
  /** A hand did not come up, for the nth time in a row. */
  readonly notStarted: (error: EinstreamError, failures: number) => void;
}

export interface Crew {
  readonly slots: readonly Slot[];
  /** Hands that are there. */
  readonly present: () => number;
  /** Each hand has come up, or failed to. */
  readonly whenStarted: (act: () => void) => void;
  readonly give: (slot: Slot, attempt: Attempt) => void;
  /** Ends the hand, whatever it does, and starts another one. */
  readonly replace: (slot: Slot, error: EinstreamError) => void;
  readonly end: () => Promise<void>;
}

/** Milliseconds before a start after one that failed; twice as long after each further failure, up to the longest. */
const [SHORTEST, LONGEST] = [250, 30_000];
/** Milliseconds that others have for what a lost hand held, before another is started. */
const TURN = 20;

export function crew(hires: readonly Hire[], settings: Settings, events: CrewEvents): Crew {
  const { scheduler, clock, random, startMs, retry } = settings;
  const slots = hires.map((_, index) => newSlot(index));
  const endings = new Set<Promise<void>>();
  const waiting: Slot[] = [];
  const soon = new Map<Slot, Subscription>();
  const turn = Math.min(retry.delayMs + TURN, SHORTEST);
  let gate: Subscription | undefined;
  let failures = 0;
  const undecided = new Set(slots);
  let started: (() => void) | undefined;
  let isEnded = false;
  const leaves = new Map<Slot, () => void>();

  const present = (): number => slots.reduce((count, { state }) => count + Number(state === 'up'), 0);
  const decided = (slot: Slot): void => {
    if (undecided.delete(slot) && undecided.size === 0) started?.();
  };
  const dismiss = (slot: Slot): void => {
    leaves.get(slot)?.();
    leaves.delete(slot);
    const { hand } = slot;
    slot.hand = undefined;
    slot.state = 'down';
    if (hand === undefined) return;
    const ending = hand.end();
    endings.add(ending);
    // What fails is kept for whoever closes the pool.
    ending.then(
      () => void endings.delete(ending),
      () => undefined,
    );
  };
  const takeRuns = (slot: Slot): readonly Attempt[] => {
    const attempts = [...slot.runs.values()];
    slot.runs.clear();
    return attempts;
  };

  function hire(slot: Slot): void {
    let isCurrent = true;
    let isUp = false;
    let rests = 0;
    let resting = Subscription.EMPTY;
    soon.get(slot)?.unsubscribe();
    soon.delete(slot);
    slot.state = 'starting';
    slot.answeredByHand = 0;
    const lateness = after(scheduler, startMs, () => gone(notUpInTime(startMs)));
    const leave = (): void => {
      isCurrent = false;
      lateness.unsubscribe();
      resting.unsubscribe();
    };
    leaves.set(slot, leave);
    /** It is not there, or not any more. */
    const gone = (error: EinstreamError, why: Why = 'lost'): void => {
      if (!isCurrent) return;
      const attempts = takeRuns(slot);
      const isOfUse = slot.answeredByHand > 0 || attempts.length > 0;
      dismiss(slot);
      if (isUp) events.lost(attempts, error, why);
      if (!isUp || !isOfUse) failures++;
      if (!isUp) {
        events.notStarted(error, failures);
        decided(slot);
      }
      rehire(slot);
    };
    /** It keeps what else it holds, and is given nothing new for a time: the longer, the more often in a row. */
    const rest = (attempt: Attempt, error: EinstreamError): void => {
      slot.state = 'down';
      resting.unsubscribe();
      resting = after(scheduler, Math.min(LONGEST, SHORTEST * 2 ** rests++), () => {
        slot.state = 'up';
        events.free();
      });
      events.lost([attempt], error, 'lost');
    };
    /** The attempt of a number, which its hand does not hold any more. */
    const taken = (run: number): Attempt | undefined => {
      const attempt = isCurrent ? slot.runs.get(run) : undefined;
      if (attempt === undefined) {
        events.stray();
        return undefined;
      }
      slot.runs.delete(run);
      slot.answered++;
      slot.answeredByHand++;
      slot.busyMs += clock() - attempt.startedAt;
      if (slot.runs.size === 0) slot.hand?.hold(false);
      return attempt;
    };
    const tidings: Tidings = {
      ready() {
        if (!isCurrent || isUp) return;
        isUp = true;
        // One that is ready while it is being started has no hand yet.
        if (slot.hand !== undefined) open(slot.hand);
      },
      done(run, outputs) {
        rests = 0;
        const attempt = taken(run);
        if (attempt !== undefined) events.done(attempt, outputs);
      },
      failed(run, error) {
        const attempt = taken(run);
        if (attempt !== undefined) events.failed(attempt, error);
      },
      unserved(run, error) {
        const attempt = taken(run);
        if (attempt !== undefined) rest(attempt, error);
      },
      malformed: (_, error) => gone(error, 'malformed'),
      stray: events.stray,
      lost: (error) => gone(error),
    };
    const open = (hand: Hand): void => {
      lateness.unsubscribe();
      failures = 0;
      slot.state = 'up';
      hand.hold(false);
      decided(slot);
      for (const other of waiting.splice(0)) hire(other);
      events.free();
    };
    let hand: Hand;
    try {
      hand = hires[slot.index](tidings);
    } catch (error) {
      return gone(error instanceof EinstreamError ? error : notStarted(error));
    }
    if (!isCurrent) return void endings.add(hand.end());
    slot.hand = hand;
    if (isUp) open(hand);
  }

  function rehire(slot: Slot): void {
    if (isEnded) return;
    if (failures > 0) {
      waiting.push(slot);
      return arm();
    }
    // To start a process keeps this thread for as long as others need to answer: they answer first what the last one held.
    const start = (): void => hire(slot);
    if (present() > 0) soon.set(slot, after(scheduler, turn, start));
    else for (const each of [...soon.keys(), slot]) hire(each);
  }
  /** One start at a time, and the later the more have failed. */
  function arm(): void {
    if (gate !== undefined || waiting.length === 0) return;
    const wait = Math.min(LONGEST, SHORTEST * 2 ** (failures - 1)) * (1 + random() / 2);
    gate = after(scheduler, wait, () => {
      gate = undefined;
      const slot = waiting.shift();
      if (slot !== undefined) hire(slot);
      arm();
    });
  }

  return {
    slots,
    present,
    whenStarted(act) {
      started = act;
      for (const slot of slots) hire(slot);
    },
    give(slot, attempt) {
      slot.runs.set(attempt.run, attempt);
      if (slot.runs.size === 1) slot.hand!.hold(true);
      slot.hand!.run(attempt.run, attempt.request.work);
    },
    replace(slot, error) {
      const attempts = takeRuns(slot);
      dismiss(slot);
      events.lost(attempts, error, 'replaced');
      rehire(slot);
    },
    async end() {
      isEnded = true;
      gate?.unsubscribe();
      waiting.length = 0;
      for (const start of soon.values()) start.unsubscribe();
      for (const slot of slots) dismiss(slot);
      await Promise.all(endings);
    },
  };
}

const notStarted = (cause: unknown): EinstreamError =>
  fault('E_WORKER_LOST', {
    place: 'worker',
    rule: 'a worker must start',
    actual: cause instanceof Error ? cause.message : String(cause),
    cause,
  });

const notUpInTime = (startMs: number): EinstreamError =>
  fault('E_WORKER_LOST', {
    place: 'startMs',
    rule: 'a worker must come up in time',
    expected: `within ${startMs} ms`,
    actual: 'nothing was heard of it',
  });
