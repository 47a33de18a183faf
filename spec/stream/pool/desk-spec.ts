/** @file Requests of a pool in virtual time: routing, the line, deadlines, losses and retries. */
import { expect } from 'chai';
import { graph, input, mul } from '../../../src/index.js';
import { expectBalanced, follow } from '../../support/poolLedger.js';
import { scriptedPool } from '../../support/scriptedWorkers.js';

const doubled = graph({ x: input([]) }, ({ x }) => ({ y: mul(x, 2) }));
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('a pool', () => {
  it('answers', async () => {
    const { pool, pass } = scriptedPool({ act: () => ({ ms: 5 }) });
    const all = [1, 2, 3].map((x) => follow(pool, doubled, { x }));
    expectBalanced(pool);
    pass();
    await turn();
    expect(all.map(({ ended }) => ended?.outputs?.['y']?.toArray())).to.deep.equal([2, 4, 6]);
    console.log(pool.stats());
    expectBalanced(pool);
  });
});
