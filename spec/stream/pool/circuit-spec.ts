/** @file A graph that takes its workers with it is refused for a time. */
import { expect } from 'chai';
import { graph, input, mul } from '../../../src/index.js';
import { follow, settled } from '../../support/poolLedger.js';
import { codes, setUp } from '../../support/scriptedRequests.js';
import type { Script } from '../../support/scriptedWorkers.js';

const tripled = graph({ x: input([]) }, ({ x }) => ({ y: mul(x, 3) }));

describe('a graph that takes its workers with it (P10)', () => {
  const poison: Script = { act: ({ feeds }) => ({ ms: 1, how: feeds['x'].toArray() === 666 ? 'die' : 'answer' }) };

  it('fails after its attempts, while others are answered; then it is refused for a time, then tried once', async () => {
    const { pool, pass, ask } = setUp(poison, { retry: { delayMs: 1 } });
    const first = [ask(666), ask(666)];
    const healthy = Array.from({ length: 20 }, (_, x) => follow(pool, tripled, { x }));
    pass(400);
    await settled();
    expect(codes(first)).to.deep.equal(['E_WORKER_LOST', 'E_WORKER_LOST']);
    expect(codes(healthy).every((code) => code === 'answer')).to.equal(true);
    const lost = pool.stats().lost;
    expect(lost).to.be.within(5, 6);
    const refused = ask(1);
    await settled();
    expect((refused.ended?.error as Error).message).to.match(/^E?.*circuit.*refused for a time/);
    expect(pool.stats().lost).to.equal(lost);
    pass(1000);
    const [probe, beside] = [ask(1), ask(2)];
    await settled();
    expect(codes([beside])).to.deep.equal(['E_WORKER_LOST']);
    pass(10);
    await settled();
    expect(codes([probe])).to.deep.equal(['answer']);
    const after = ask(3);
    pass(10);
    await settled();
    expect(codes([after])).to.deep.equal(['answer']);
  });

  it('is refused again when the try fails', async () => {
    const { pool, pass, ask } = setUp(poison, { circuit: { losses: 2, resetMs: 500 }, retry: { attempts: 1 } });
    ask(666);
    pass(1);
    ask(666);
    pass(1);
    pass(500);
    const probe = ask(666);
    pass(1);
    const after = ask(1);
    await settled();
    expect(codes([probe, after])).to.deep.equal(['E_WORKER_LOST', 'E_WORKER_LOST']);
    expect(pool.stats().lost).to.equal(3);
  });
});
