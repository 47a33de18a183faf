/**
 * @file Rules of Reactive Streams 1.0.4 for flows: what every publisher of ours keeps, and its edge.
 *
 * There is one thread, so rules against concurrency are rules against re-entrance. Where the standard allows a publisher to stop soon
 * after a cancel, ours stop at once.
 */
import { expect } from 'chai';
import fc from 'fast-check';
import { EinstreamError, type Edge, type Flow } from '../../src/index.js';
import { probed, settled } from './flow-probe.js';
import { propertyRuns, propertySeed } from './property.js';
import type { Rule } from './tck.js';

export type FlowEnd = 'complete' | 'error' | 'never';

/** A fresh flow of so many items, then the end. */
export type MakeFlow<T> = (count: number, end: FlowEnd) => Flow<T>;

export interface FlowUse {
  /** It answers when promises have settled; otherwise at once. */
  readonly answers: 'at once' | 'later';
  /** It can be opened once only. */
  readonly isOneShot?: boolean;
  /** Random grants that are tried, where it is slow. */
  readonly trials?: number;
}

/** What a probe hears of so many items and the end. */
export const times = (count: number, ...end: readonly string[]): readonly string[] => [
  'open',
  ...Array.from({ length: count }, () => 'next'),
  ...end,
];

/** How long to wait for what a flow answers. */
export function patienceFor(answers: FlowUse['answers']) {
  const later = answers === 'later';
  return {
    wait: async (turns?: number): Promise<void> => {
      if (later) await settled(turns);
    },
    /** Until nothing new was heard for a while: a slow publisher needs some turns an item. */
    async quiet(log: readonly string[]): Promise<void> {
      for (let before = -1; later && before !== log.length;) {
        before = log.length;
        await settled(4);
      }
    },
  };
}

