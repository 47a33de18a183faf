/** @file What a pool says to its workers: a graph once to each, and to a new one before it is asked. */
import { expect } from 'chai';
import { VirtualTimeScheduler } from 'rxjs';
import { graph, input, mul, type Graph } from '../../../../src/index.js';
import { planOf } from '../../../../src/stream/pool/plan.js';
import { wired } from '../../../../src/stream/pool/wire/wired.js';
import { readReply } from '../../../../src/stream/pool/wire/protocol.js';
import { follow, settled } from '../../../support/poolLedger.js';
import { scriptedOpen, scriptedPool, type Life } from '../../../support/scriptedWorkers.js';

const times = (factor: number): Graph => graph({ x: input([]) }, ({ x }) => ({ y: mul(x, factor) }));
const kinds = ({ orders }: Life): readonly string[] => orders.map(({ kind }) => kind);

describe('a worker', () => {
  it('is told a graph once, before its first run', async () => {
    const { pool, lives } = scriptedPool({}, { workers: 1 });
    const g = times(2);
    for (const x of [1, 2, 3]) await follow(pool, g, { x }).promise;
    expect(kinds(lives[0])).to.deep.equal(['start', 'graph', 'run', 'run', 'run']);
  });

  it('that is new is told what was asked for lately, before it is asked itself', async () => {
    const { pool, pass, lives } = scriptedPool({}, { workers: 1 });
    const [a, b] = [times(2), times(3)];
    await follow(pool, a, { x: 1 }).promise;
    await follow(pool, b, { x: 1 }).promise;
    lives[0].die();
    pass(1000);
    expect(kinds(lives[1])).to.deep.equal(['start', 'graph', 'graph']);
    const again = follow(pool, a, { x: 5 });
    await settled();
    expect(again.ended?.outputs?.['y'].toArray()).to.equal(10);
    expect(kinds(lives[1])).to.deep.equal(['start', 'graph', 'graph', 'run']);
  });

  it('forgets the graph that was not asked for longest, when it has too many, and is told it again', () => {
    const lives: Life[] = [];
    const hire = wired(scriptedOpen({}, new VirtualTimeScheduler(), lives), { backend: undefined, tensorBytes: 0, graphs: 2 });
    const answers: unknown[] = [];
    const none = (): void => undefined;
    const hand = hire({
      ...{ ready: none, failed: none, unserved: none, malformed: none, stray: none, lost: none },
      done: (_, { y }) => answers.push(y.toArray()),
    });
    const plans = [2, 3, 4].map((factor) => planOf(times(factor)));
    [0, 1, 0, 2, 0, 1].forEach((at, run) => hand.run(1 + run, plans[at].workFor({ x: 10 })));
    expect(answers).to.deep.equal([20, 30, 20, 40, 20, 30]);
    const told = lives[0].orders.flatMap((order) =>
      order.kind === 'forget'
        ? [`forget ${plans.findIndex(({ number }) => number === order.graph)}`]
        : order.kind === 'graph'
          ? ['graph']
          : [],
    );
    expect(told).to.deep.equal(['graph', 'graph', 'graph', 'forget 1', 'graph', 'forget 2']);
  });

  it('is heard where what it says is a reply, as far as can be seen', () => {
    expect(readReply({ kind: 'done', run: 3 })).to.deep.equal({ kind: 'done', run: 3 });
    for (const message of [
      undefined,
      null,
      3,
      'done',
      {},
      { kind: 'done' },
      { kind: 'done', run: 1.5 },
      { kind: 'toString', run: 1 },
    ])
      expect(readReply(message)).to.equal(undefined);
  });
});
