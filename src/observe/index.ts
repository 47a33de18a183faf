/**
 * @file What can be seen of runs from outside.
 */
export { calibrate } from './calibrate.js';
export type { ClockOptions } from './clock.js';
export { metrics, type Metrics, type MetricsReport, type Timing } from './metrics.js';
export { progress, type Progress, type ProgressReport } from './progress.js';
