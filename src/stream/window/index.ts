/**
 * @file Windows in event time.
 */
export type { Timed } from './timed.js';
export { watermark, type WatermarkOptions, type WatermarkState } from './watermark.js';
export { mergeTimed, type MergeState } from './merge-timed.js';
export { window, type WindowOptions } from './window.js';
export type { WindowKind } from './kind.js';
export type { Late, Windowed } from './engine.js';
export type { OpenWindow, Span, WindowState } from './state.js';
