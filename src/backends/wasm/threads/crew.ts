/**
 * @file The main thread and its workers on one kernel: parts are laid out, taken by whoever comes first, and waited for.
 *
 * The main thread takes parts as any worker does, so it waits for no worker that did not wake up, only for parts that one
 * has begun. Nothing needs the event loop: a kernel is done when `perform` returns.
 */
import { fault } from '../../../errors/index.js';
import type { WasmMemory } from '../memory.js';
import { scratchOf } from '../scratch.js';
import type { Helper, Surroundings } from './start.js';
import { WORTH, type Worth } from './split.js';
import { trust } from './trust.js';
import type { Places } from './wasm-worker.js';

/** A kernel laid out in memory: see `job.ts`. */
export interface Job {
  /** Index of its first word. */
  readonly at: number;
  readonly parts: number;
  /** Computes one part on this thread. */
  readonly perform: (part: number) => number | undefined;
  /** The word that tells what trouble a worker had with a part. */
  readonly stateAt: (part: number) => number;
}

export interface Crew {
  /** Threads that compute, this one among them. */
  readonly threads: number;
  /** What this crew helps with. */
  readonly worth: Worth;
  /** Runs all parts, and gives what one of them returned that was not 0. */
  readonly perform: (job: Job) => number;
  /** Each worker gets this much working memory at least. */
  readonly reserve: (bytes: number) => void;
  readonly close: () => Promise<void>;
}

/** Loads of a word before a thread waits. */
const SPINS = 2000;
/** Milliseconds for which a part that a worker has begun is waited for, beyond what the kernel took this thread, times `SLOWER`. */
const PATIENCE = 10_000;
const SLOWER = 10;
/** Kernels in a row that this thread computes alone at most, where help has not paid. */
const RESTS = 64;
/** Words of a cache line: what one thread writes and another reads lies alone. */
const LINE = 16;
const LONGEST = 200;
const TROUBLES = { refused: 1, failed: 2 } as const;

export function crewOf(
  memory: WasmMemory,
  helpers: readonly Helper[],
  { mayWait }: Pick<Surroundings, 'mayWait'>,
  { patience = PATIENCE, worth = WORTH, rests = RESTS } = {},
): Crew {
  const words = new Int32Array(memory.memory.buffer);
  const first = memory.borrow(4 * (LINE * (6 + helpers.length) + 1 + LONGEST)).address >>> 2;
  words.fill(0, first, first + LINE * (6 + helpers.length));
  const line = (k: number): number => first + k * LINE;
  const [sequence, untaken, undone, job, answer, trouble] = Array.from({ length: 6 }, (_, k) => line(k));
  const scratchAt = helpers.map((_, k) => line(6 + k));
  const text = line(6 + helpers.length);
  const scratch = helpers.map(() => scratchOf(memory));
  const { isGiven, learn } = trust(rests);
  let present = helpers.length;
  helpers.forEach(({ order, whenLost }, k) => {
    whenLost(() => (present = Math.max(0, present - 1)));
    const places: Places = { sequence, untaken, undone, job, answer, trouble, text, longest: LONGEST, scratch: scratchAt[k] };
    order({ memory: memory.memory, places, troubles: TROUBLES, spins: SPINS });
  });
  const close = async (): Promise<void> => {
    present = 0;
    await Promise.all(helpers.map(({ stop }) => stop()));
  };

  const take = (): number => {
    for (;;) {
      const left = Atomics.load(words, untaken);
      if (left <= 0) return -1;
      if (Atomics.compareExchange(words, untaken, left, left - 1) === left) return left - 1;
    }
  };
  /** All parts on this thread: nobody is there to help. */
  const alone = ({ parts, perform }: Job): number => {
    let given = 0;
    for (let part = 0; part < parts; part++) given = perform(part) || given;
    return given;
  };
  /** Until every part is done that a worker has begun; this thread computed its own from `began` to `ended`. */
  const settle = (began: number, ended: number): void => {
    const until = ended + SLOWER * (ended - began) + patience;
    for (let turn = 1; ; turn++) {
      const left = Atomics.load(words, undone);
      if (left === 0) return;
      if (turn % SPINS !== 0) continue;
      if (mayWait) Atomics.wait(words, undone, left, patience);
      if (performance.now() > until) throw lost(left);
    }
  };
  const lost = (parts: number): Error => {
    // It may be slow rather than dead: what it would still write must not be written.
    void close();
    return fault('E_WORKER_LOST', {
      place: 'wasm',
      rule: 'a worker must finish the part of a kernel that it has begun',
      actual: `${parts} parts are not done after ${patience} ms`,
      hint: 'run again: the backend goes on with one thread',
    });
  };
  /** Parts that a worker did not begin, because its engine did not take the module, are done here. */
  const make = ({ parts, perform, stateAt }: Job): number => {
    const met = words[trouble];
    const refused = Array.from({ length: parts }, (_, part) => part).filter((part) => words[stateAt(part)] === TROUBLES.refused);
    for (const part of refused) words[stateAt(part)] = 0;
    if ((met & TROUBLES.failed) !== 0)
      throw new WebAssembly.RuntimeError(String.fromCharCode(...words.subarray(text + 1, text + 1 + words[text])));
    return refused.reduce((given, part) => perform(part) || given, 0);
  };

  return {
    threads: 1 + helpers.length,
    worth,
    reserve(bytes) {
      scratch.forEach((each, k) => void (words[scratchAt[k]] = each(bytes)()));
    },
    perform(given) {
      if (present === 0 || !isGiven()) return alone(given);
      const { parts, perform } = given;
      const began = performance.now();
      words[answer] = 0;
      words[trouble] = 0;
      Atomics.store(words, job, given.at);
      Atomics.store(words, undone, parts);
      Atomics.store(words, untaken, parts);
      Atomics.add(words, sequence, 1);
      Atomics.notify(words, sequence);
      let own = 0;
      let taken = 0;
      let error: unknown;
      for (let part = take(); part >= 0; part = take()) {
        try {
          // After a failure the parts that are left are taken so that nobody begins them.
          if (error === undefined) own = perform(part) || own;
        } catch (cause) {
          error = cause;
        }
        taken++;
        Atomics.sub(words, undone, 1);
      }
      const ended = performance.now();
      settle(began, ended);
      if (taken > 0) learn(performance.now() - began, ((ended - began) * parts) / taken);
      if (words[trouble] !== 0) own = make(given) || own;
      if (error !== undefined) throw error as Error;
      return own || words[answer];
    },
    close,
  };
}
