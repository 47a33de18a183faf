/** @file Jobs of flows that are wrong, are left, or fail: a typed error, and everything closed once. */
import { expect } from 'chai';
import { map, take, timer } from 'rxjs';
import {
  checkpointedFlow,
  join,
  memoryStore,
  through,
  type CheckpointedFlowJob,
  type EinstreamError,
  type Flow,
  type FlowStage,
} from '../../../src/index.js';
import { virtually } from '../../support/marbles.js';
import { thrownBy } from '../../support/thrownBy.js';
import { watch } from '../../support/watch.js';
import { listSink, numbers, summing } from './jobs.js';

type Build = (items: Flow<number>, stage: FlowStage) => Flow<unknown>;
const summed: Build = (items, stage) => stage.through('sum', summing, { credits: 2 })(items);
const jobOf = (
  flow: Build = summed,
  more: Partial<CheckpointedFlowJob<number, unknown>> = {},
): CheckpointedFlowJob<number, unknown> => ({
  source: numbers(20),
  flow,
  sink: listSink<unknown>(),
  store: memoryStore(),
  every: 4,
  ...more,
});
const errorOf = (job: CheckpointedFlowJob<number, unknown>) => watch(checkpointedFlow(job)).error as EinstreamError | undefined;

describe('a job of flows', () => {
  it('with wrong options is E_ARGUMENT at the call', () => {
    for (const [name, value] of [
      ['source', [1]],
      ['flow', undefined],
      ['sink', {}],
      ['store', {}],
      ['every', 0],
      ['everyMs', -1],
    ] as const)
      // prettier-ignore
      expect(thrownBy(() => checkpointedFlow({ ...jobOf(), [name]: value })).code, name).to.equal('E_ARGUMENT');
    expect(thrownBy(() => checkpointedFlow(undefined as never)).code).to.equal('E_ARGUMENT');
  });

  it('with a stage through which no barrier passes says so, and names what does', () => {
    for (const flow of [
      ((items) =>
        through(
          map((x: number) => x),
          { credits: 1 },
        )(items)) as Build,
      ((items) => join({ a: items })) as Build,
    ])
      expect(errorOf(jobOf(flow))?.message).to.match(/barriers pass through each stage.*stage\.through/s);
  });

  it('has one stage under each name, and in a job that goes on those that it had', () => {
    const twice: Build = (items, stage) => stage.through('a', summing, { credits: 1 })(stage.through('a', summing, { credits: 1 })(items)); // prettier-ignore
    expect(errorOf(jobOf(twice))?.code).to.equal('E_NAME');
    const store = memoryStore();
    checkpointedFlow(jobOf(summed, { store })).pipe(take(1)).subscribe();
    const other: Build = (items, stage) => stage.through('another', summing, { credits: 1 })(items);
    expect(errorOf(jobOf(other, { store }))?.message).to.match(/operators that it had.*sum/s);
  });

  it('ends with what source, operators and sink throw, and closes its sink once', () => {
    const boom = new Error('boom');
    const throwing = (): never => {
      throw boom;
    };
    const failing: Build = (items, stage) => stage.through('bad', () => map(throwing), { credits: 1 })(items);
    expect(errorOf(jobOf(summed, { source: throwing }))).to.equal(boom);
    expect(errorOf(jobOf(throwing))).to.equal(boom);
    expect(errorOf(jobOf(failing))).to.equal(boom);
    for (const call of ['open', 'write', 'commit', 'close'] as const) {
      const sink = { ...listSink<unknown>(), [call]: throwing };
      const error = errorOf(jobOf(summed, { sink }));
      expect([error?.code, error?.cause], call).to.deep.equal(['E_CONSUMER', boom]);
    }
    const sink = listSink<unknown>();
    errorOf(jobOf(failing, { sink }));
    expect(sink.counts.closed).to.equal(1);
  });

  it('that is left lets go of its source, and closes its sink once', () => {
    const sink = listSink<unknown>();
    let returned = 0;
    const source = function* () {
      try {
        for (let k = 0; ; k++) yield k;
      } finally {
        returned++;
      }
    };
    watch(checkpointedFlow(jobOf(summed, { source, sink })).pipe(take(3)));
    expect([sink.counts.closed, returned]).to.deep.equal([1, 1]);
  });

  it('lets a barrier in when time calls for it, also while the sink takes nothing; not where nothing has come since', () => {
    virtually(({ flush }) => {
      const slow = { ...listSink<unknown>(), write: () => new Promise<void>(() => undefined) };
      const seen: number[] = [];
      const job = { ...jobOf(summed, { sink: slow, source: numbers(20) }), every: undefined, everyMs: 10 };
      const running = checkpointedFlow(job).subscribe(({ position }) => seen.push(position));
      timer(45).subscribe(() => running.unsubscribe());
      flush();
      // One that the sink was given, and two that the stage has room for.
      expect(seen).to.deep.equal([3]);
    });
  });
});
