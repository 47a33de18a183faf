export { runScheduled, type ScheduledOptions } from './run-scheduled.js';
export type { CostModel, ScheduledStage, Task } from './stages.js';
