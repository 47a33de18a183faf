export { levelsOf } from './levels.js';
export { schedule } from './schedule.js';
export type { CriticalPath, Schedule, ScheduleOptions, SchedulingStrategy } from './types.js';
