/**
 * @file Code for what runs often.
 */
export { jit, type JitBackend } from './jit.js';
export type { JitConfig } from '../../backends/jit/config.js';
export type { JitStats } from '../../backends/jit/stats.js';
export { hotPaths, type HotPath, type HotPathOptions, type HotPaths } from '../../backends/jit/hot-paths.js';
