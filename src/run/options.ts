/**
 * @file What `run` and its relatives can be told.
 */
import { describeValue, fault, type Diagnostic } from '../errors/index.js';
import type { Backend } from '../backends/index.js';
import { checkBackend } from '../backends/supports.js';
import { LEVELS, type Level } from '../passes/index.js';
import { PLACEMENTS, type PlacementName } from '../plan/arena/plan.js';
import { checkContext, type ExecutionContext } from './context.js';
import type { Middleware } from './step.js';

/** What `run`, `evaluate`, `evaluateSync` and `steps` can be told. Unknown options are E_ARGUMENT. */
export interface RunOptions {
  /**
   * Who computes. By default `wasm` on one thread, where WebAssembly SIMD may be used and feeds of these shapes give it enough
   * to do to repay the copying; `js` elsewhere. `backendOf(frame)` tells which. Both are within an op's tolerance of another.
   */
  readonly backend?: Backend;
  /**
   * `'none'` the graph as given, `'basic'` without dead nodes, `'standard'` (default) with equal values computed once and elementwise
   * ops fused, `'aggressive'` with constants folded and algebra simplified as well.
   */
  readonly level?: Level;
  /** Wraps each step, the first outermost. A wrapped step stays an operator of its own. */
  readonly use?: readonly Middleware[];
  /** Names of values to give beside the outputs. */
  readonly keep?: readonly string[];
  /** `'copy'` (default): outputs are the consumer's. `'borrow'`: they can be read until its `next` returns, later reads are E_STALE. */
  readonly outputs?: 'copy' | 'borrow';
  /** `'segments'` (default) joins plain steps into loops; `'separate'` makes each step an operator of its own. */
  readonly compose?: 'segments' | 'separate';
  /** `'safe'` (default): an elementwise result may lie where an intermediate value ends that it was made from. `'none'`: never. */
  readonly inPlace?: 'safe' | 'none';
  /**
   * At level `'aggressive'`, rules may treat numbers as reals: x − x is 0 and x · 0 too, x / c is x · (1/c). Off by default: NaN, −0 and
   * the infinities then come out as they do at `'none'`.
   */
  readonly fastMath?: boolean;
  /**
   * Where intermediate values lie. `'auto'` (default) takes what needs least memory: buffers that values of one size share, or
   * one arena; `'exactFit'` the first. The others place values at offsets in an arena, in the order in which they are made:
   * each in the smallest range that is free (`'bestFit'`) or the lowest (`'firstFit'`), `'powerOfTwo'` after rounding sizes.
   * Where middleware sees values, each has a buffer of its own.
   */
  readonly placement?: PlacementName;
  /**
   * Most bytes that one frame may hold: feeds, params, intermediate values and outputs, as `estimateMemory` counts them. More is
   * E_OOM before any is allocated. Without it the limit is 16 GiB, and more is E_LIMIT.
   */
  readonly memoryLimit?: number;
  /** What the backend cannot run, `'js'` (default) runs, and `onDiagnostic` hears of it; with `'never'` it is an error. */
  readonly fallback?: 'js' | 'never';
  /** Follows each run: phases, progress and hooks. See `context`. */
  readonly context?: ExecutionContext;
  /** Hears what is odd but no fault, such as a feed that no input takes. Once for each name, and at most 100. */
  readonly onDiagnostic?: (diagnostic: Diagnostic) => void;
}

/** The options with their defaults. */
export interface Settings {
  readonly level: Level;
  readonly use: readonly Middleware[];
  readonly keep: readonly string[];
  readonly outputs: 'copy' | 'borrow';
  readonly compose: 'segments' | 'separate';
  readonly fallback: 'js' | 'never';
  readonly inPlace: 'safe' | 'none';
  readonly fastMath: boolean;
  readonly placement: PlacementName;
  readonly memoryLimit: number | undefined;
  readonly context: ExecutionContext | undefined;
  readonly onDiagnostic: ((diagnostic: Diagnostic) => void) | undefined;
}

const KNOWN: ReadonlySet<string> = new Set([
  'backend',
  'level',
  'use',
  'keep',
  'outputs',
  'compose',
  'fallback',
  'inPlace',
  'fastMath',
  'placement',
  'memoryLimit',
  'context',
  'onDiagnostic',
]);

/** Reads options once. @throws EinstreamError E_ARGUMENT naming the option and its choices */
export function readSettings(options: RunOptions): Settings {
  for (const key of Object.keys(options)) {
    if (!KNOWN.has(key))
      throw fault('E_ARGUMENT', {
        place: 'options',
        rule: `option ${JSON.stringify(key.slice(0, 40))} is unknown`,
        expected: [...KNOWN].join(', '),
      });
  }
  const { use = [], keep = [], backend, context, fastMath = false, onDiagnostic, memoryLimit } = options;
  if (memoryLimit !== undefined && !(Number.isSafeInteger(memoryLimit) && memoryLimit > 0))
    throw fault('E_ARGUMENT', {
      place: 'memoryLimit',
      rule: 'memoryLimit is a count of bytes, an integer ≥ 1',
      actual: describeValue(memoryLimit),
    });
  if (backend !== undefined) checkBackend(backend);
  if (context !== undefined) checkContext(context);
  if (onDiagnostic !== undefined && typeof onDiagnostic !== 'function')
    throw fault('E_ARGUMENT', { place: 'onDiagnostic', rule: 'onDiagnostic is a function' });
  if (typeof fastMath !== 'boolean')
    throw fault('E_ARGUMENT', { place: 'fastMath', rule: 'fastMath is true or false', actual: JSON.stringify(fastMath) });
  if (!Array.isArray(use) || !use.every((each) => typeof each === 'function'))
    throw fault('E_ARGUMENT', { place: 'use', rule: 'middleware is a list of functions' });
  if (!Array.isArray(keep) || !keep.every((each) => typeof each === 'string'))
    throw fault('E_ARGUMENT', { place: 'keep', rule: 'keep is a list of names' });
  return {
    level: choice('level', options.level, Object.keys(LEVELS) as Level[], 'standard'),
    use: [...use],
    keep: [...keep],
    outputs: choice('outputs', options.outputs, ['copy', 'borrow'], 'copy'),
    compose: choice('compose', options.compose, ['segments', 'separate'], 'segments'),
    fallback: choice('fallback', options.fallback, ['js', 'never'], 'js'),
    inPlace: choice('inPlace', options.inPlace, ['safe', 'none'], 'safe'),
    fastMath,
    placement: choice('placement', options.placement, PLACEMENTS, 'auto'),
    memoryLimit,
    context,
    onDiagnostic,
  };
}

function choice<T extends string>(option: string, value: T | undefined, choices: readonly T[], fallback: T): T {
  if (value === undefined) return fallback;
  if (choices.includes(value)) return value;
  throw fault('E_ARGUMENT', {
    place: option,
    rule: 'the option has a fixed set of values',
    expected: choices.map((each) => `'${each}'`).join(' or '),
    actual: JSON.stringify(value),
  });
}
