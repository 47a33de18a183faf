/** @file Feeds on their way into a pool: checked before anything is sent, and still the caller's afterwards (P9). */
import { expect } from 'chai';
import { graph, input, mul, ones, param, parseGraph, tensor, wrap } from '../../../src/index.js';
import { follow, settled } from '../../support/poolLedger.js';
import { scriptedPool } from '../../support/scriptedWorkers.js';
import { thrownBy } from '../../support/thrownBy.js';

const g = graph({ x: input(['n', 2]), w: param(ones([2])) }, ({ x, w }) => ({ y: mul(x, w) }));

describe('feeds of a pool (P9)', () => {
  const gone = (): Float32Array => {
    const array = new Float32Array(2);
    structuredClone(array, { transfer: [array.buffer] });
    return array;
  };
  const wrong: Readonly<Record<string, readonly [unknown, string]>> = {
    'no feeds at all': [null, 'E_FEED'],
    'a missing one': [{}, 'E_FEED'],
    'a function': [{ x: () => 1 }, 'E_FEED'],
    'another rank': [{ x: [1, 2] }, 'E_FEED'],
    'another size': [{ x: [[1, 2, 3]] }, 'E_FEED'],
    'a dtype that is stored only': [{ x: tensor(new Uint8Array(2), { shape: [1, 2] }) }, 'E_DTYPE'],
    'a tensor whose buffer was transferred': [
      {
        x: (() => {
          const array = new Float32Array(2);
          const x = wrap(array, { shape: [1, 2] });
          structuredClone(array, { transfer: [array.buffer] });
          return x;
        })(),
      },
      'E_STALE',
    ],
    'a typed array whose buffer was transferred': [{ x: gone() }, 'E_FEED'],
  };
  for (const [what, [feeds, code]] of Object.entries(wrong))
    it(`that are ${what} are refused with ${code}, and counted`, async () => {
      const { pool, lives } = scriptedPool();
      const request = follow(pool, g, feeds as never);
      await settled();
      expect(request.ended?.code).to.equal(code);
      expect(pool.stats()).to.include({ submitted: 1, failed: 1 });
      expect(lives.flatMap(({ orders }) => orders.map(({ kind }) => kind))).to.deep.equal(['start', 'start']);
    });

  it('stay the caller’s: whatever memory they lie in, it is as it was', async () => {
    const { pool } = scriptedPool();
    const own = Float32Array.of(1, 2);
    const shared = new Float32Array(new SharedArrayBuffer(8));
    shared.set([3, 4]);
    const part = new Float32Array(10).subarray(4, 6);
    part.set([5, 6]);
    for (const array of [own, shared, part]) {
      const before = [...array];
      const request = follow(pool, g, { x: wrap(array, { shape: [1, 2] }) });
      await settled();
      expect(request.ended?.outputs?.['y'].toArray()).to.deep.equal([before]);
      expect([...array]).to.deep.equal(before);
      expect(array.buffer.byteLength).to.be.greaterThan(0);
    }
  });

  it('that go stale while they wait fail alone', async () => {
    const { pool, pass } = scriptedPool({ act: () => ({ ms: 10 }) }, { workers: 1 });
    const array = Float32Array.of(1, 2);
    const first = follow(pool, g, { x: [[1, 2]] });
    const second = follow(pool, g, { x: wrap(array, { shape: [1, 2] }) });
    structuredClone(array, { transfer: [array.buffer] });
    pass();
    await settled();
    expect([first.ended?.outputs !== undefined, second.ended?.code]).to.deep.equal([true, 'E_STALE']);
    expect(pool.stats()).to.include({ successful: 1, failed: 1, health: 'ready' });
  });

  it('for a broken graph are refused at the call, with all that is wrong with it', () => {
    const broken = parseGraph(
      '{"tensors": ["x", "y"], "nodes": [{"op": {"ElemUnary": {"op": "rleu"}}, "inputs": [0], "outputs": [1]}], "inputs": [0], "outputs": [1]}',
    );
    const { pool } = scriptedPool();
    for (const call of [() => pool.evaluate(broken, {}), () => pool.run(broken)]) {
      const error = thrownBy(call);
      expect([error.code, error.diagnostic.related.length]).to.deep.equal(['E_OP', 1]);
    }
  });
});
