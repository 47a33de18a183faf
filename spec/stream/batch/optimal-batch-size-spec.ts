/** @file How large batches should be: measured, and never above a budget (F014). */
import { expect } from 'chai';
import {
  einsum,
  EinstreamError,
  graph,
  input,
  js,
  optimalBatchSize,
  param,
  relu,
  sum,
  tensor,
  zeros,
} from '../../../src/index.js';

const g = graph({ x: input(['n', 64]), w: param(zeros([64, 64])) }, ({ x, w }) => ({ y: relu(einsum('ni,io->no', x, w)) }));
/** A clock by which a batch takes `call` and each of its items `item` ms: the sizes are tried in order, three runs each. */
function clockOf(call: number, item: number): () => number {
  let [now, ticks] = [0, 0];
  return () => {
    if (ticks++ % 2 === 1) now += call + item * 2 ** Math.floor((ticks - 1) / 6);
    return now;
  };
}

describe('optimalBatchSize (F014)', () => {
  it('is the smallest size whose items cost about as little as they can', async () => {
    expect(await optimalBatchSize(g, { clock: clockOf(10, 1), most: 256 })).to.equal(128); // 1 + 10/128 is within 5 % of 1 + 10/256
    expect(await optimalBatchSize(g, { clock: clockOf(0, 1) })).to.equal(1);
    expect(await optimalBatchSize(g, { clock: clockOf(1000, 1), most: 64 })).to.equal(64);
    expect(await optimalBatchSize(g, { clock: () => 0 })).to.equal(1);
  });

  it('fits into the budget, grows with it, and is at least 1', async () => {
    // 64 float32 in, 64 out: 512 bytes an item.
    const budgets = [1, 511, 512, 1023, 1024, 4096, 5000, 1e5, 1e9];
    const sizes: number[] = [];
    for (const memoryBudget of budgets) sizes.push(await optimalBatchSize(g, { memoryBudget, clock: clockOf(1e6, 1), most: 64, run: { backend: js() } })); // prettier-ignore
    expect(sizes).to.deep.equal([1, 1, 1, 1, 2, 8, 8, 64, 64]);
  });

  it('grows with the budget when it is measured in earnest, too', async function () {
    this.timeout(60_000);
    let last = 1;
    for (const memoryBudget of [1, 4096, 65_536, 1e6, 1e8]) {
      const size = await optimalBatchSize(g, { memoryBudget, most: 256 });
      expect(size).to.be.at.least(last);
      if (size > 1) expect(size * 512).to.be.at.most(memoryBudget);
      last = size;
    }
    console.log(`    a layer of 64 × 64: batches of ${last}`);
  });

  it('is 1 for a graph that works across rows', async () => {
    expect(await optimalBatchSize(graph({ x: input(['n', 4]) }, ({ x }) => ({ y: sum(x) })))).to.equal(1);
  });

  it('wants an item where shapes are open, and refuses wrong options', async () => {
    const open = graph({ x: input(['n', 'm']) }, ({ x }) => ({ y: relu(x) }));
    const codeOf = (options: object) =>
      optimalBatchSize(open, options).then(String, (error: unknown) => (error as EinstreamError).code);
    expect(await codeOf({})).to.equal('E_ARGUMENT');
    expect(await codeOf({ item: { x: tensor([[1, 2, 3]]) }, clock: () => 0 })).to.equal('1');
    for (const options of [{ memoryBudget: 0 }, { memoryBudget: NaN }, { most: 0 }, { clock: 3 }, { budget: 3 }])
      expect(await codeOf(options), JSON.stringify(options)).to.equal('E_ARGUMENT');
  });
});
