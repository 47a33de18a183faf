/** @file Barriers: when they pass, when they wait, and what happens when a checkpoint cannot be written. */
import { expect } from 'chai';
import { asyncScheduler, concatMap, delay, map, merge, mergeMap, pipe, share, tap, throwError, timer, lastValueFrom } from 'rxjs';
import {
  checkpointed,
  memoryStore,
  type CheckpointedJob,
  type CheckpointStore,
  type Diagnostic,
  type EinstreamError,
  parseCheckpoint,
} from '../../../src/index.js';
import { virtually } from '../../support/marbles.js';
import { summing, listSink, afterwards, numbers, jobOf, storyOf } from './jobs.js';

describe('a barrier', () => {
  it('waits until nothing is in flight, on any branch, and then lets all flow (B09)', () => {
    virtually(({ flush }) => {
      const sink = listSink<string>();
      const at: number[] = [];
      const branches: CheckpointedJob<number, string>['through'] =
        ({ inFlight }) =>
        (items$) => {
          const shared$ = items$.pipe(share());
          return merge(
          shared$.pipe(inFlight(pipe(delay(3), map((x) => `slow ${x}`)))),
          shared$.pipe(inFlight(pipe(delay(1), map((x) => `fast ${x}`)))),
        ); // prettier-ignore
        };
      checkpointed(jobOf({ source: numbers(4), through: branches, sink, every: 2 })).subscribe(({ outputs }) => at.push(outputs));
      flush();
      expect(sink.written).to.deep.equal(['fast 0', 'fast 1', 'slow 0', 'slow 1', 'fast 2', 'fast 3', 'slow 2', 'slow 3']);
      expect(at).to.deep.equal([4, 8, 8]);
    });
  });

  it('passes while the source is silent, when time calls for it', () => {
    virtually(({ flush }) => {
      const story: string[] = [];
      const source = () => ({
        [Symbol.asyncIterator]: () => ({ next: () => (story.length === 0 && story.push('asked') ? first : silent) }),
      });
      const first = { then: (told: (result: IteratorResult<number>) => void) => told({ done: false, value: 7 }) } as Promise<
        IteratorResult<number>
      >;
      const silent = { then: () => undefined } as unknown as Promise<IteratorResult<number>>;
      const running = checkpointed({ ...jobOf({ source, through: () => summing({}) }), every: undefined, everyMs: 10 }).subscribe(
        ({ position }) => story.push(`position ${position}`),
      );
      timer(35).subscribe(() => running.unsubscribe());
      flush();
      expect(story, 'once: nothing changed after it').to.deep.equal(['asked', 'position 1']);
    });
  });

  it('passes when it is called for, while the source is silent: behind what is in flight, and also twice at one place', () => {
    virtually(({ cold, flush }) => {
      const told: (readonly [at: number, position: number, outputs: number])[] = [];
      const source = () => ({ [Symbol.asyncIterator]: () => ({ next: () => (asked++ < 3 ? at(asked) : silent) }) });
      let asked = 0;
      const at = (value: number) => ({ then: (tell: (result: IteratorResult<number>) => void) => tell({ done: false, value }) }) as Promise<IteratorResult<number>>; // prettier-ignore
      const silent = { then: () => undefined } as unknown as Promise<IteratorResult<number>>;
      const through: CheckpointedJob<number, number>['through'] = ({ inFlight }) => inFlight(concatMap((x) => timer(4).pipe(map(() => x)))); // prettier-ignore
      const barriers$ = cold('a----------------a---a');
      const job = { ...jobOf({ source, through }), every: undefined, barriers$ };
      const running = checkpointed(job).subscribe(({ position, outputs }) =>
        told.push([asyncScheduler.now(), position, outputs]),
      );
      timer(30).subscribe(() => running.unsubscribe());
      flush();
      expect(told).to.deep.equal([[12, 3, 3], [17, 3, 3], [21, 3, 3]]); // prettier-ignore
    });
  });

  it('that cannot be called for ends the job', () => {
    const boom = new Error('boom');
    expect(storyOf(checkpointed({ ...jobOf({ through: () => summing({}) }), barriers$: throwError(() => boom) })).error).to.equal(boom); // prettier-ignore
  });

  it('holds items back to `ahead`, by default 16', () => {
    for (const [ahead, most] of [
      [undefined, 16],
      [1, 1],
      [3, 3],
    ] as const) {
      virtually(({ flush }) => {
        let [flying, peak] = [0, 0];
        const through: CheckpointedJob<number, number>['through'] = ({ inFlight }) =>
          pipe(tap(() => (peak = Math.max(peak, ++flying))), inFlight(mergeMap((x: number) => timer(5).pipe(map(() => (flying--, x)))))); // prettier-ignore
        checkpointed(jobOf({ source: numbers(100), through, every: 50, ahead })).subscribe();
        flush();
        expect(peak).to.equal(most);
      });
    }
  });

  const slowStore = (ms: number): CheckpointStore => {
    const store = memoryStore();
    return { ...store, write: (bytes) => afterwards(ms, () => store.write(bytes) as string) };
  };
  const ticking: CheckpointedJob<number, number>['through'] = ({ inFlight }) =>
    inFlight(concatMap((x: number) => timer(1).pipe(map(() => x))));

  it('waits for the checkpoint before it, or is skipped and counted; one snapshot is held at most (C15)', () => {
    for (const [whenBusy, expected] of [
      [
        undefined,
        [
          [4, 0],
          [8, 0],
          [12, 0],
          [16, 0],
          [20, 0],
          [20, 0],
        ],
      ],
      [
        'skip',
        [
          [4, 1],
          [12, 2],
          [20, 2],
          [20, 2],
        ],
      ],
    ] as const) {
      virtually(({ flush }) => {
        const seen: unknown[] = [];
        const job = jobOf({ through: ticking, store: slowStore(6), ahead: 1, whenBusy });
        checkpointed(job).subscribe(({ position, skipped }) => seen.push([position, skipped]));
        flush();
        expect(seen[0]).to.deep.equal([4, expected[0][1]]);
        expect(seen.at(-1)).to.deep.equal(expected.at(-1));
        expect(seen.length, String(whenBusy)).to.equal(expected.length);
      });
    }
  });

  it('is not taken in the middle of an item, where one branch has it and another has not', async () => {
    const sums: unknown[] = [];
    const memory = memoryStore();
    const store: CheckpointStore = {
      ...memory,
      write(bytes) {
        const { position, states } = parseCheckpoint(bytes) as { position: number; states: { sum?: number } };
        sums.push([position, states.sum]);
        return memory.write(bytes);
      },
    };
    const source = async function* (position: number) {
      yield* await Promise.resolve([1, 2, 3].slice(position));
    };
    const through: CheckpointedJob<number, number>['through'] =
      ({ keep, inFlight }) =>
      (items$) => {
        const shared$ = items$.pipe(share());
        return merge(shared$.pipe(inFlight(map((x) => x))), shared$.pipe(summing(keep('sum'))));
      };
    await lastValueFrom(checkpointed(jobOf({ source, through, store, every: 1 })));
    expect(sums).to.deep.equal([[1, 1], [2, 3], [3, 6], [3, undefined]]); // prettier-ignore
  });

  it('and the source too are held back by a sink that has not yet taken an output', async () => {
    let [pending, peak] = [0, 0];
    const sink = {
      ...listSink<number>(),
      async write() {
        peak = Math.max(peak, ++pending);
        await new Promise((resolve) => setImmediate(resolve));
        pending--;
      },
    };
    await lastValueFrom(checkpointed(jobOf({ through: () => summing({}), sink })));
    expect(peak).to.equal(1);
  });

  it('that cannot be written ends the job, or is a warning and the job goes on (C8)', () => {
    const full = new Error('disk full');
    for (const onFailure of [undefined, 'continue'] as const) {
      const told: Diagnostic[] = [];
      let count = 0;
      const memory = memoryStore();
      const throwing: CheckpointStore = {
        ...memory,
        write(bytes) {
          if (++count === 2) throw full;
          return memory.write(bytes);
        },
      };
      const sink = listSink<number>();
      const through: CheckpointedJob<number, number>['through'] = ({ keep }) => summing(keep('sum'));
      const job = jobOf({ through, sink, store: throwing, onFailure, onDiagnostic: (each) => told.push(each) });
      const story = storyOf(checkpointed(job));
      if (onFailure === undefined) {
        expect((story.error as EinstreamError).code).to.equal('E_CKPT_IO');
        expect((story.error as EinstreamError).cause).to.equal(full);
      } else {
        expect(story.progress.map(({ position, failed }) => [position, failed])).to.deep.equal([[4, 0], [12, 1], [16, 1], [20, 1], [20, 1]]); // prettier-ignore
        expect(told.map(({ severity, code }) => [severity, code])).to.deep.equal([['warning', 'E_CKPT_IO']]);
      }
      expect(sink.counts.closed).to.equal(1);
    }
  });
});
