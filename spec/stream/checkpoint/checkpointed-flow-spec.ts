/** @file Barriers that pass through graphs of flows: while data flows, while it is blocked, and whatever comes in between (B09) (C12). */
import { expect } from 'chai';
import fc from 'fast-check';
import {
  checkpointedFlow,
  checkpoints,
  memoryStore,
  type CheckpointedFlowJob,
  type CheckpointStore,
  type Flow,
  type FlowStage,
  type JobProgress,
} from '../../../src/index.js';
import { anyDag, type Dag } from '../../support/anyDag.js';
import { answering, keptDag, slowSink, type Tasks } from '../../support/keptDag.js';
import { propertyRuns, propertySeed } from '../../support/property.js';
import { watch } from '../../support/watch.js';
import { listSink, numbers, summing } from './jobs.js';

type Build = (items: Flow<number>, stage: FlowStage) => Flow<unknown>;
const jobOf = (flow: Build, more: Partial<CheckpointedFlowJob<number, unknown>> = {}): CheckpointedFlowJob<number, unknown> => ({
  source: numbers(20),
  flow,
  sink: listSink<unknown>(),
  store: memoryStore(),
  every: 4,
  ...more,
});
const summed: Build = (items, stage) => stage.through('sum', summing, { credits: 3 })(items);

describe('checkpointedFlow', () => {
  it('tells of each checkpoint that is safe, by position and outputs, and of the end; a job that has ended does nothing', () => {
    const sink = listSink<unknown>();
    const job = jobOf(summed, { sink, every: 8 });
    const { values, isComplete } = watch(checkpointedFlow(job));
    expect(values.map(({ position, isComplete: isLast }) => [position, isLast])).to.deep.equal([[8, false], [16, false], [20, true]]); // prettier-ignore
    expect(isComplete).to.equal(true);
    expect(sink.written).to.deep.equal(Array.from({ length: 20 }, (_, k) => (k * (k + 1)) / 2));
    expect(watch(checkpointedFlow(job))).to.deep.include({ values: [], isComplete: true });
    expect(sink.counts).to.deep.equal({ opened: 2, closed: 2, redone: 0 });
  });

  it('takes what waits for credit for a part of the state: a checkpoint passes while the sink takes nothing at all (B09)', async () => {
    const store = memoryStore();
    const sink = { ...listSink<unknown>(), write: () => new Promise<void>(() => undefined) };
    const seen: JobProgress[] = [];
    const blocked = checkpointedFlow(jobOf(summed, { sink, store, every: 4 })).subscribe((progress) => seen.push(progress));
    // The one output that the sink was given, and three that the stage has room for.
    expect(seen.map(({ position, outputs }) => [position, outputs])).to.deep.equal([[4, 1]]);
    blocked.unsubscribe();
    const { checkpoint } = (await checkpoints(store).latest())!;
    expect(checkpoint['states']).to.deep.equal(Object.assign(Object.create(null) as object, { sum: { state: 6, waiting: [1, 3, 6] } })); // prettier-ignore
    // It goes on with what was waiting, and reads no item again.
    const rest = listSink<unknown>([0]);
    const read: number[] = [];
    const source = function* (position: number) {
      for (const k of numbers(20)(position)) yield (read.push(k), k);
    };
    const mark = { open: () => undefined, write: (value: unknown) => void rest.written.push(value), commit: () => 0 };
    watch(checkpointedFlow(jobOf(summed, { sink: mark, store, source })));
    expect(rest.written).to.deep.equal(Array.from({ length: 20 }, (_, k) => (k * (k + 1)) / 2));
    expect(read[0]).to.equal(4);
  });

  const settled = async (): Promise<void> => {
    for (let turn = 0; turn < 8; turn++) await Promise.resolve();
  };

  interface Played {
    readonly written: string[];
    readonly progress: readonly JobProgress[];
    readonly error: unknown;
    readonly isComplete: boolean;
  }
  /** Plays a job: does one thing that waits after another, as dice say, at most `most` of them, and is killed then. */
  async function played(
    dag: Dag,
    { credits, every, dice }: { readonly credits: number; readonly every: number; readonly dice: () => number },
    at: { readonly store: CheckpointStore; readonly written: string[]; readonly most: number; readonly count?: number },
  ): Promise<Played> {
    const tasks: Tasks = [];
    const job = {
      source: numbers(at.count ?? dag.items),
      flow: keptDag(dag, credits, tasks),
      sink: slowSink(tasks, at.written),
      store: answering(tasks, at.store),
      every,
      keep: 1000,
    };
    const seen = watch(checkpointedFlow(job));
    await settled();
    for (let k = 0; k < at.most && tasks.length > 0; k++) {
      tasks.splice(dice() % tasks.length, 1)[0]();
      await settled();
    }
    seen.unsubscribe();
    return { written: at.written, progress: seen.values, error: seen.error, isComplete: seen.isComplete };
  }
  const settings = fc.record({ credits: fc.integer({ min: 1, max: 3 }), every: fc.integer({ min: 1, max: 4 }) });
  const dags = anyDag(6).map(({ nodes, items }) => ({ nodes, items: 2 * items + 2 }));

  it('writes down states of one prefix each, whatever comes in between: each of them leads to the same outputs (C12) (B09)', async () => {
    let [snapshots, inFlight] = [0, 0];
    const property = fc.asyncProperty(dags, settings, fc.infiniteStream(fc.nat(999)), async (dag, options, stream) => {
      const dice = () => stream.next().value;
      const store = memoryStore();
      const whole = await played(dag, { ...options, dice }, { store, written: [], most: Infinity });
      expect([whole.error, whole.isComplete, whole.written.length]).to.deep.equal([undefined, true, dag.items]);
      for (const { id, position, outputs } of whole.progress) {
        const copy = memoryStore();
        await copy.write((await store.read(id, Infinity))!);
        const from = whole.written.slice(0, outputs);
        const rest = await played(dag, { ...options, dice }, { store: copy, written: from, most: Infinity });
        expect([rest.error, rest.isComplete]).to.deep.equal([undefined, true]);
        expect(rest.written, `from ${position}`).to.deep.equal(whole.written);
        snapshots++;
        if (position > outputs) inFlight++;
      }
    });
    await fc.assert(property, { seed: propertySeed(), numRuns: propertyRuns(40, 600, 6_000) });
    console.log(`    ${snapshots} snapshots, ${inFlight} of them with items in flight`);
    expect(inFlight).to.be.greaterThan(0);
  });

  const KILLS = propertyRuns(30, 2_000, 20_000);
  it(`goes on after ${KILLS} kills at random as if there had been none: each output is there once (B09)`, async () => {
    let kills = 0;
    const property = fc.asyncProperty(dags, settings, fc.infiniteStream(fc.nat(999)), async (dag, options, stream) => {
      const dice = () => stream.next().value;
      const whole = await played(dag, { ...options, dice }, { store: memoryStore(), written: [], most: Infinity });
      const [store, written]: [CheckpointStore, string[]] = [memoryStore(), []];
      for (let tries = 0, isComplete = false; !isComplete; tries++) {
        const killed = await played(dag, { ...options, dice }, { store, written, most: tries < 12 ? dice() % 24 : Infinity });
        expect(killed.error).to.equal(undefined);
        ({ isComplete } = killed);
        if (!isComplete) kills++;
      }
      expect(written).to.deep.equal(whole.written);
    });
    await fc.assert(property, { seed: propertySeed(), numRuns: KILLS });
    console.log(`    ${kills} kills`);
    expect(kills).to.be.at.least(KILLS);
  });
});
