/**
 * @file What `checkGradients` can be told, and its presets.
 */
import type { Backend } from '../../backends/index.js';
import { describeValue, fault } from '../../errors/index.js';

/** How a slope is estimated; the error of each is that power of the step. */
export type DifferenceMethod = 'forward' | 'central' | 'fourthOrder' | 'richardson';

/** How gradients are checked. */
export interface CheckOptions {
  /** `'strict'`: Richardson with a step of 1e-3, to 1e-6. `'relaxed'`: to 1e-2. `'quick'`: forward, 16 elements of each at most. */
  readonly preset?: 'strict' | 'relaxed' | 'quick';
  /** Outputs that are differentiated, all weighted by fixed numbers and summed; by default all that are floating. */
  readonly of?: readonly string[];
  /** By what: by default all floating inputs and params. */
  readonly wrt?: readonly string[];
  /** First order in the step (`forward`), second (`central`, the default), fourth (`fourthOrder`, `richardson`). */
  readonly method?: DifferenceMethod;
  /** The step, relative to elements larger than 1; 1e-5 by default. */
  readonly eps?: number;
  /** How far apart the two may be, relative to the larger; 1e-3 by default. */
  readonly rel?: number;
  /** How far apart they may be at all; 1e-5 by default. */
  readonly abs?: number;
  /** How many differences the report lists; 10 by default. */
  readonly report?: number;
  /** How many elements of each are checked; all by default. */
  readonly elements?: number;
  /** Who computes; `js` by default. */
  readonly backend?: Backend;
}

/** The options with their defaults. */
export type CheckSettings = Required<Omit<CheckOptions, 'preset' | 'of' | 'wrt' | 'backend'>> &
  Pick<CheckOptions, 'of' | 'wrt' | 'backend'>;

const USUAL: Omit<CheckSettings, 'of' | 'wrt' | 'backend'> = {
  method: 'central',
  eps: 1e-5,
  rel: 1e-3,
  abs: 1e-5,
  report: 10,
  elements: Infinity,
};
const PRESETS: Readonly<Record<NonNullable<CheckOptions['preset']>, Partial<CheckSettings>>> = {
  strict: { method: 'richardson', eps: 1e-3, rel: 1e-6, abs: 1e-8 },
  relaxed: { eps: 1e-4, rel: 1e-2, abs: 1e-4 },
  quick: { method: 'forward', eps: 1e-6, rel: 1e-2, abs: 1e-4, elements: 16 },
};
const METHODS: readonly unknown[] = ['forward', 'central', 'fourthOrder', 'richardson'];
const KNOWN = ['preset', 'of', 'wrt', 'backend', ...Object.keys(USUAL)];

const wrong = (rule: string, actual: unknown) =>
  fault('E_ARGUMENT', { place: 'checkGradients', rule, actual: describeValue(actual) });

/** @throws EinstreamError E_ARGUMENT for an unknown option, preset or method, and for a step or tolerance that is no positive number */
export function readCheckOptions(options: CheckOptions): CheckSettings {
  if (typeof options !== 'object' || options === null) throw wrong('options are one object', options);
  const unknown = Object.keys(options).find((key) => !KNOWN.includes(key));
  if (unknown !== undefined) throw wrong(`an option must be known: ${KNOWN.join(', ')}`, unknown);
  const { preset, ...own } = options;
  if (preset !== undefined && !Object.hasOwn(PRESETS, preset))
    throw wrong(`a preset is one of ${Object.keys(PRESETS).join(', ')}`, preset);
  const given = Object.fromEntries(Object.entries(own).filter(([, value]) => value !== undefined));
  const settings: CheckSettings = { ...USUAL, ...(preset === undefined ? {} : PRESETS[preset]), ...given };
  if (!METHODS.includes(settings.method)) throw wrong(`a method is one of ${METHODS.join(', ')}`, settings.method);
  for (const key of ['eps', 'rel', 'abs', 'report', 'elements'] as const)
    if (!(typeof settings[key] === 'number' && settings[key] > 0)) throw wrong(`${key} is a positive number`, settings[key]);
  return settings;
}
