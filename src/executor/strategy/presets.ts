/**
 * @file Strategies that have a name.
 */
import type { ExecutionStrategy } from './strategy.js';

/** The names of presets: see `executionStrategy`. */
export type StrategyPreset = 'training' | 'inference' | 'memoryEfficient' | 'highThroughput' | 'debug';

/** What is not given is as by default. */
export const PRESETS: Readonly<Record<StrategyPreset, Partial<ExecutionStrategy>>> = {
  training: { gradient: 'full' },
  inference: { mode: 'hybrid' },
  memoryEfficient: { memory: 'minimalPeak', gradient: { checkpointed: { interval: 4 } } },
  highThroughput: { mode: 'hybrid', parallelism: 'auto', gradient: { accumulated: { steps: 4 } } },
  debug: { mode: 'eager', precision: 'float64', memory: 'standard', gradient: 'eager' },
};
