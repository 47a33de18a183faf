/**
 * @file Running graphs: what users call.
 */
export { run } from './run.js';
export { evaluate, evaluateSync, type EvaluateOptions } from './evaluate.js';
export type { Cancellable } from './cancellable.js';
export { live, type LiveOptions, type Sources } from './live.js';
export { admit, emit, steps } from './steps.js';
export { context, type ContextOptions, type ExecutionContext } from './context.js';
export { logging, type LoggingOptions } from './logging.js';
export type { ExecutionHook, ExecutionPhase, ExecutionState } from './phases.js';
export { assign, backendOf, valueOf, type Frame } from './frame.js';
export { consume } from './consume.js';
export { serialSubject } from './serial-subject.js';
export { liveMemory } from './arena.js';
export { leased } from './leased.js';
export { estimateMemory, type EstimateOptions, type Lifetime, type MemoryEstimate } from './estimate-memory.js';
export type { Footprint } from './footprint.js';
export { rematerialise, type RematerialiseOptions } from './rematerialise.js';
export type { PlacementName } from '../plan/arena/plan.js';
export * from './jit/index.js';
export type { Middleware, Step, StepContext } from './step.js';
export type { Feed, Feeds, FeedsOf, Outputs, OutputsOf } from './feeds.js';
export type { RunOptions } from './options.js';
export { backpropagate, type BackpropagateOptions } from './backpropagate.js';
export { jacobian, type JacobianOptions } from './jacobian.js';
export { taping } from './taping.js';
export * from './compile/index.js';
export * from './cache/index.js';
