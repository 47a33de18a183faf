/**
 * @file What a planner can be told, and what it does where it is told nothing.
 */
import { fault } from '../../errors/index.js';
import type { Dims } from '../../ops/dims.js';
import { FUSION_COSTS, readCosts, type FusionCostModel } from '../../plan/fusionCosts.js';
import { FUSION_PATTERNS, type FusionPattern } from './patterns.js';

/**
 * Which groups are joined, of those that can be: `'conservative'`, those that save a third of their cost; `'balanced'`, those that
 * save `minBenefit` of it; `'aggressive'`, all, and contractions are merged, which may change the last places; `'memoryAware'`, of the balanced ones those that let fewer bytes live at some step and
 * more at none, so that the peak does not rise while nodes are executed in the same order.
 */
export type FusionStrategy = 'conservative' | 'balanced' | 'aggressive' | 'memoryAware';

/** How far groups may grow, and on what they are judged. */
export interface FusionLimits {
  /** Most nodes that read each other in turn within a group, from 1; 3 by default. */
  readonly maxDepth?: number;
  /** Most nodes of a group, from 1; 8 by default. */
  readonly maxSize?: number;
  /** Most values that a group reads from outside, from 1; any number by default. A backend says what its kernels can read. */
  readonly maxOperands?: number;
  /** Shapes of inputs by name, for costs; a size that is not known counts as 64. */
  readonly shapes?: Readonly<Record<string, Dims>>;
  /** What kernels cost; `FUSION_COSTS` by default, `calibrate` measures others. */
  readonly costs?: FusionCostModel;
  /** Names of values that stay, beside the outputs. */
  readonly keep?: readonly string[];
}

/** Limits, and which of the groups within them are joined. */
export interface FusionConfig extends FusionLimits {
  /** `'balanced'` by default. */
  readonly strategy?: FusionStrategy;
  /** Share of its cost that a group must save, from 0 to 1; 0.1 by default. */
  readonly minBenefit?: number;
  /** Only groups that hold one of these; any by default. */
  readonly patterns?: readonly FusionPattern[];
}

export type ReadConfig = Required<Omit<FusionConfig, 'patterns'>> & Pick<FusionConfig, 'patterns'>;

const STRATEGIES: readonly FusionStrategy[] = ['conservative', 'balanced', 'aggressive', 'memoryAware'];

/** @throws EinstreamError E_ARGUMENT for what makes no sense */
export function readConfig(config: FusionConfig): ReadConfig {
  const {
    strategy = 'balanced',
    minBenefit = 0.1,
    maxDepth = 3,
    maxSize = 8,
    maxOperands = Infinity,
    patterns,
    shapes = {},
    keep = [],
  } = config;
  const costs = readCosts(config.costs ?? FUSION_COSTS);
  for (const [place, count] of Object.entries({ maxDepth, maxSize, maxOperands }))
    if (!(Number.isInteger(count) || count === Infinity) || count < 1) throw wrong(place, 'it is an integer from 1, or Infinity', count); // prettier-ignore
  if (typeof minBenefit !== 'number' || !(minBenefit >= 0 && minBenefit <= 1)) throw wrong('minBenefit', 'a share is a number from 0 to 1', minBenefit); // prettier-ignore
  if (!STRATEGIES.includes(strategy)) throw wrong('strategy', `it is one of ${STRATEGIES.join(', ')}`, strategy);
  if (patterns !== undefined && !(Array.isArray(patterns) && patterns.every((each) => FUSION_PATTERNS.includes(each))))
    throw wrong('patterns', `each is one of ${FUSION_PATTERNS.join(', ')}`, JSON.stringify(patterns));
  return { strategy, minBenefit, maxDepth, maxSize, maxOperands, patterns, shapes, costs, keep };
}

const wrong = (place: string, rule: string, actual: unknown): Error =>
  fault('E_ARGUMENT', { place, rule, actual: String(actual).slice(0, 80) });