export function verifyPublisher<T>(make: MakeFlow<T>, { answers, isOneShot = false, trials }: FlowUse): readonly Rule[] {
  const later = answers === 'later';
  const { wait, quiet } = patienceFor(answers);
  const MANY = later ? propertyRuns(100, 20_000, 100_000) : propertyRuns(2_000, 1_000_000, 10_000_000);

  const rules: readonly (Rule | undefined)[] = [
    {
      rules: '1.1, 3.8',
      title: 'items never exceed the credits granted, which add up',
      async check() {
        const runs = trials ?? (later ? propertyRuns(3, 100, 2_000) : propertyRuns(10, 1_500, 100_000));
        await fc.assert(
          fc.asyncProperty(fc.array(fc.integer({ min: 1, max: 100 }), { maxLength: 8 }), async (grants) => {
            const count = 150;
            const { values, edge, log } = probed(make(count, 'complete'));
            await wait(1);
            expect(values).to.have.length(0);
            let granted = 0;
            for (const credits of grants) {
              edge().grant(credits);
              granted += credits;
              expect(values.length).to.be.at.most(granted);
              if (later) await settled(1);
              expect(values.length).to.be.at.most(granted);
            }
            await quiet(log);
            expect(values).to.have.length(Math.min(granted, count));
          }),
          { numRuns: runs, seed: propertySeed() },
        );
      },
    },
    {
      rules: '1.2, 1.5',
      title: 'it may end before the credits do, and completes when its source does',
      async check() {
        for (const count of [0, 1, 7]) {
          const { log } = probed(make(count, 'complete'), (kind, edge) => void (kind === 'open' && edge.grant(100)));
          await quiet(log);
          expect(log).to.deep.equal(times(count, 'complete'));
        }
      },
    },
    {
      rules: '1.4',
      title: 'a failing source ends it with that error, after the items before it',
      async check() {
        for (const count of [0, 1, 7]) {
          const { log, error } = probed(make(count, 'error'), (kind, edge) => void (kind === 'open' && edge.grant(100)));
          await quiet(log);
          expect([log, (error() as Error).message]).to.deep.equal([times(count, 'error'), 'the end']);
        }
      },
    },
    {
      rules: '1.3, 3.2, 3.3, 3.10, 3.11',
      title: `granting inside \`next\` does not nest, nor does the stack grow (${MANY.toLocaleString('en')} items)`,
      async check() {
        let count = 0;
        const flow = make(MANY, 'complete');
        let [depth, deepest] = [0, 0];
        let edge!: Edge;
        const ended = new Promise<void>((resolve, reject) =>
          flow.open({
            open(given) {
              edge = given;
              edge.grant(1);
            },
            next() {
              deepest = Math.max(deepest, ++depth);
              count++;
              edge.grant(1);
              if (count % 3 === 0) edge.grant(1);
              depth--;
            },
            error: reject,
            complete: resolve,
          }),
        );
        await ended;
        expect([count, deepest]).to.deep.equal([MANY, 1]);
      },
    },
    {
      rules: '1.6, 1.7, 2.4',
      title: 'it ends once, and nothing follows, whatever is granted in the terminal handler and after it',
      async check() {
        for (const end of ['complete', 'error'] as const) {
          const probe = probed(make(2, end), (kind, edge) => {
            if (kind !== 'next') edge.grant(10);
          });
          await quiet(probe.log);
          probe.edge().grant(5);
          probe.edge().grant(-1);
          probe.edge().cancel();
          await quiet(probe.log);
          expect(probe.log).to.deep.equal(times(2, end));
        }
      },
    },
    {
      rules: '1.8, 3.12',
      title: 'no item follows a cancel, not even one that was granted',
      async check() {
        const inside = probed(make(20, 'complete'), (kind, edge) => {
          if (kind === 'open') edge.grant(10);
          if (kind === 'next') edge.cancel();
        });
        await quiet(inside.log);
        expect(inside.log).to.deep.equal(times(1));
        const outside = probed(make(20, 'never'), (kind, edge) => void (kind === 'open' && edge.grant(10)));
        outside.edge().cancel();
        const before = outside.log.length;
        await quiet(outside.log);
        outside.edge().grant(5);
        await quiet(outside.log);
        expect(outside.log).to.have.length(before);
        const first = probed(make(20, 'complete'), (kind, edge) => {
          if (kind !== 'open') return;
          edge.grant(3);
          edge.cancel();
        });
        await quiet(first.log);
        expect(first.log).to.deep.equal(['open']);
      },
    },
    {
      rules: '1.9',
      title: 'the edge is there before the first item, and no signal comes inside another',
      async check() {
        const { log, depth } = probed(make(5, 'complete'), (_, edge) => edge.grant(1));
        await quiet(log);
        expect([log, depth()]).to.deep.equal([times(5, 'complete'), 1]);
        for (const wrong of [null, undefined, {}, { open() {}, next() {}, error() {} }])
          expect(() => make(1, 'complete').open(wrong as never))
            .to.throw(EinstreamError)
            .with.property('code', 'E_ARGUMENT');
      },
    },
    isOneShot
      ? undefined
      : {
          rules: '1.10',
          title: 'each opening is a run of its own',
          async check() {
            const flow = make(5, 'complete');
            const both = [0, 1].map(() => probed(flow));
            both[0].edge().grant(2);
            both[1].edge().grant(9);
            await quiet(both[1].log);
            both[0].edge().grant(9);
            await quiet(both[0].log);
            expect(both.map(({ log }) => log)).to.deep.equal([times(5, 'complete'), times(5, 'complete')]);
            expect(both[0].values).to.deep.equal(both[1].values);
          },
        },
  ];
  return rules.filter((rule) => rule !== undefined);
}

/** RS 2.6, 3.13: sinks that have cancelled, while their flows and edges are held by `held`. They are garbage once promises have settled. */
export const cancelledSinks = <T>(make: MakeFlow<T>, held: unknown[]): readonly WeakRef<object>[] =>
  Array.from({ length: 10 }, () => {
    const owner = { seen: 0 };
    const flow = make(10, 'never');
    let edge!: Edge;
    flow.open({
      open: (given) => void (edge = given),
      next: () => void owner.seen++,
      error: () => void owner.seen++,
      complete: () => void owner.seen++,
    });
    edge.grant(3);
    edge.cancel();
    held.push(flow, edge);
    return new WeakRef(owner);
  });
