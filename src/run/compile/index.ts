/**
 * @file Compiling once and running often: what users call.
 */
export { compile } from './compile.js';
export type { CompileOptions } from './options.js';
export { measureSpeedup, type MeasuredSpeedup, type MeasureOptions } from './measure-speedup.js';
export type { CompiledGraph, CompileStatistics } from '../compiled.js';
export { compilationKey } from './key.js';
export { compilationCache } from './cache.js';
export type { CompilationCache, CompilationCacheOptions, CompilationCacheStats } from './cache-options.js';
export { serializeCompiled } from './serialize.js';
export { parseCompiled, type ParseCompiledOptions } from './parse.js';
