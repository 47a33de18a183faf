/**
 * @file What `compile` can be told.
 */
import { describeValue, fault } from '../../errors/index.js';
import type { Backend } from '../../backends/index.js';
import { checkBackend } from '../../backends/supports.js';
import type { Dims } from '../../ops/dims.js';
import { LEVELS, type Level } from '../../passes/index.js';
import type { Middleware } from '../step.js';

/** What `compile` can be told. Unknown options are E_ARGUMENT. */
export interface CompileOptions {
  /** `'none'`, `'basic'`, `'standard'` (default) or `'aggressive'`. */
  readonly level?: Level;
  /** Whose kernels limit what is fused, and who computes where a run names nobody; the default backend otherwise. */
  readonly backend?: Backend;
  /** Rules may treat numbers as reals; off by default. */
  readonly fastMath?: boolean;
  /** Sizes of inputs by name. The compiled graph is for these alone: a feed of others is E_FEED. */
  readonly shapes?: Readonly<Record<string, Dims>>;
  /** Names of values that stay, to be read with `keep` when it runs. */
  readonly keep?: readonly string[];
  /** Middleware that it will run with: the values that this wants to see stay. */
  readonly use?: readonly Middleware[];
  /** `true` joins nodes into one kernel whatever the level, `false` never does; by default the level decides. */
  readonly fusion?: boolean;
  /** The same for nodes of constants alone. */
  readonly constantFolding?: boolean;
  /** Fills `shapes` and, where sizes are known, the operations and bytes in `statistics`; on by default. */
  readonly shapeInference?: boolean;
  /** Fills `statistics.memoryBytes` where sizes are known; on by default. */
  readonly memoryEstimation?: boolean;
  /** Most bytes of intermediate values and outputs that a frame may hold; none by default. */
  readonly memoryBudget?: number;
  /** A `compilationCache` keeps it and looks it up; on by default. */
  readonly caching?: boolean;
  /** `schedule` has groups that may run at the same time; without, one node a group. On by default. */
  readonly parallelism?: boolean;
  /**
   * In which order nodes run: `'asWritten'` (default), or `'minimizeMemory'`, one after another so that little is held. The second
   * takes known sizes.
   */
  readonly order?: 'asWritten' | 'minimizeMemory';
  /** Milliseconds, for `statistics.timeMs`; `performance.now` by default. */
  readonly clock?: () => number;
}

/** The options with their defaults. */
export interface CompileSettings extends Omit<CompileOptions, 'level' | 'clock' | 'keep' | 'use'> {
  readonly level: Level;
  readonly fastMath: boolean;
  readonly keep: readonly string[];
  readonly use: readonly Middleware[];
  readonly shapeInference: boolean;
  readonly memoryEstimation: boolean;
  readonly caching: boolean;
  readonly parallelism: boolean;
  readonly order: 'asWritten' | 'minimizeMemory';
  readonly clock: () => number;
}

const FLAGS = ['fastMath', 'fusion', 'constantFolding', 'shapeInference', 'memoryEstimation', 'caching', 'parallelism'] as const;
const KNOWN: ReadonlySet<string> = new Set([
  ...['level', 'backend', 'shapes', 'keep', 'use', 'memoryBudget', 'order', 'clock'],
  ...FLAGS,
]);

/** @throws EinstreamError E_ARGUMENT naming the option */
export function readCompileOptions(options: CompileOptions): CompileSettings {
  if (typeof options !== 'object' || options === null) throw wrong('compile', 'options are one object', options);
  const unknown = Object.keys(options).find((key) => !KNOWN.has(key));
  if (unknown !== undefined) throw wrong('options', `an option must be known: ${[...KNOWN].join(', ')}`, unknown);
  for (const flag of FLAGS)
    if (options[flag] !== undefined && typeof options[flag] !== 'boolean')
      throw wrong(flag, 'it is true or false', options[flag]);
  const {
    level = 'standard',
    backend,
    memoryBudget,
    shapes,
    keep = [],
    use = [],
    order = 'asWritten',
    clock = () => performance.now(),
  } = options;
  if (!Object.hasOwn(LEVELS, level)) throw wrong('level', `it is one of ${Object.keys(LEVELS).join(', ')}`, level);
  if (order !== 'asWritten' && order !== 'minimizeMemory') throw wrong('order', "it is 'asWritten' or 'minimizeMemory'", order);
  if (backend !== undefined) checkBackend(backend);
  if (memoryBudget !== undefined && !(typeof memoryBudget === 'number' && memoryBudget >= 0))
    throw wrong('memoryBudget', 'it is a number of bytes ≥ 0', memoryBudget);
  if (shapes !== undefined && (typeof shapes !== 'object' || shapes === null))
    throw wrong('shapes', 'they are sizes by name of input', shapes);
  if (!Array.isArray(keep) || !keep.every((name) => typeof name === 'string')) throw wrong('keep', 'it is a list of names', keep);
  if (!Array.isArray(use) || !use.every((each) => typeof each === 'function'))
    throw wrong('use', 'it is a list of functions', use);
  if (typeof clock !== 'function') throw wrong('clock', 'it is a function that gives milliseconds', clock);
  const { fastMath = false, shapeInference = true, memoryEstimation = true, caching = true, parallelism = true } = options;
  return { ...options, level, fastMath, keep, use, shapeInference, memoryEstimation, caching, parallelism, order, clock };
}

const wrong = (place: string, rule: string, actual: unknown) =>
  fault('E_ARGUMENT', { place, rule, actual: describeValue(actual) });
