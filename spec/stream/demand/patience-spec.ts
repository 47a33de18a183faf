/** @file Sources that are cancelled are let go of, whatever they do then (S12). */
import { expect } from 'chai';
import { Readable } from 'node:stream';
import { take, VirtualTimeScheduler } from 'rxjs';
import { pulled, toObservable, type Diagnostic } from '../../../src/index.js';
import { probed, settled } from '../../support/flow-probe.js';
import { expectNothingUncaught } from '../../support/uncaught.js';
import { watch } from '../../support/watch.js';

describe('a source that is cancelled', () => {
  expectNothingUncaught();

  it('lets a generator return, also from inside its own code', () => {
    const closed: string[] = [];
    const naturals = (name: string, inside: () => void) => ({
      *[Symbol.iterator]() {
        try {
          for (let n = 0; ; n++) {
            inside();
            yield n;
          }
        } finally {
          closed.push(name);
        }
      },
    });
    watch(toObservable(pulled(naturals('taken', () => undefined))).pipe(take(2)));
    const probe = probed(pulled(naturals('from inside', () => void probe?.edge().cancel())), () => undefined);
    probe.edge().grant(1);
    expect([closed, probe.values]).to.deep.equal([['taken', 'from inside'], []]);
  });

  it('destroys a Readable and cancels a ReadableStream, also while a read is under way', async () => {
    const silent = new Readable({ objectMode: true, read: () => undefined });
    let cancelled = 0;
    const web = new ReadableStream<number>({ cancel: () => void cancelled++ });
    for (const source of [silent as AsyncIterable<number>, web]) {
      const { edge, log } = probed(pulled(source));
      edge().grant(1);
      await settled();
      edge().cancel();
      await settled();
      expect(log).to.deep.equal(['open']);
    }
    expect([silent.destroyed, cancelled, web.locked]).to.deep.equal([true, 1, false]);
  });

  const told = async (iterator: Partial<AsyncIterator<number>>, pass: number): Promise<readonly string[]> => {
    const scheduler = new VirtualTimeScheduler(undefined, pass);
    const heard: string[] = [];
    const source = {
      [Symbol.asyncIterator]: () => ({ next: () => Promise.resolve({ done: false as const, value: 1 }), ...iterator }),
    };
    const flow = pulled<number>(source, {
      scheduler,
      graceMs: 50,
      onDiagnostic: ({ code, message }) => void heard.push(`${code} ${message}`),
    });
    const { edge, log } = probed(flow);
    edge().grant(1);
    await settled();
    edge().cancel();
    edge().cancel();
    expect(log).to.deep.equal(['open', 'next']);
    await settled();
    scheduler.flush();
    await settled();
    return heard;
  };
  const never = () => new Promise<never>(() => undefined);

  it('tells of a source that does not end, after its grace and once (S12)', async () => {
    expect(await told({ return: never }, 49)).to.deep.equal([]);
    const [message, ...others] = await told({ return: never }, 50);
    expect(message).to.match(/^E_TEARDOWN .*a source must end when it is cancelled; expected within 50 ms/);
    expect(others).to.have.length(0);
  });

  it('tells of a source whose return() throws or rejects, at once and once (S12)', async () => {
    const broken: readonly (() => Promise<never>)[] = [
      () => Promise.reject(new Error('stuck')),
      () => {
        throw new Error('stuck');
      },
    ];
    for (const each of broken) {
      const [message, ...others] = await told({ return: each }, 1_000);
      expect(message).to.match(/^E_TEARDOWN .*a teardown must not throw; got stuck/);
      expect(others).to.have.length(0);
    }
  });

  it('says nothing of a source that ends in time, or has no return()', async () => {
    expect(await told({ return: () => Promise.resolve({ done: true, value: undefined }) }, 1_000)).to.deep.equal([]);
    expect(await told({}, 1_000)).to.deep.equal([]);
  });

  it('hears a return() that throws at once from an iterable, too', () => {
    const heard: Diagnostic[] = [];
    const source = {
      [Symbol.iterator]: () => ({
        next: () => ({ done: false as const, value: 1 }),
        return: () => {
          throw new Error('stuck');
        },
      }),
    };
    watch(toObservable(pulled(source, { onDiagnostic: (each) => void heard.push(each) })).pipe(take(1)));
    expect(heard.map(({ code }) => code)).to.deep.equal(['E_TEARDOWN']);
  });
});
