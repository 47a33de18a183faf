/** @file Options of pools, checked at the call. */
import { expect } from 'chai';
import { executorPool, type PoolOptions } from '../../../src/index.js';

describe('options of a pool', () => {
  const refusalOf = (options: object): Promise<unknown> =>
    executorPool(options as PoolOptions).then(
      () => 'none',
      (error: unknown) => error,
    );

  it('that are unknown or out of range are E_ARGUMENT', async () => {
    const wrong: readonly object[] = [
      { workers: 0 },
      { workers: 1.5 },
      { maxQueue: -1 },
      { timeoutMs: NaN },
      { kind: 'fibre' },
      { backend: 'gpu' },
      { retry: { attempts: 0 } },
      { retry: { tries: 3 } },
      { circuit: { losses: 0 } },
      { memoryMb: Infinity },
      { degrade: 'always' },
      { clock: 3 },
      { scheduler: {} },
      { sript: 'x' },
      { script: 3 },
    ];
    for (const options of wrong) {
      const error = await refusalOf(options);
      expect(error, JSON.stringify(options)).to.have.property('code', 'E_ARGUMENT');
    }
  });
});
