export { run } from './run.js';
export { evaluate, evaluateSync } from './evaluate.js';
export { assign, valueOf, type Frame } from './frame.js';
export type { Middleware, Step, StepContext } from './step.js';
export type { Feed, Feeds, FeedsOf, Outputs, OutputsOf } from './feeds.js';
export type { RunOptions } from './options.js';
export { liveMemory } from './arena.js';
