/**
 * @file The desk: requests come, wait, are given to hands, tried again, and end, each exactly once.
 *
 * Nothing here is a promise, and all time is the scheduler's.
 */
import { EinstreamError } from '../../errors/index.js';
import type { Outputs } from '../../run/index.js';
import { serialSubject } from '../../run/serial-subject.js';
import { waitAfter } from './backoff.js';
import { blame } from './blame.js';
import { chooser } from './choose.js';
import { circuits } from './circuit.js';
import { crew, type Why } from './crew.js';
import { aborted, late, numbered } from './endings.js';
import { grace } from './grace.js';
import type { Desk, Ways } from './counter.js';
import type { Hire } from './hand.js';
import { lineIn } from './line.js';
import { emptyCounts, statsOf, type Ending } from './ledger.js';
import { notesFor } from './notes.js';
import type { Settings } from './options.js';
import { newRequest, type Request } from './request.js';
import { roomFor } from './room.js';
import { leastLoaded, slotStats, type Attempt, type Slot } from './slot.js';
import { after } from './timers.js';

/** Starts that fail in a row, without any hand, before those who wait are told. */
const HOPELESS = 3;

export function desk(hires: readonly Hire[], settings: Settings, { pick = leastLoaded, inProcess }: Ways = {}): Desk {
  const { scheduler, clock, random, retry } = settings;
  const counts = emptyCounts();
  const room = roomFor(settings.maxQueue, settings.maxQueueBytes);
  const circuit = circuits(settings.circuit, clock);
  const changed = serialSubject<void>();
  const notes = notesFor(settings.onDiagnostic);
  const open = new Set<Request>();
  const line = lineIn(room);
  const degraded = new WeakSet<Outputs>();
  let runs = 0;
  let startError: EinstreamError | undefined;
  let state: 'new' | 'started' | 'closing' | 'closed' = 'new';
  let over: (() => void) | undefined;
  let isPumping = false;

  const crewed = crew(inProcess === undefined ? hires : [...hires, inProcess], settings, {
    free() {
      tell();
      pump();
    },
    done: (attempt, outputs) => ended(attempt, () => answer(attempt, outputs)),
    failed: (attempt, error) => ended(attempt, () => fail(attempt.request, error)),
    lost(attempts, error, why: Why) {
      counts[why === 'malformed' ? 'quarantined' : why]++;
      notes.lost(error);
      attempts.forEach(leave);
      const { struck, innocent } = blame(attempts, settings.inOrder);
      for (const plan of new Set(struck.map(({ request }) => request.work.plan))) circuit.lost(plan);
      for (const attempt of struck) retryOrFail(attempt, error);
      for (const { request } of innocent) {
        request.attempts--;
        if (open.has(request)) line.comeBack(request);
      }
      tell();
      pump();
    },
    stray() {
      counts.strays++;
      tell();
    },
    notStarted(error, failures) {
      startError = error;
      notes.lost(error);
      // Nobody is there, nobody comes: those who wait hear why.
      if (state !== 'new' && failures >= HOPELESS && choose.present() === 0 && backup === undefined)
        for (const request of [...line]) fail(request, numbered(error, request.attempts));
      tell();
    },
  });
  const backup = inProcess === undefined ? undefined : crewed.slots.at(-1);
  const workers = crewed.slots.filter((slot) => slot !== backup);
  const choose = chooser(workers, backup, settings, pick);
  const { abandon, next } = grace(settings, crewed.replace);

  function tell(): void {
    if (changed.observed) changed.next();
  }
  function settle(request: Request, ending: Ending, say: () => void): void {
    if (!open.delete(request)) return;
    counts.ended[ending]++;
    request.timer?.unsubscribe();
    request.pause?.unsubscribe();
    line.leave(request);
    if (request.isProbe) circuit.probed(request.work.plan);
    const { attempt } = request;
    if (attempt !== undefined) abandon(attempt);
    tell();
    say();
    if (open.size === 0 && state === 'closing') over?.();
  }
  const fail = (request: Request, error: unknown, ending: Ending = 'failed'): void =>
    settle(request, ending, () => request.asked.fail(error));
  function answer({ request, slot, startedAt }: Attempt, outputs: Outputs): void {
    counts.executionMs += clock() - startedAt;
    if (slot === backup) {
      counts.degraded++;
      degraded.add(outputs);
      notes.degraded();
    }
    settle(request, 'successful', () => request.asked.done(outputs));
  }
  /** Its hand has answered, well or badly. */
  function ended(attempt: Attempt, say: () => void): void {
    leave(attempt);
    circuit.answered(attempt.request.work.plan);
    if (!attempt.isAbandoned) say();
    pump();
  }
  /** The run is over, or its hand is. */
  function leave(attempt: Attempt): void {
    counts.running--;
    attempt.timer?.unsubscribe();
    if (attempt.request.attempt === attempt) attempt.request.attempt = undefined;
    next(attempt.slot);
    tell();
  }
  function retryOrFail({ request, hand }: Attempt, error: EinstreamError): void {
    // Whoever heard of another failure may have cancelled this one.
    if (!open.has(request)) return;
    const { attempts, work, deadline } = request;
    const last = numbered(error, attempts);
    const wait = waitAfter(retry, attempts, random());
    const isFinal = error.code === 'E_OOM' || request.asked.idempotent === false || attempts >= retry.attempts;
    if (isFinal || clock() + wait >= deadline || circuit.refusal(work.plan) !== undefined) return fail(request, last);
    counts.retries++;
    request.avoid = hand;
    request.lastError = last;
    request.pause = after(scheduler, wait, () => {
      line.comeBack(request);
      pump();
    });
  }

  function pump(): void {
    if (isPumping || state === 'new') return;
    isPumping = true;
    try {
      for (const request of line) {
        const slot = choose.free(request);
        if (slot !== undefined) begin(request, slot);
        else if (request.avoid === undefined) break;
      }
    } finally {
      isPumping = false;
    }
  }
  function begin(request: Request, slot: Slot): void {
    line.leave(request);
    const { work } = request;
    const refusal = circuit.refusal(work.plan);
    if (refusal !== undefined) return fail(request, request.lastError ?? refusal);
    request.isProbe = circuit.started(work.plan);
    const startedAt = clock();
    request.attempts++;
    if (!request.hasStarted) {
      request.hasStarted = true;
      counts.started++;
      counts.queueMs += startedAt - request.submittedAt;
    }
    const attempt: Attempt = { run: ++runs, request, slot, hand: slot.hand!, startedAt, isAbandoned: false, timer: undefined };
    request.attempt = attempt;
    counts.peakConcurrent = Math.max(counts.peakConcurrent, ++counts.running);
    attempt.timer = after(scheduler, settings.attemptTimeoutMs, () => {
      const error = late('attemptTimeoutMs', settings.attemptTimeoutMs, request);
      abandon(attempt);
      circuit.lost(work.plan);
      retryOrFail(attempt, error);
    });
    crewed.give(slot, attempt);
    tell();
  }

  return {
    room,
    changed$: changed.asObservable(),
    isDegraded: (outputs) => degraded.has(outputs),
    refuse(error) {
      counts.submitted++;
      counts.ended.failed++;
      if (error instanceof EinstreamError && error.code === 'E_QUEUE_FULL') counts.refused++;
      tell();
      return error;
    },
    submit(work, asked) {
      counts.submitted++;
      const submittedAt = clock();
      const timeoutMs = Math.min(settings.timeoutMs, asked.timeoutMs ?? Infinity);
      const request = newRequest(work, asked, submittedAt, timeoutMs);
      open.add(request);
      if (state === 'closing' || state === 'closed') fail(request, aborted('closed'));
      else {
        request.timer = after(scheduler, timeoutMs, () => fail(request, late('timeoutMs', timeoutMs, request), 'timeouts'));
        const slot = line.size() === 0 && state !== 'new' ? choose.free(request) : undefined;
        if (slot !== undefined) begin(request, slot);
        else wait(request);
      }
      return (reason) => fail(request, reason, 'cancelled');
    },
    stats: () =>
      statsOf(counts, {
        inFlight: open.size,
        queued: room.items() + line.returned(),
        queuedBytes: room.bytes(),
        health: state === 'closed' ? 'closed' : choose.present() === 0 ? 'down' : choose.isWhole() ? 'ready' : 'degraded',
        workers: workers.map(slotStats),
      }),
    start(started) {
      state = 'started';
      crewed.whenStarted(() => started(choose.present(), startError));
    },
    close(mode, whenOver) {
      if (state !== 'closed') state = 'closing';
      over = whenOver;
      if (mode === 'abort') for (const request of [...open]) fail(request, aborted('abort'), 'cancelled');
      if (open.size === 0) over?.();
    },
    async end() {
      state = 'closed';
      for (const { runs: held } of crewed.slots) {
        const left = [...held.values()];
        held.clear();
        left.forEach(leave);
      }
      await crewed.end();
      tell();
      changed.complete();
    },
  };

  function wait(request: Request): void {
    const full = line.join(request);
    if (full === undefined) return tell();
    counts.refused++;
    fail(request, full);
  }
}
