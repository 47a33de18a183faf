/**
 * @file The seed's example of a tensor cache, translated and executed.
 */
import { expect } from 'chai';
import { cached, evaluate, exp, graph, input, neg, tensor, tensorCache, type Graph } from '../../src/index.js';
import { counting } from '../support/countingBackend.js';

describe('the cache example of the seed', () => {
  it('E38: a TensorCache, LRU, of 1000 MB: a hit executes nothing', async () => {
    const { backend, taken } = counting();
    const cache = tensorCache({ policy: 'lru', maxMegabytes: 1000 });
    cache.insert('node_1', tensor([1, 2, 3]));
    expect(cache.get('node_1')!.toArray()).to.deep.equal([1, 2, 3]);
    expect(cache.get('node_2')).to.equal(undefined);
    expect(cache.stats()).to.include({ hits: 1, misses: 1, hitRate: 0.5, bytes: 12 });

    const g = graph({ x: input([2]) }, ({ x }) => ({ y: neg(exp(x)) })) as Graph;
    const ask = async () => (await evaluate(g, { x: [0, 0] }, { backend, level: 'none', use: [cached(cache)] })).y.toArray();
    expect(await ask()).to.deep.equal([-1, -1]);
    expect(taken()).to.equal(2);
    expect(await ask()).to.deep.equal([-1, -1]);
    expect(taken()).to.equal(0);
    expect(cache.stats()).to.include({ hits: 3, misses: 3 });
  });
});
