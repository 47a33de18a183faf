/**
 * @file What `withStrategy` is told beside the strategy: with what it works.
 */
import { fault } from '../../errors/index.js';
import type { Dims } from '../../ops/dims.js';
import type { MemoryPool } from '../../plan/memory-pool.js';
import type { JitConfig, RunOptions, TensorCache } from '../../run/index.js';
import type { Runner } from '../../stream/index.js';
import { checkKnown } from '../../stream/options.js';
import type { ExecutionStrategy } from './strategy.js';

/** With what a strategy works. What its strategy has no use for is E_ARGUMENT. */
export interface StrategyOptions {
  /** Backend, level, hooks and what else a run can be told; memory is the strategy's. `'eager'` is at level `'none'`. */
  readonly run?: Omit<RunOptions, 'placement' | 'inPlace' | 'outputs' | 'keep'>;
  /** Sizes of inputs by name, where the graph leaves them open: for `'minimalPeak'`, `'auto'` and `'hybrid'`. Feeds of others run, too. */
  readonly shapes?: Readonly<Record<string, Dims>>;
  /** `parallelism: 'auto'`: who computes parts, such as an `executorPool`. Needed there. */
  readonly over?: Runner;
  /** `parallelism: 'auto'`: parts at the same time, at most as many as there are processors, which is the default. Node before 21 does not tell. */
  readonly workers?: number;
  /** `memory: 'pooled'`: where outputs lie; one of its own by default. */
  readonly pool?: MemoryPool;
  /** `memory: 'cached'`: where results are kept; one of its own by default. */
  readonly cache?: TensorCache;
  /** `mode: 'jit'` and `'hybrid'`: when code is made. By default it is optimised as a whole graph is, to the same bits. */
  readonly jit?: JitConfig;
}

/** Which option is of use for which values of which field; for others it would be ignored. */
const USES: readonly (readonly [option: keyof StrategyOptions, field: keyof ExecutionStrategy, values: readonly string[]])[] = [
  ['over', 'parallelism', ['auto']],
  ['workers', 'parallelism', ['auto']],
  ['pool', 'memory', ['pooled']],
  ['cache', 'memory', ['cached']],
  ['jit', 'mode', ['jit', 'hybrid']],
];

/** @throws EinstreamError E_ARGUMENT naming the option and the field that it does not go with */
export function checkOptions(strategy: ExecutionStrategy, options: StrategyOptions): void {
  checkKnown('withStrategy', options, ['run', 'shapes', 'over', 'workers', 'pool', 'cache', 'jit']);
  for (const [option, field, values] of USES)
    if (options[option] !== undefined && !values.includes(strategy[field] as string))
      throw wrong(`${option}, ${field}`, `${option} is for ${field} ${values.map((value) => `'${value}'`).join(' and ')}`, `${field} '${String(strategy[field])}'`); // prettier-ignore
  const { run = {}, over } = options;
  for (const option of ['placement', 'inPlace', 'outputs', 'keep'])
    if (Object.hasOwn(run, option))
      throw wrong(`run.${option}, memory`, `memory decides ${option}`, `memory '${strategy.memory}'`);
  if (strategy.parallelism === 'auto' && over === undefined)
    throw wrong('over, parallelism', "parallelism 'auto' needs somebody to compute parts", 'no `over`', 'over: await executorPool()'); // prettier-ignore
  if (strategy.parallelism === 'auto' && run.use !== undefined)
    throw wrong('run.use, parallelism', 'middleware sees the steps of this thread alone', "parallelism 'auto'");
  if (strategy.mode === 'eager' && run.level !== undefined && run.level !== 'none')
    throw wrong('run.level, mode', "mode 'eager' runs node by node, which is level 'none'", `level '${run.level}'`);
  if (strategy.mode === 'lazy' && run.backend?.capabilities.asynchronous === true)
    throw wrong('run.backend, mode', "mode 'lazy' computes what is read at once", `asynchronous backend ${run.backend.name}`);
}

const wrong = (place: string, rule: string, actual: string, hint?: string) =>
  fault('E_ARGUMENT', { place, rule, actual, ...(hint === undefined ? {} : { hint }) });
