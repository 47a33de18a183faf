/** @file A strategy is one frozen record, and says no to what makes no sense (F079). */
import { expect } from 'chai';
import { executionStrategy, type ExecutionStrategy } from '../../../src/index.js';
import { thrownBy } from '../../support/thrownBy.js';

const refused = (given: unknown): string => {
  const error = thrownBy(() => executionStrategy(given as ExecutionStrategy));
  expect(error.code).to.equal('E_ARGUMENT');
  return error.message;
};

describe('executionStrategy (F079)', () => {
  it('is frozen, whole, and by default what `run` does on a compiled graph', () => {
    const plain = executionStrategy();
    expect(plain).to.deep.equal({ mode: 'graph', precision: 'float32', memory: 'optimize', parallelism: 'none', gradient: 'none' }); // prettier-ignore
    const deep = executionStrategy({ gradient: { checkpointed: { interval: 3 } } });
    expect([plain, deep, deep.gradient].every((each) => Object.isFrozen(each))).to.equal(true);
    expect(executionStrategy({ mode: undefined })).to.deep.equal(plain);
  });

  it('has five presets, all different, each of which a spread changes', () => {
    const presets = (['training', 'inference', 'memoryEfficient', 'highThroughput', 'debug'] as const).map(executionStrategy);
    expect(new Set(presets.map((each) => JSON.stringify(each))).size).to.equal(5);
    expect(executionStrategy(executionStrategy('debug'))).to.deep.equal(executionStrategy('debug'));
    expect(executionStrategy({ ...executionStrategy('memoryEfficient'), memory: 'pooled' }).memory).to.equal('pooled');
    expect(refused('fastest'))
      .to.match(/preset must be known/)
      .and.contain('memoryEfficient');
  });

  it('refuses fields and values that there are not, those of later precisions and parallelisms too (F081)', () => {
    expect(refused({ speed: 1 })).to.contain('a field must be known');
    expect(refused(null)).to.contain('one object');
    for (const [field, values] of Object.entries({
      mode: ['Graph', 7],
      precision: ['float16', 'bfloat16', 'mixed'],
      memory: ['none'],
      parallelism: ['data', 'model', 'pipeline'],
      gradient: ['checkpointed', {}, null, { checkpointed: { interval: 2 }, accumulated: { steps: 2 } }],
    }))
      for (const value of values) expect(refused({ [field]: value })).to.contain(`${field} has fixed values`);
    for (const interval of [0, 1.5, '2', undefined])
      expect(refused({ gradient: { checkpointed: { interval } } })).to.contain('interval is an integer ≥ 1');
    expect(refused({ gradient: { accumulated: null } })).to.contain('steps is an integer ≥ 1');
  });

  it('refuses what contradicts, naming both fields and the reason', () => {
    const checkpointed = { checkpointed: { interval: 2 } };
    const accumulated = { accumulated: { steps: 2 } };
    const pairs: readonly Partial<ExecutionStrategy>[] = [
      { parallelism: 'auto', mode: 'eager' },
      { parallelism: 'auto', mode: 'lazy' },
      { parallelism: 'auto', memory: 'cached' },
      { parallelism: 'auto', memory: 'minimalPeak' },
      { parallelism: 'auto', gradient: 'eager' },
      { parallelism: 'auto', gradient: checkpointed },
      { mode: 'lazy', memory: 'minimalPeak' },
      { mode: 'lazy', memory: 'pooled' },
      { mode: 'lazy', gradient: 'eager' },
      { gradient: 'eager', memory: 'minimalPeak' },
      { gradient: 'eager', memory: 'pooled' },
      { gradient: accumulated, memory: 'pooled' },
      { gradient: checkpointed, memory: 'cached' },
    ];
    for (const pair of pairs) {
      const message = refused(pair);
      for (const [field, value] of Object.entries(pair))
        expect(message).to.contain(`${field} '${typeof value === 'string' ? value : Object.keys(value)[0]}'`);
    }
  });
});
