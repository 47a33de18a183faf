/** @file Strategies tuned for a goal: rules with reasons, and nothing runs (F083). */
import { expect } from 'chai';
import fc from 'fast-check';
import {
  add,
  executionStrategy,
  exp,
  graph,
  input,
  matmul,
  optimizeForThroughput,
  relu,
  tunedFor,
  type ExecutionStrategy,
  type Graph,
  type Situation,
  type StrategyGoal,
  type StrategyPreset,
} from '../../../src/index.js';
import { requireAgreement } from '../../../src/executor/strategy/contradictions.js';
import { propertyRuns, propertySeed } from '../../support/property.js';
import { thrownBy } from '../../support/thrownBy.js';

const open = graph({ x: input(['n', 8]) }, ({ x }) => ({ y: exp(relu(x)) })) as Graph;
const wide = graph({ x: input([8, 8]) }, ({ x }) => ({ y: add(matmul(x, x), matmul(relu(x), exp(x))) })) as Graph;

const strategies = fc
  .record({
    mode: fc.constantFrom('graph', 'eager', 'jit', 'lazy', 'hybrid'),
    precision: fc.constantFrom('float32', 'float64'),
    memory: fc.constantFrom('standard', 'optimize', 'pooled', 'cached', 'minimalPeak'),
    parallelism: fc.constantFrom('none', 'auto'),
    gradient: fc.constantFrom('none', 'eager', 'full', { checkpointed: { interval: 3 } }, { accumulated: { steps: 2 } }),
  })
  .filter((each) => {
    try {
      requireAgreement(each as ExecutionStrategy);
      return true;
    } catch {
      return false;
    }
  }) as fc.Arbitrary<ExecutionStrategy>;

const situations: fc.Arbitrary<Situation> = fc.record({
  batchSize: fc.constantFrom(1, 63, 64, 1000),
  memoryPressure: fc.constantFrom(0, 0.8, 0.81, 1),
  workers: fc.constantFrom(1, 4),
});

const goals = fc.constantFrom<StrategyGoal>('throughput', 'latency', 'memory');

describe('tunedFor (F083)', () => {
  it('gives for every strategy, goal and situation one without contradictions, that is tuned already', () => {
    fc.assert(
      fc.property(goals, fc.constantFrom(open, wide), strategies, situations, (goal, g, strategy, situation) => {
        const before = JSON.stringify(strategy);
        const { strategy: tuned, changes } = tunedFor(goal, g, strategy, situation);
        expect(executionStrategy(tuned)).to.deep.equal(tuned);
        expect(tunedFor(goal, g, tuned, situation)).to.deep.equal({ strategy: tuned, changes: [] });
        expect(JSON.stringify(strategy)).to.equal(before);
        expect(tuned.precision).to.equal(strategy.precision);
        expect(tuned.gradient === 'none').to.equal(strategy.gradient === 'none');
        for (const field of Object.keys(tuned) as (keyof ExecutionStrategy)[])
          if (JSON.stringify(tuned[field]) !== JSON.stringify(strategy[field]))
            expect(changes.some((change) => change.field === field && change.reason !== '')).to.equal(true);
      }),
      { numRuns: propertyRuns(200, 2000, 20_000), seed: propertySeed() },
    );
  });

  it('checkpoints gradients where memory pressure is above 0.8, and accumulates them from batches of 64', () => {
    const tuned = (situation: Situation) => tunedFor('throughput', wide, 'training', situation).strategy.gradient;
    expect(tuned({ memoryPressure: 0.8 })).to.equal('full');
    expect(tuned({ memoryPressure: 0.81 })).to.deep.equal({ checkpointed: { interval: 3 } });
    expect(tuned({ batchSize: 63 })).to.equal('full');
    expect(tuned({ batchSize: 64 })).to.deep.equal({ accumulated: { steps: 2 } });
    expect(tuned({ batchSize: 200, memoryPressure: 0.9 })).to.have.property('checkpointed');
    expect(tunedFor('throughput', wide, 'inference', { batchSize: 64, memoryPressure: 0.9 }).strategy.gradient).to.equal('none');
  });

  it('chooses mode, memory and parallelism by the goal', () => {
    const tuned = (goal: StrategyGoal, g: Graph, strategy: StrategyPreset, situation?: Situation) => {
      const { mode, memory, parallelism } = tunedFor(goal, g, strategy, situation).strategy;
      return [mode, memory, parallelism];
    };
    expect(tuned('throughput', open, 'debug')).to.deep.equal(['hybrid', 'optimize', 'none']);
    expect(tuned('throughput', open, 'debug', { shapes: { x: [4, 8] } })).to.deep.equal(['graph', 'optimize', 'none']);
    expect(tuned('latency', open, 'training')).to.deep.equal(['jit', 'optimize', 'none']);
    expect(tuned('latency', wide, 'memoryEfficient')).to.deep.equal(['graph', 'optimize', 'none']);
    expect(tuned('throughput', wide, 'inference', { workers: 4 })).to.deep.equal(['graph', 'optimize', 'auto']);
    expect(tuned('memory', wide, 'highThroughput', { workers: 4 })).to.deep.equal(['hybrid', 'minimalPeak', 'none']);
    expect(tuned('memory', open, 'debug')).to.deep.equal(['eager', 'optimize', 'none']);
  });

  it('optimises for throughput under a name of its own', () => {
    expect(optimizeForThroughput(open, 'debug')).to.deep.equal(tunedFor('throughput', open, 'debug'));
  });

  it('refuses goals and situations that make no sense', () => {
    const wrong = (goal: unknown, situation: object) =>
      thrownBy(() => tunedFor(goal as StrategyGoal, open, 'training', situation)).code;
    expect(wrong('speed', {})).to.equal('E_ARGUMENT');
    for (const situation of [{ batchSize: 0 }, { memoryPressure: 1.1 }, { memoryPressure: NaN }, { workers: 1.5 }, { cores: 2 }])
      expect(wrong('latency', situation)).to.equal('E_ARGUMENT');
    expect(
      thrownBy(() =>
        tunedFor(
          'latency',
          graph({}, () => ({})),
          'training',
        ),
      ).code,
    ).not.to.equal('');
  });
});
