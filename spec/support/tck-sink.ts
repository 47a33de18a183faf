/**
 * @file Rules of Reactive Streams 1.0.4 for sinks: what everything of ours keeps that takes a flow.
 */
import { expect } from 'chai';
import { EinstreamError, type Edge, type Flow } from '../../src/index.js';
import { scripted, settled } from './flow-probe.js';
import type { Rule } from './tck.js';

/** What a consumer says of what its sink heard. */
export interface Consumer {
  /** `next`, `error` and `complete`, in order. */
  readonly log: readonly string[];
  readonly error: () => unknown;
  /** Wants items, where the consumer does not by itself. */
  readonly want: () => void;
  readonly cancel: () => void;
}

export interface SinkUse<T> {
  readonly feed: (index: number) => T;
  /** Most credits that it may have out. */
  readonly credits: number;
}

/** @param consume makes a consumer of the flow, which opens it at once or when it wants something */
export function verifySink<T>(consume: (flow: Flow<T>) => Consumer, { feed, credits }: SinkUse<T>): readonly Rule[] {
  const begun = async (opens?: 'at once' | 'later') => {
    const source = scripted<T>(opens);
    const consumer = consume(source.flow);
    consumer.want();
    await settled(1);
    return { ...source, consumer };
  };
  return [
    {
      rules: '2.1',
      title: 'it asks for items, and never for more than it may hold',
      async check() {
        const { sink, granted, consumer } = await begun();
        expect(granted()).to.be.within(1, credits);
        for (let given = 1; given <= 50; given++) {
          sink().next(feed(given));
          consumer.want();
          await settled(1);
          expect(granted() - given).to.be.within(1, credits);
        }
        consumer.cancel();
      },
    },
    {
      rules: '2.3, 2.4',
      title: 'after the end it calls nothing on its edge',
      async check() {
        for (const end of ['complete', 'error'] as const) {
          const { sink, calls, consumer } = await begun();
          sink().next(feed(0));
          await settled(1);
          const before = calls.length;
          if (end === 'complete') sink().complete();
          else sink().error(new Error('the end'));
          consumer.want();
          await settled(1);
          consumer.cancel();
          expect(calls.slice(before)).to.deep.equal([]);
          expect(consumer.log.at(-1)).to.equal(end);
        }
      },
    },
    {
      rules: '2.5, 2.12',
      title: 'a second edge is cancelled, and the first one goes on',
      async check() {
        const { sink, calls, consumer } = await begun();
        const seconds: string[] = [];
        const second: Edge = { grant: (n) => void seconds.push(`grant ${n}`), cancel: () => void seconds.push('cancel') };
        sink().open(second);
        sink().next(feed(0));
        sink().complete();
        consumer.want();
        await settled(1);
        expect([seconds, calls.includes('cancel'), consumer.log]).to.deep.equal([['cancel'], false, ['next', 'complete']]);
      },
    },
    {
      rules: '2.6',
      title: 'it cancels once when it is no longer needed, also before its edge is there',
      async check() {
        const { calls, consumer } = await begun();
        consumer.cancel();
        consumer.cancel();
        await settled(1);
        expect(calls.filter((call) => call === 'cancel')).to.have.length(1);
        const late = await begun('later');
        late.consumer.cancel();
        late.sink().open(late.edge);
        await settled(1);
        expect(late.calls).to.deep.equal(['cancel']);
      },
    },
    {
      rules: '2.8',
      title: 'it ignores items that come after it has cancelled',
      async check() {
        const { sink, consumer } = await begun();
        consumer.cancel();
        await settled(1);
        const before = consumer.log.length;
        sink().next(feed(0));
        sink().complete();
        sink().error(new Error('late'));
        await settled(1);
        expect(consumer.log).to.have.length(before);
      },
    },
    {
      rules: '2.9, 2.10',
      title: 'it hears an end that comes without an item',
      async check() {
        for (const end of ['complete', 'error'] as const) {
          const { sink, consumer } = await begun();
          if (end === 'complete') sink().complete();
          else sink().error(new Error('the end'));
          await settled(1);
          expect(consumer.log).to.deep.equal([end]);
          if (end === 'error') expect((consumer.error() as Error).message).to.equal('the end');
        }
      },
    },
    {
      rules: '2.13',
      title: 'its functions do not throw, whatever they are called with and when',
      async check() {
        const { sink, edge, consumer } = await begun();
        expect(() => {
          sink().open(edge);
          sink().next(undefined as T);
          sink().error(undefined);
          sink().next(feed(0));
          sink().complete();
          sink().open(edge);
        }).not.to.throw();
        consumer.want();
        await settled(1);
        consumer.cancel();
      },
    },
    {
      rules: '1.1',
      title: 'an item that it has not asked for is E_DEMAND, and cancels its source',
      async check() {
        const { sink, calls, granted, consumer } = await begun();
        for (let given = 0; given <= granted() && given < 100; given++) sink().next(feed(given));
        // One that asks anew inside each `next` is never given too much.
        const isAlwaysAsking = granted() > 100 - 1;
        consumer.want();
        await settled(1);
        const error = consumer.error();
        expect([error instanceof EinstreamError && error.code, calls.at(-1) === 'cancel']).to.deep.equal(
          isAlwaysAsking ? [false, false] : ['E_DEMAND', true],
        );
        consumer.cancel();
      },
    },
  ];
}
