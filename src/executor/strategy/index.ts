/**
 * @file How graphs are computed, as one record.
 */
export { executionStrategy, type ExecutionMode, type ExecutionStrategy, type GradientStrategy, type MemoryStrategy } from './strategy.js'; // prettier-ignore
export type { StrategyPreset } from './presets.js';
export type { StrategyOptions } from './options.js';
export { withStrategy, type Strategised, type StrategyRun } from './with-strategy.js';
export { optimizeForThroughput, tunedFor, type Situation, type StrategyChange, type StrategyGoal, type TunedStrategy } from './tuned-for.js'; // prettier-ignore
