/** @file `checkpointed`: a job that stops anywhere and goes on, and whose outputs are each there once. */
import { expect } from 'chai';
import fc from 'fast-check';
import { concatMap, defer, delay, EMPTY, filter, map, merge, mergeMap, Observable, of, pipe, scan, share, take, tap, throwError, timer, type OperatorFunction } from 'rxjs'; // prettier-ignore
import {
  checkpointed,
  checkpoints,
  EinstreamError,
  graph,
  input,
  memoryStore,
  mse,
  mul,
  param,
  adam,
  tensor,
  train,
  type CheckpointedJob,
  type CheckpointStore,
  type CommittingSink,
  type Diagnostic,
  type JobProgress,
  type KeptState,
  type TrainState,
} from '../../../src/index.js';
import { virtually } from '../../support/marbles.js';
import { propertyRuns, propertySeed } from '../../support/property.js';
import { thrownBy } from '../../support/thrownBy.js';

/** A sum over all items: an operator that keeps its state. */
const summing =
  ({ from = 0, state }: Partial<KeptState<number>>): OperatorFunction<number, number> =>
  (numbers$) =>
    defer(() => {
      let sum = from;
      state?.(() => sum);
      return numbers$.pipe(map((x) => (sum += x)));
    });

/** Emits the sum of each full three: in between it holds items without an output. */
const threes =
  ({ from = [], state }: Partial<KeptState<readonly number[]>>): OperatorFunction<number, number> =>
  (numbers$) =>
    defer(() => {
      let held = from;
      state?.(() => held);
      return numbers$.pipe(
        concatMap((x) => {
          held = [...held, x];
          if (held.length < 3) return EMPTY;
          const [a, b, c] = held;
          held = [];
          return of(a + b + c);
        }),
      );
    });

/** What was written survives a crash; what was not committed is cut at the next opening. */
function listSink<R>(written: R[] = []): CommittingSink<R> & { readonly written: R[]; readonly counts: Record<string, number> } {
  const counts = { opened: 0, closed: 0, redone: 0 };
  return {
    written,
    counts,
    open(mark) {
      counts.opened++;
      counts.redone += written.length - ((mark as number | undefined) ?? 0);
      written.length = (mark as number | undefined) ?? 0;
    },
    write(value, index) {
      expect(index).to.equal(written.length);
      written.push(value);
    },
    commit: () => written.length,
    close: () => void counts.closed++,
  };
}

/** A promise that virtual time resolves. */
const afterwards = <T>(ms: number, value: () => T): PromiseLike<T> =>
  ({
    then(told: (value: T) => unknown) {
      timer(ms).subscribe(() => void told(value()));
      return new Promise<never>(() => undefined);
    },
  }) as PromiseLike<T>;

const numbers = (count: number) =>
  function* (position: number) {
    for (let k = position; k < count; k++) yield k;
  };

const jobOf = <R>(
  more: Partial<CheckpointedJob<number, R>> & Pick<CheckpointedJob<number, R>, 'through'>,
): CheckpointedJob<number, R> => ({
  source: numbers(20),
  sink: listSink<R>(),
  store: memoryStore(),
  every: 4,
  ...more,
});

/** All signals of a job that answers at once. */
function storyOf(job$: Observable<JobProgress>) {
  const story: { progress: JobProgress[]; error?: unknown; isComplete: boolean } = { progress: [], isComplete: false };
  job$.subscribe({
    next: (progress) => void story.progress.push(progress),
    error: (error: unknown) => (story.error = error),
    complete: () => (story.isComplete = true),
  });
  return story;
}

