/** @file Sources that can wait are pulled against credit alone. */
import { expect } from 'chai';
import { Readable } from 'node:stream';
import { lastValueFrom, map, of, take, toArray } from 'rxjs';
import {
  acknowledged,
  EinstreamError,
  fromObservable,
  pulled,
  through,
  toAsyncIterable,
  toObservable,
  toReadableStream,
  type Flow,
} from '../../../src/index.js';
import { probed, settled } from '../../support/flow-probe.js';
import { propertyRuns } from '../../support/property.js';
import { expectNothingUncaught } from '../../support/uncaught.js';

const all = <T>(flow: Flow<T>): Promise<T[]> => lastValueFrom(toObservable(flow).pipe(toArray()));

describe('pulled', () => {
  expectNothingUncaught();

  it('takes iterables, async iterables, Readables and ReadableStreams', async () => {
    async function* items() {
      yield* [1, 2];
      await Promise.resolve();
    }
    const web = new ReadableStream<number>({
      start(controller) {
        controller.enqueue(1);
        controller.enqueue(2);
        controller.close();
      },
    });
    expect(await all(pulled([1, 2]))).to.deep.equal([1, 2]);
    expect(await all(pulled(new Set([1, 2])))).to.deep.equal([1, 2]);
    expect(await all(pulled(items()))).to.deep.equal([1, 2]);
    expect(await all(pulled(Readable.from([1, 2]) as AsyncIterable<number>))).to.deep.equal([1, 2]);
    expect(await all(pulled(web))).to.deep.equal([1, 2]);
  });

  it('refuses what cannot be pulled, and says what to do with an Observable (S11)', () => {
    for (const wrong of [null, undefined, 3, {}, () => 1, { then: () => 1 }])
      expect(() => pulled(wrong as never))
        .to.throw(EinstreamError)
        .with.property('code', 'E_ARGUMENT');
    expect(() => pulled(of(1) as never)).to.throw(/fromObservable\(source, \{ policy \}\)/);
    for (const graceMs of [-1, NaN, Infinity, '3'])
      expect(() => pulled([], { graceMs: graceMs as number })).to.throw(/graceMs must be a number ≥ 0/);
  });

  it('pulls nothing before it is asked, and never more than it was asked for', async () => {
    let pulls = 0;
    const counting = {
      [Symbol.asyncIterator]: () => ({ next: () => Promise.resolve({ done: false as const, value: pulls++ }) }),
    };
    const { edge, values } = probed(pulled(counting));
    await settled();
    expect(pulls).to.equal(0);
    edge().grant(3);
    await settled();
    expect([pulls, values]).to.deep.equal([3, [0, 1, 2]]);
    edge().cancel();
  });

  const COUNT = propertyRuns(4_000, 40_000, 1_000_000);
  it(`holds an endless source to the credits of a slow consumer, over ${COUNT.toLocaleString('en')} items (S9, F2)`, async () => {
    const CREDITS = 4;
    let [pulls, peak, released] = [0, 0, 0];
    async function* endless() {
      await Promise.resolve();
      for (;;) {
        peak = Math.max(peak, ++pulls - released);
        yield pulls;
      }
    }
    let isClosed = false;
    async function* watched() {
      try {
        yield* endless();
      } finally {
        isClosed = true;
      }
    }
    await new Promise<void>((resolve, reject) => {
      acknowledged(pulled(watched()), { credits: CREDITS })
        .pipe(take(COUNT))
        .subscribe({
          next({ ack }) {
            setImmediate(() => {
              released++;
              ack();
            });
          },
          error: reject,
          complete: resolve,
        });
    });
    await settled();
    expect({ peak, isClosed, pulls }).to.deep.equal({ peak: CREDITS, isClosed: true, pulls });
    expect(pulls).to.be.within(COUNT, COUNT + CREDITS);
  });

  it('passes an error of the source on, the very same object', async () => {
    for (const error of [new Error('mine'), 'a string', undefined]) {
      const sources = [
        {
          *[Symbol.iterator]() {
            yield 1;
            throw error;
          },
        },
        {
          async *[Symbol.asyncIterator]() {
            yield await Promise.resolve(1);
            throw error;
          },
        },
        { [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(error) }) },
        {
          [Symbol.iterator]: () => {
            throw error;
          },
        },
        {
          [Symbol.asyncIterator]: () => {
            throw error;
          },
        },
      ];
      for (const source of sources) {
        const probe = probed(pulled(source as Iterable<number>), (kind, edge) => void (kind === 'open' && edge.grant(5)));
        await settled();
        expect(probe.log.at(-1)).to.equal('error');
        expect(probe.error()).to.equal(error);
      }
    }
  });

  it('has results for sources without items, and with items that are nothing (S13)', async () => {
    for (const items of [[], [undefined], [null, undefined, null]]) {
      const asynchronous = {
        async *[Symbol.asyncIterator]() {
          yield* items;
          await Promise.resolve();
        },
      };
      for (const flow of [pulled<unknown>(items), pulled<unknown>(asynchronous)]) {
        expect(await all(flow)).to.deep.equal(items);
        expect(
          await all(
            through(
              map((x: unknown) => x),
              { credits: 2 },
            )(flow),
          ),
        ).to.deep.equal(items);
        expect(await all(pulled(toAsyncIterable(flow)))).to.deep.equal(items);
        expect(await all(pulled(toReadableStream(flow)))).to.deep.equal(items);
        expect(await all(fromObservable(toObservable(flow), { policy: 'error', size: Infinity }))).to.deep.equal(items);
      }
    }
  });
});
