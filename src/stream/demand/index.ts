/**
 * @file Streams that move on demand.
 */
export type { Barrier, Edge, Flow, Sink } from './flow.js';
export type { Bounds } from './bounds.js';
export { pulled, type PullOptions } from './pulled.js';
export { fromObservable, type DropPolicy, type DropStats, type HotOptions } from './from-observable.js';
export { through, type ThroughOptions } from './through.js';
export { fork } from './fork.js';
export { join, type JoinOptions } from './join.js';
export { toObservable } from './to-observable.js';
export { acknowledged, type Acknowledged } from './acknowledged.js';
export { toAsyncIterable } from './to-async-iterable.js';
export { toReadableStream } from './to-readable-stream.js';
export { runStreamAsync, type AsyncConfig, type AsyncStreamStats } from './run-stream-async.js';
