/** @file Every flow and every consumer of flows keeps the rules of Reactive Streams, those of demand included. */
import { expect } from 'chai';
import { fork } from '../../src/index.js';
import { collected } from '../support/collect.js';
import { feed, iterable, publishers, theEnd } from '../support/flow-kinds.js';
import { probed, settled } from '../support/flow-probe.js';
import { consumers } from '../support/sink-kinds.js';
import { verifyEdge } from '../support/tck-edge.js';
import { cancelledSinks, verifyPublisher, type FlowUse, type MakeFlow } from '../support/tck-flow.js';
import { verifySink } from '../support/tck-sink.js';
import { expectNothingUncaught } from '../support/uncaught.js';

const rulesOf = <T>(make: MakeFlow<T>, use: FlowUse) => [...verifyPublisher(make, use), ...verifyEdge(make, use)];

describe('the rules of Reactive Streams, with demand', function () {
  this.timeout(process.env['EINSTREAM_SIZE'] ? 300_000 : 20_000);
  expectNothingUncaught();
  let [passed, asked] = [0, 0];
  const hold = ({ rules, title, check }: ReturnType<typeof verifySink>[number]): void => {
    asked++;
    it(`RS ${rules}: ${title}`, async () => {
      await check();
      passed++;
    });
  };

  for (const [kind, [make, use]] of Object.entries(publishers))
    describe(`for ${kind}`, () => {
      for (const rule of rulesOf(make, use)) hold(rule);
    });
  for (const [kind, [consume, credits]] of Object.entries(consumers))
    describe(`for the sink of ${kind}`, () => {
      for (const rule of verifySink(consume, { feed, credits })) hold(rule);
    });

  it('RS 2.6, 3.13: sinks of all kinds of flows that have cancelled can be collected, though their edges are held', async () => {
    const held: unknown[] = [];
    const kinds = Object.entries(publishers).map(([kind, [make]]) => ({ kind, refs: cancelledSinks(make, held) }));
    asked += kinds.length;
    await settled(5);
    await collected();
    const leaking = kinds.filter(({ refs }) => refs.some((ref) => ref.deref() !== undefined)).map(({ kind }) => kind);
    passed += kinds.length - leaking.length;
    expect([leaking, held.length]).to.deep.equal([[], 20 * kinds.length]);
  });

  it('RS 1.11: branches hear the same sequence', () => {
    const heard = fork(iterable(5, 'complete'), 3).map((flow) => probed(flow));
    for (const [k, { edge }] of heard.entries()) edge().grant(k + 2);
    expect(heard.map(({ values }) => values.length)).to.deep.equal([2, 2, 2]);
    for (const { edge } of heard) edge().grant(9);
    for (const { values, log } of heard) expect([values, log.at(-1)]).to.deep.equal([heard[0].values, 'complete']);
    expect(heard[0].values).to.deep.equal([0, 1, 2, 3, 4].map(feed));
  });

  it('bite: a flow that nests, one that counts wrongly and one that goes on after a cancel break some', async () => {
    const broken = async (make: MakeFlow<number>): Promise<readonly string[]> => {
      const found: string[] = [];
      for (const { rules, check } of rulesOf(make, { answers: 'at once', trials: 20 })) {
        await Promise.resolve()
          .then(check)
          .catch(() => found.push(rules));
      }
      await settled();
      return found;
    };
    const naive =
      (excess: number, stops: boolean): MakeFlow<number> =>
      (count, end) => ({
        open(sink) {
          let [k, isOpen] = [0, true];
          sink.open({
            grant(credits) {
              for (let left = credits + excess; isOpen && left > 0 && k < count; left--) sink.next(k++);
              if (!isOpen || k < count) return;
              isOpen = false;
              if (end === 'complete') sink.complete();
              else sink.error(theEnd());
            },
            cancel: () => void (isOpen = !stops),
          });
        },
      });
    const nesting = await broken(naive(0, true));
    expect(nesting).to.include.members(['1.3, 3.2, 3.3, 3.10, 3.11', '1.9', '2.13, 3.15, 3.16', '3.9']);
    expect(nesting).not.to.include('1.1, 3.8');
    expect(await broken(naive(1, true))).to.include('1.1, 3.8');
    expect(await broken(naive(0, false))).to.include.members(['1.8, 3.12', '3.5, 3.6, 3.7']);
  });

  after(() => {
    const [flows, sinks] = [Object.keys(publishers).length, Object.keys(consumers).length];
    console.log(`    rules × kinds, with demand: ${passed} of ${asked} passed, ${flows} kinds of flows, ${sinks} of sinks`);
  });
});