describe('checkpointed', () => {
  it('tells of each checkpoint that is safe, by position and outputs, and of the end', () => {
    const sink = listSink<number>();
    const { progress, isComplete } = storyOf(
      checkpointed(jobOf({ through: ({ keep }) => threes(keep('threes')), sink, every: 8 })),
    );
    expect(progress.map(({ id, position, outputs, isComplete }) => [id, position, outputs, isComplete])).to.deep.equal([
      ['1', 8, 2, false],
      ['2', 16, 5, false],
      ['3', 20, 6, true],
    ]);
    expect(isComplete).to.equal(true);
    expect(sink.written).to.deep.equal([3, 12, 21, 30, 39, 48]);
    expect(sink.counts).to.deep.equal({ opened: 1, closed: 1, redone: 0 });
  });

  it('takes a snapshot of exactly the items before the barrier (C12)', async () => {
    const store = memoryStore();
    const job = jobOf({ through: ({ keep }) => pipe(summing(keep('sum')), threes(keep('threes'))), store, every: 5 });
    checkpointed(job).pipe(take(1)).subscribe();
    const { checkpoint } = (await checkpoints(store).latest())!;
    expect({ ...checkpoint, states: { ...(checkpoint['states'] as object) } }).to.deep.equal({
      position: 5,
      outputs: 1,
      isComplete: false,
      states: { sum: 10, threes: [6, 10] },
      mark: 1,
    });
  });

  it('goes on from any checkpoint as if it had not stopped, wherever it is stopped (C12) (B09)', () => {
    const property = fc.property(
      fc.integer({ min: 0, max: 30 }),
      fc.integer({ min: 1, max: 7 }),
      fc.array(fc.integer({ min: 1, max: 12 }), { maxLength: 6 }),
      (count, every, stops) => {
        const through: CheckpointedJob<number, number>['through'] = ({ keep }) =>
          pipe(summing(keep('sum')), threes(keep('threes')));
        const whole = jobOf({ source: numbers(count), through, every });
        storyOf(checkpointed(whole));
        const sink = listSink<number>();
        const store = memoryStore();
        let pulled = 0;
        for (const stop of [...stops, Infinity]) {
          // The source stops the job in the middle of everything, as a crash does.
          const source = function* (position: number) {
            let left = stop;
            for (let k = position; k < count; k++) {
              if (left-- === 0) throw new Error('crash');
              pulled++;
              yield k;
            }
          };
          storyOf(checkpointed(jobOf({ source, through, every, sink, store })));
        }
        expect(sink.written).to.deep.equal((whole.sink as ReturnType<typeof listSink>).written);
        expect(pulled - count, 'items read again').to.be.at.most(stops.length * every);
      },
    );
    fc.assert(property, { seed: propertySeed(), numRuns: propertyRuns(100, 2_000, 100_000) });
  });

  it('trains on from a checkpoint bit for bit: params, optimizer and step are one state', () => {
    const model = graph({ x: input([]), w: param(tensor(0)) }, ({ x, w }) => ({ loss: mse(mul(x, w), 1) }));
    const trained: CheckpointedJob<number, number>['through'] = ({ keep }) => {
      const { from, state } = keep<TrainState>('training');
      let last = from;
      state(() => last!);
      return pipe(
        map((x: number) => ({ x: 1 + x / 10 })),
        train(model, { loss: 'loss', optimizer: adam({ rate: 0.1 }), ...(from && { state: from }) }),
        tap((step) => (last = step.state)),
        map(({ loss }) => loss),
      );
    };
    const run = (stop: number, store: CheckpointStore, sink: CommittingSink<number>) =>
      storyOf(checkpointed(jobOf({ through: trained, store, sink }) as CheckpointedJob<number, number>).pipe(take(stop)));
    const [whole, parts] = [listSink<number>(), listSink<number>()];
    run(Infinity, memoryStore(), whole);
    const store = memoryStore();
    for (const stop of [1, 2, Infinity]) run(stop, store, parts);
    expect(parts.written).to.deep.equal(whole.written);
  });

  it('is over once it is over: another run reads nothing and writes nothing', () => {
    const job = jobOf({ through: ({ keep }) => summing(keep('sum')) });
    storyOf(checkpointed(job));
    const again = storyOf(checkpointed({ ...job, source: () => [][0]! }));
    expect([again.progress, again.isComplete]).to.deep.equal([[], true]);
    expect((job.sink as ReturnType<typeof listSink>).written).to.have.length(20);
  });

  it('ends when its operators do, and lets go of its source', () => {
    let isReturned = false;
    const source = function* () {
      try {
        for (let k = 0; ; k++) yield k;
      } finally {
        isReturned = true;
      }
    };
    const { progress, isComplete } = storyOf(checkpointed(jobOf({ source, through: () => take(6) })));
    expect([progress.at(-1)?.outputs, progress.at(-1)?.isComplete, isComplete, isReturned]).to.deep.equal([6, true, true, true]);
  });

  it('does nothing before it is subscribed to, and two runs share nothing but store and sink', () => {
    let begun = 0;
    const job$ = checkpointed(jobOf({ source: (position) => (begun++, numbers(3)(position)), through: () => pipe() as never }));
    expect(begun).to.equal(0);
    storyOf(job$);
    expect(begun).to.equal(1);
  });
});

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

  it('that cannot be written ends the job, or is a warning and the job goes on (C8)', () => {
    const full = new Error('disk full');
    for (const onFailure of [undefined, 'continue'] as const) {
      const told: Diagnostic[] = [];
      let count = 0;
      const memory = memoryStore();
      const store: CheckpointStore = {
        ...memory,
        write: (bytes) => (++count === 2 ? Promise.reject(full) : memory.write(bytes)),
      };
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

describe('a job that is wrong', () => {
  const codeOf = (job: CheckpointedJob<number, never>) => (storyOf(checkpointed(job)).error as EinstreamError | undefined)?.code;
  const job = jobOf<number>({ through: () => summing({}) }) as unknown as CheckpointedJob<number, never>;

  it('is refused at the call where an option is', () => {
    for (const [name, value] of [
      ['source', [1]],
      ['through', undefined],
      ['sink', {}],
      ['store', {}],
      ['every', 0],
      ['every', undefined],
      ['everyMs', -1],
      ['ahead', 0.5],
      ['whenBusy', 'drop'],
      ['onFailure', 'ignore'],
      ['keep', 0],
    ] as const)
      expect(thrownBy(() => checkpointed({ ...job, [name]: value } as never)).code, name).to.equal('E_ARGUMENT');
    for (const none of [undefined, null, 7]) expect(thrownBy(() => checkpointed(none as never)).code).to.equal('E_ARGUMENT');
  });

  it('keeps two states under one name, or none under its name', () => {
    const through: CheckpointedJob<number, never>['through'] = ({ keep }) =>
      pipe(summing(keep('a')), summing(keep('a'))) as never;
    expect(codeOf({ ...job, through })).to.equal('E_NAME');
    expect(codeOf({ ...job, through: ({ keep }) => (keep('a'), pipe() as never) })).to.equal('E_ARGUMENT');
  });

  it('is another job than the one in the store', async () => {
    const store = memoryStore();
    checkpointed(jobOf({ through: ({ keep }) => summing(keep('sum')), store }))
      .pipe(take(1))
      .subscribe();
    expect(codeOf({ ...job, store })).to.equal('E_ARGUMENT');
    const other = memoryStore();
    await checkpoints(other).save({ position: 1 });
    expect(codeOf({ ...job, store: other })).to.equal('E_ARGUMENT');
  });

  it('hands out what follows from no item, or hides what is in flight', () => {
    virtually(({ flush }) => {
      let error: unknown;
      const through = () => pipe(delay(2)) as OperatorFunction<number, never>;
      checkpointed({ ...job, through }).subscribe({ error: (thrown: unknown) => (error = thrown) });
      flush();
      expect((error as EinstreamError).message).to.match(/outputs of a job must follow from its items/);
    });
    const uneven = (operator: OperatorFunction<number, number>) =>
      codeOf({ ...job, every: 50, ahead: 50, through: ({ inFlight }) => inFlight(operator) as never });
    expect(uneven(filter((x) => x % 2 === 0))).to.equal('E_ARGUMENT');
    expect(uneven(concatMap((x) => of(x, x)))).to.equal('E_ARGUMENT');
  });

  it('has a source, operators or a sink that throw', () => {
    const boom = new Error('boom');
    const throwing = () => {
      throw boom;
    };
    const errorOf = (more: Partial<CheckpointedJob<number, never>>) =>
      storyOf(checkpointed({ ...job, store: memoryStore(), ...more })).error;
    expect(errorOf({ source: throwing })).to.equal(boom);
    expect(errorOf({ source: () => ({ [Symbol.iterator]: () => ({ next: throwing }) }) })).to.equal(boom);
    expect(errorOf({ through: throwing })).to.equal(boom);
    expect(errorOf({ through: () => map(throwing) })).to.equal(boom);
    expect(errorOf({ through: () => () => throwError(() => boom) })).to.equal(boom);
    expect((errorOf({ source: () => 7 as never }) as EinstreamError).code).to.equal('E_ARGUMENT');
    for (const call of ['open', 'write', 'commit', 'close'] as const) {
      const error = errorOf({ sink: { ...listSink<never>(), [call]: throwing } }) as EinstreamError;
      expect([error.code, error.cause], call).to.deep.equal(['E_CONSUMER', boom]);
    }
  });

  it('stops at once when it is unsubscribed from, and closes its sink and source once', () => {
    const sink = listSink<number>();
    let returned = 0;
    const source = function* () {
      try {
        for (let k = 0; ; k++) yield k;
      } finally {
        returned++;
      }
    };
    checkpointed(jobOf({ source, through: () => summing({}), sink }))
      .pipe(take(3))
      .subscribe();
    expect([sink.counts.closed, returned, sink.written.length]).to.deep.equal([1, 1, 12]);
  });
});
