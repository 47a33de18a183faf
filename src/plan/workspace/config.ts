/**
 * @file What a workspace is told, checked once.
 */
import { describeValue, fault } from '../../errors/index.js';
import { bestFit, exactFit, firstFit, powerOfTwo, type Fit } from '../arena/fit.js';

/** How a workspace grows and chooses. All amounts are bytes. */
export interface WorkspaceConfig {
  /** Taken at once; 1 MiB by default. */
  readonly initial?: number;
  /** Of all memory together; 1 GiB by default. */
  readonly max?: number;
  /** How much larger all memory gets when there is no room, at least; 2 by default. */
  readonly growth?: number;
  /** Which free range a request takes; `'bestFit'` by default. */
  readonly strategy?: Fit['name'];
  /** Whether it grows at all; true by default. */
  readonly autoExpand?: boolean;
  /** Whether free neighbours are joined before it grows, where free memory is in pieces; false by default. */
  readonly defragment?: boolean;
  /** Fragmentation from which that is done, 0 to 1; 0.5 by default. */
  readonly threshold?: number;
  /** Size classes of `'powerOfTwo'`, and of `stats().classes`: from 64 bytes on, each twice as large; 16 by default. */
  readonly buckets?: number;
}

/**
 * For those who do not want to choose: much memory at once, little, or as little as can be at any time.
 *
 * ```ts
 * workspace({ ...WORKSPACE_PRESETS.small, strategy: 'bestFit' }).stats().capacity // => 65536
 * ```
 */
export const WORKSPACE_PRESETS = {
  large: { initial: 64 * 2 ** 20, max: 8 * 2 ** 30, growth: 2, strategy: 'powerOfTwo', buckets: 24 },
  small: { initial: 64 * 2 ** 10, max: 16 * 2 ** 20, growth: 2, strategy: 'firstFit' },
  memoryOptimized: { initial: 64 * 2 ** 10, growth: 1.25, strategy: 'bestFit', defragment: true, threshold: 0.25 },
} as const satisfies Record<string, WorkspaceConfig>;

const DEFAULTS = {
  initial: 2 ** 20,
  max: 2 ** 30,
  growth: 2,
  strategy: 'bestFit',
  autoExpand: true,
  defragment: false,
  threshold: 0.5,
  buckets: 16,
} as const satisfies Required<WorkspaceConfig>;

const FITS: Record<Fit['name'], (buckets: number) => Fit> = {
  bestFit: () => bestFit,
  firstFit: () => firstFit,
  exactFit: () => exactFit,
  powerOfTwo,
};

/** The config in full, and the strategy by itself. @throws EinstreamError E_ARGUMENT naming the field and its range */
export function readConfig(config: WorkspaceConfig): Required<WorkspaceConfig> & { readonly fit: Fit } {
  const unknown = Object.keys(config).find((key) => !Object.hasOwn(DEFAULTS, key));
  if (unknown !== undefined) refuse(unknown, `one of ${Object.keys(DEFAULTS).join(', ')}`, unknown);
  const read: Required<WorkspaceConfig> = { ...DEFAULTS, ...config };
  const { initial, max, growth, strategy, threshold, buckets } = read;
  if (!Number.isSafeInteger(max) || max < 1) refuse('max', 'an integer ≥ 1', max);
  if (!Number.isSafeInteger(initial) || initial < 0 || initial > max) refuse('initial', 'an integer from 0 to max', initial);
  if (!(growth > 1 && growth <= 16)) refuse('growth', 'a number above 1, at most 16', growth);
  if (!Object.hasOwn(FITS, strategy)) refuse('strategy', `one of ${Object.keys(FITS).join(', ')}`, strategy);
  if (!(threshold >= 0 && threshold <= 1)) refuse('threshold', 'a number from 0 to 1', threshold);
  if (!Number.isSafeInteger(buckets) || buckets < 1 || buckets > 32) refuse('buckets', 'an integer from 1 to 32', buckets);
  for (const flag of ['autoExpand', 'defragment'] as const)
    if (typeof read[flag] !== 'boolean') refuse(flag, 'true or false', read[flag]);
  return { ...read, fit: FITS[strategy](buckets) };
}

function refuse(place: string, expected: string, actual: unknown): never {
  throw fault('E_ARGUMENT', { place, rule: 'a field of the config has its range', expected, actual: describeValue(actual) });
}
