/**
 * @file `executionStrategy`: in one frozen record, how graphs are to be computed.
 */
import { describeValue, fault } from '../../errors/index.js';
import { requireAgreement } from './contradictions.js';
import { PRESETS, type StrategyPreset } from './presets.js';

/** When code is made, and when nodes run. Values are the same in all. */
export type ExecutionMode = 'graph' | 'eager' | 'jit' | 'lazy' | 'hybrid';
/** What is held, and for how long. */
export type MemoryStrategy = 'standard' | 'optimize' | 'pooled' | 'cached' | 'minimalPeak';
/** How gradients are computed. */
export type GradientStrategy =
  | 'none'
  | 'eager'
  | 'full'
  | { readonly checkpointed: { readonly interval: number } }
  | { readonly accumulated: { readonly steps: number } };

/** How graphs are computed: see `withStrategy`, which does so. */
export interface ExecutionStrategy {
  /**
   * `'graph'` (default): compiled as a whole before it runs. `'eager'`: node by node when it is called, with no code made for it.
   * `'jit'`: interpreted first, code is made for what runs often. `'lazy'`: each output is computed when it is read. `'hybrid'`: as
   * `'graph'` where the sizes of all values are known beforehand, as `'jit'` where they are not.
   */
  readonly mode: ExecutionMode;
  /** `'float32'` (default): as the graph says. `'float64'`: what it says to be float32 is computed, and given, in float64. */
  readonly precision: 'float32' | 'float64';
  /**
   * `'standard'`: values of one size share buffers. `'optimize'` (default): they are laid out, and overwritten, so that they need least.
   * `'pooled'`: outputs lie in memory of a pool, to which they are given back. `'cached'`: what was computed of equal values is not
   * computed again. `'minimalPeak'`: nodes are ordered, and cheap values computed again, so that the worst moment holds least.
   */
  readonly memory: MemoryStrategy;
  /** `'none'` (default): on this thread. `'auto'`: independent parts on a pool at the same time, at most one for each processor. */
  readonly parallelism: 'none' | 'auto';
  /**
   * `'none'` (default): not at all. `'eager'`: over the record of a run. `'full'`: a graph that keeps all values. `checkpointed` keeps each
   * `interval`-th value alone, and computes the others again. `accumulated` gives the mean over `steps` feeds.
   */
  readonly gradient: GradientStrategy;
}

const CHOICES = {
  mode: ['graph', 'eager', 'jit', 'lazy', 'hybrid'],
  precision: ['float32', 'float64'],
  memory: ['standard', 'optimize', 'pooled', 'cached', 'minimalPeak'],
  parallelism: ['none', 'auto'],
  gradient: ['none', 'eager', 'full', '{ checkpointed: { interval } }', '{ accumulated: { steps } }'],
} as const satisfies Record<keyof ExecutionStrategy, readonly string[]>;

const DEFAULTS: ExecutionStrategy = {
  mode: 'graph',
  precision: 'float32',
  memory: 'optimize',
  parallelism: 'none',
  gradient: 'none',
};

/**
 * A strategy: a preset, or fields. To change a preset, spread it.
 *
 * ```ts
 * executionStrategy('inference') // => { mode: 'hybrid', precision: 'float32', memory: 'optimize', parallelism: 'none', gradient: 'none' }
 * executionStrategy({ ...executionStrategy('training'), gradient: { accumulated: { steps: 4 } } }).gradient // => { accumulated: { steps: 4 } }
 * executionStrategy({ mode: 'lazy', parallelism: 'auto' }) // => throws E_ARGUMENT
 * ```
 *
 * @param given `'training'`: graphs of gradients, compiled. `'inference'`: no gradients, code at once or when it pays. `'memoryEfficient'`: least
 *   memory at the worst moment, few values kept for gradients. `'highThroughput'`: parts on a pool, gradients over several feeds.
 *   `'debug'`: node by node in float64, gradients over the record
 * @throws EinstreamError E_ARGUMENT for a field that is unknown or has another value, and for two that contradict one another
 */
export function executionStrategy(given: StrategyPreset | Partial<ExecutionStrategy> = {}): ExecutionStrategy {
  const strategy: ExecutionStrategy = { ...DEFAULTS, ...(typeof given === 'string' ? preset(given) : fields(given)) };
  for (const field of ['mode', 'precision', 'memory', 'parallelism'] as const)
    if (!(CHOICES[field] as readonly unknown[]).includes(strategy[field])) throw wrong(field, strategy[field]);
  const read = { ...strategy, gradient: gradientOf(strategy.gradient) };
  requireAgreement(read);
  return Object.freeze(read);
}

function preset(name: string): Partial<ExecutionStrategy> {
  if (Object.hasOwn(PRESETS, name)) return PRESETS[name as StrategyPreset];
  throw fault('E_ARGUMENT', {
    place: 'executionStrategy',
    rule: 'the preset must be known',
    expected: Object.keys(PRESETS).join(', '),
    actual: describeValue(name),
  });
}

function fields(given: unknown): Partial<ExecutionStrategy> {
  if (typeof given !== 'object' || given === null)
    throw fault('E_ARGUMENT', { place: 'executionStrategy', rule: 'a strategy is one object, or the name of a preset', actual: describeValue(given) }); // prettier-ignore
  const unknown = Object.keys(given).find((field) => !Object.hasOwn(CHOICES, field));
  if (unknown === undefined) return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  throw fault('E_ARGUMENT', {
    place: 'executionStrategy',
    rule: 'a field must be known',
    expected: Object.keys(CHOICES).join(', '),
    actual: describeValue(unknown),
  });
}

function gradientOf(given: unknown): GradientStrategy {
  if (given === 'none' || given === 'eager' || given === 'full') return given;
  const [kind, ...others] = typeof given === 'object' && given !== null ? Object.keys(given) : [];
  if (others.length > 0) throw wrong('gradient', given);
  if (kind === 'checkpointed')
    return Object.freeze({ checkpointed: Object.freeze({ interval: count(given, 'checkpointed', 'interval') }) });
  if (kind === 'accumulated')
    return Object.freeze({ accumulated: Object.freeze({ steps: count(given, 'accumulated', 'steps') }) });
  throw wrong('gradient', given);
}

function count(given: unknown, kind: string, name: string): number {
  const inside: unknown = (given as Readonly<Record<string, unknown>>)[kind];
  const value: unknown = (inside as Readonly<Record<string, unknown>> | null | undefined)?.[name];
  if (Number.isSafeInteger(value) && (value as number) >= 1) return value as number;
  throw fault('E_ARGUMENT', { place: `gradient.${kind}`, rule: `${name} is an integer ≥ 1`, actual: describeValue(value) });
}

const wrong = (field: keyof typeof CHOICES, actual: unknown) =>
  fault('E_ARGUMENT', {
    place: field,
    rule: `${field} has fixed values`,
    expected: CHOICES[field].join(', '),
    actual: describeValue(actual),
  });
