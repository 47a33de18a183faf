/**
 * @file How a just-in-time tier is set up: each field with its default, checked once.
 */
import { describeValue, fault, type EinstreamError } from '../../errors/index.js';
import { LEVELS, type Level } from '../../passes/index.js';

/** When code is made, how much of it is kept, and when it is given up again. */
export interface JitConfig {
  /** Runs of a path (a graph with feeds of the same types) that are interpreted before code is made for it; 10 by default. */
  readonly hotPathThreshold?: number;
  /** Most paths that have code, 1000 by default; the one that was not run for longest goes first. */
  readonly maxCacheSize?: number;
  /** Most bytes of them together, 256 MiB by default: intermediate values of one frame, and 4 KiB for each node. */
  readonly maxCacheBytes?: number;
  /** The level that is interpreted, and that of generic code; `'basic'` by default. */
  readonly initialLevel?: Level;
  /** The level of code for hot paths, not below the other; `'aggressive'` by default. */
  readonly hotLevel?: Level;
  /**
   * Shapes are told apart, and inputs that never change; the default. With false the runs of all shapes count together, and each
   * shape gets code.
   */
  readonly specialization?: boolean;
  /** Most shapes of one graph that get code of their own, with constant inputs too, 5 by default; further ones run generic code. */
  readonly maxSpecializations?: number;
  /** Code is measured; a level is kept only where it is quicker than the one below, as are constant inputs. True by default. */
  readonly adaptive?: boolean;
  /** Runs that are measured, and whose inputs are compared, before each decision; 100 by default. */
  readonly profilingWindow?: number;
  /** A graph whose shapes vary too much gives up its specialised code, a path whose constant inputs change those; true by default. */
  readonly deoptimization?: boolean;
  /** Runs of hot shapes without code of their own, or with other inputs than the code's constants, before it does; 1 by default. */
  readonly deoptimizationThreshold?: number;
  /** Milliseconds, never running back; `performance.now` by default. */
  readonly clock?: () => number;
}

const DEFAULTS: Required<JitConfig> = {
  hotPathThreshold: 10,
  maxCacheSize: 1000,
  maxCacheBytes: 2 ** 28,
  initialLevel: 'basic',
  hotLevel: 'aggressive',
  specialization: true,
  maxSpecializations: 5,
  adaptive: true,
  profilingWindow: 100,
  deoptimization: true,
  deoptimizationThreshold: 1,
  clock: () => performance.now(),
};

/** From the least to the most. */
export const LEVEL_NAMES: readonly Level[] = Object.keys(LEVELS) as Level[];

const wrong = (place: string, rule: string, actual: unknown, expected?: string): EinstreamError =>
  fault('E_ARGUMENT', { place, rule, actual: describeValue(actual), ...(expected === undefined ? {} : { expected }) });

/** @throws EinstreamError E_ARGUMENT for a field that is unknown, or outside its range */
export function readConfig(given: JitConfig): Required<JitConfig> {
  if (typeof given !== 'object' || given === null) throw wrong('jit', 'the configuration is one object', given);
  const fields = Object.entries(given).filter(([, value]) => value !== undefined);
  const config: Required<JitConfig> = { ...DEFAULTS, ...Object.fromEntries(fields) };
  for (const [field, value] of fields) {
    const byDefault: unknown = (DEFAULTS as Readonly<Record<string, unknown>>)[field];
    if (!Object.hasOwn(DEFAULTS, field)) throw wrong('jit', 'a field must be known', field, Object.keys(DEFAULTS).join(', '));
    if (typeof value !== typeof byDefault) throw wrong(field, `it is a ${typeof byDefault}`, value);
    if (typeof value === 'number' && !(Number.isSafeInteger(value) && value >= 1))
      throw wrong(field, 'it is an integer ≥ 1', value);
    if (typeof value === 'string' && !LEVEL_NAMES.includes(value as Level))
      throw wrong(field, 'it is a level', value, LEVEL_NAMES.join(', '));
  }
  if (LEVEL_NAMES.indexOf(config.hotLevel) < LEVEL_NAMES.indexOf(config.initialLevel))
    throw wrong(
      'hotLevel',
      'hot code is not optimised less than what is interpreted',
      config.hotLevel,
      `from ${config.initialLevel}`,
    );
  return config;
}
