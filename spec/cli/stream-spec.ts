/** @file Lines as a job, with parts that answer when they are told to. */
import { expect } from 'chai';
import { Readable } from 'node:stream';
import { concatMap, map, NEVER, Subject, VirtualTimeScheduler, type OperatorFunction } from 'rxjs';
import { feedLines } from '../../src/cli/feed-lines.js';
import type { Signal } from '../../src/cli/io.js';
import { ledger } from '../../src/cli/ledger.js';
import { GRACE_MS, stream, type Ending, type Streaming } from '../../src/cli/stream.js';
import type { Answer, Told, Unit } from '../../src/cli/units.js';
import { lineByLine } from '../../src/cli/windowed.js';
import { memoryStore, tensor } from '../../src/index.js';

const turns = async (): Promise<void> => {
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
};

const opened: Readable[] = [];

/** Runs endless lines, and shows what is on its way. */
function running(compute: OperatorFunction<Unit, Answer>, more: Partial<Streaming> = {}) {
  const scheduler = new VirtualTimeScheduler();
  const signals$ = new Subject<Signal>();
  const told: string[] = [];
  const seen: { ending?: Ending; error?: unknown } = {};
  const book = ledger('feeds', true);
  async function* endless(): AsyncGenerator<Buffer> {
    for (let k = 0; ; k++) {
      await new Promise((resolve) => setImmediate(resolve));
      yield Buffer.from(`${k}\n`);
    }
  }
  const input = Readable.from(endless(), { objectMode: true, highWaterMark: 1 });
  opened.push(input);
  const lines = feedLines(input, ({ bytes }) => ({ feeds: { k: tensor([bytes!.length]) } }), book, 100);
  const ended = stream({
    lines,
    ledger: book,
    unitsOf: () => lineByLine,
    compute,
    tell: ({ unit: { first } }): Told => ({ to: 'out', text: String(first) }),
    sink: {
      open: () => undefined,
      write: ({ text }) => void told.push(text),
      commit: () => told.length,
      closed: () => Promise.resolve(),
    },
    failed$: NEVER,
    store: memoryStore(),
    every: {},
    ahead: 5,
    saved: () => undefined,
    signals$,
    scheduler,
    onDiagnostic: undefined,
    ...more,
  }).then(
    (ending) => (seen.ending = ending),
    (error: unknown) => (seen.error = error),
  );
  return { scheduler, signals$, told, seen, book, ended };
}

/** Answers as many units as it is told to. */
function held() {
  const waiting: (() => void)[] = [];
  const compute: OperatorFunction<Unit, Answer> = concatMap(
    (unit) => new Promise<Answer>((resolve) => waiting.push(() => resolve({ unit }))),
  );
  return { compute, answer: () => waiting.shift()?.() };
}

/** Takes units, and answers none. */
const silent: OperatorFunction<Unit, Answer> = concatMap(() => NEVER);

describe('lines as a job', () => {
  afterEach(() => opened.splice(0).forEach((input) => input.destroy()));

  it('are taken from the input only where there is room for them: as many as are allowed are on their way', async () => {
    const { compute, answer } = held();
    const { book, told } = running(compute);
    await turns();
    expect([book.fed, told.length]).to.deep.equal([5, 0]);
    answer();
    await turns();
    expect([book.fed, told.length]).to.deep.equal([6, 1]);
  });

  it('asked to stop are told as far as they were taken, and where that is is kept', async () => {
    const { compute, answer } = held();
    const { book, told, signals$, seen, ended } = running(compute);
    await turns();
    signals$.next('SIGTERM');
    for (let k = 0; k < 5; k++) {
      expect(seen.ending).to.equal(undefined);
      answer();
      await turns();
    }
    await ended;
    expect(seen.ending).to.deep.equal({ signal: 'SIGTERM', isSaved: true });
    expect([book.fed, told]).to.deep.equal([5, ['1', '2', '3', '4', '5']]);
  });

  it('that are not answered in time are left, and so they are at the second signal', async () => {
    const late = running(silent);
    await turns();
    late.signals$.next('SIGINT');
    late.scheduler.maxFrames = GRACE_MS - 1;
    late.scheduler.flush();
    await turns();
    expect(late.seen.ending).to.equal(undefined);
    late.scheduler.maxFrames = GRACE_MS;
    late.scheduler.flush();
    await late.ended;
    expect(late.seen.ending).to.deep.equal({ signal: 'SIGINT', isSaved: false });

    const twice = running(silent);
    await turns();
    twice.signals$.next('SIGINT');
    twice.signals$.next('SIGTERM');
    await twice.ended;
    expect(twice.seen.ending).to.deep.equal({ signal: 'SIGINT', isSaved: false, isAbrupt: true });
  });

  it('are kept at each turn of the time that is asked for, and only while something comes', async () => {
    let saved = 0;
    const { scheduler, book } = running(
      map((unit) => ({ unit })),
      { every: { everyMs: 100 }, saved: () => void saved++, ahead: 1 },
    );
    await turns();
    for (let turn = 1; turn <= 3; turn++) {
      scheduler.maxFrames = 100 * turn;
      scheduler.flush();
      await turns();
      expect(saved).to.equal(turn);
    }
    expect(book.fed).to.be.greaterThan(3);
  });

  it('end with what their outputs are written to', async () => {
    const failed$ = new Subject<never>();
    const { ended, seen } = running(silent, { failed$ });
    await turns();
    failed$.error('a full disk');
    await ended;
    expect(seen.error).to.equal('a full disk');
  });
});
