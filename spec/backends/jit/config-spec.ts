/** @file The configuration of a just-in-time tier: defaults, and what is refused. */
import { expect } from 'chai';
import { jit, js, wasm } from '../../../src/index.js';
import { readConfig } from '../../../src/backends/jit/config.js';
import { thrownBy } from '../../support/thrownBy.js';

describe('the configuration of jit (F036)', () => {
  it('has these defaults', () => {
    const { clock, ...rest } = readConfig({});
    expect(rest).to.deep.equal({
      hotPathThreshold: 10,
      maxCacheSize: 1000,
      maxCacheBytes: 2 ** 28,
      initialLevel: 'basic',
      hotLevel: 'aggressive',
      specialization: true,
      maxSpecializations: 5,
      adaptive: true,
      profilingWindow: 100,
      deoptimization: true,
      deoptimizationThreshold: 1,
    });
    expect(clock()).to.be.a('number');
    expect(readConfig({ hotPathThreshold: undefined }).hotPathThreshold).to.equal(10);
  });

  it('takes each field alone', () => {
    expect(readConfig({ initialLevel: 'none', hotLevel: 'standard', adaptive: false, maxCacheSize: 3 })).to.include({
      initialLevel: 'none',
      hotLevel: 'standard',
      adaptive: false,
      maxCacheSize: 3,
      hotPathThreshold: 10,
    });
  });

  for (const [config, place] of [
    [{ hotPathThreshold: 0 }, 'hotPathThreshold'],
    [{ hotPathThreshold: 2.5 }, 'hotPathThreshold'],
    [{ maxCacheSize: '9' }, 'maxCacheSize'],
    [{ maxCacheBytes: Infinity }, 'maxCacheBytes'],
    [{ initialLevel: 'fast' }, 'initialLevel'],
    [{ hotLevel: 'none' }, 'hotLevel'],
    [{ hotLevel: 3 }, 'hotLevel'],
    [{ specialization: 1 }, 'specialization'],
    [{ maxSpecializations: -5 }, 'maxSpecializations'],
    [{ adaptive: 'yes' }, 'adaptive'],
    [{ profilingWindow: NaN }, 'profilingWindow'],
    [{ deoptimization: null }, 'deoptimization'],
    [{ deoptimizationThreshold: 0 }, 'deoptimizationThreshold'],
    [{ clock: 5 }, 'clock'],
    [{ hotPathTreshold: 10 }, 'hotPathTreshold'],
    [{ toString: 10 }, 'toString'],
    [null, 'jit'],
    ['fast', 'jit'],
  ] as const)
    it(`refuses ${JSON.stringify(config)}`, () => {
      const error = thrownBy(() => jit(js(), config as never));
      expect(error.code).to.equal('E_ARGUMENT');
      expect(error.message).to.contain(place);
    });

  it('refuses a backend that is none, a promise of one, and a jit', () => {
    for (const backend of [{}, null, wasm(), jit(js())])
      expect(thrownBy(() => jit(backend as never)).code).to.equal('E_ARGUMENT');
  });
});
