/** @file `checkpointed`: a job that stops anywhere and goes on, and whose outputs are each there once. */
import { expect } from 'chai';
import fc from 'fast-check';
import { map, pipe, take, tap } from 'rxjs';
import {
  adam,
  checkpointed,
  checkpoints,
  graph,
  input,
  memoryStore,
  mse,
  mul,
  param,
  tensor,
  train,
  type CheckpointedJob,
  type CheckpointStore,
  type CommittingSink,
  type TrainState,
} from '../../../src/index.js';
import { propertyRuns, propertySeed } from '../../support/property.js';
import { summing, threes, listSink, numbers, jobOf, storyOf } from './jobs.js';

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
      storyOf(checkpointed(jobOf<number>({ through: trained, store, sink })).pipe(take(stop)));
    const [whole, parts] = [listSink<number>(), listSink<number>()];
    run(Infinity, memoryStore(), whole);
    const store = memoryStore();
    for (const stop of [1, 2, Infinity]) run(stop, store, parts);
    expect(parts.written).to.deep.equal(whole.written);
  });

  it('is over once it is over: another run reads nothing and writes nothing', () => {
    const job = jobOf({ through: ({ keep }) => summing(keep('sum')) });
    storyOf(checkpointed(job));
    const again = storyOf(checkpointed({ ...job, source: () => [][0] }));
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
