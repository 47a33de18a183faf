/** @file Jobs that are wrong: a typed error, at the call or on the stream. */
import { expect } from 'chai';
import { concatMap, delay, filter, map, of, pipe, take, throwError, type OperatorFunction } from 'rxjs';
import { checkpointed, checkpoints, memoryStore, type CheckpointedJob, type EinstreamError } from '../../../src/index.js';
import { virtually } from '../../support/marbles.js';
import { thrownBy } from '../../support/thrownBy.js';
import { summing, listSink, jobOf, storyOf } from './jobs.js';

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
      ['barriers$', 5],
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
      codeOf({ ...job, store: memoryStore(), every: 50, ahead: 50, through: ({ inFlight }) => inFlight(operator) as never });
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
