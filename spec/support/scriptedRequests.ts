/**
 * @file Requests of one graph to a pool of scripted workers, followed to their ends.
 */
import { graph, input, mul, type PoolOptions } from '../../src/index.js';
import { follow, type Followed } from './poolLedger.js';
import { scriptedPool, type Script, type Scripted } from './scriptedWorkers.js';

export const doubled = graph({ x: input([]) }, ({ x }) => ({ y: mul(x, 2) }));

export interface Asking extends Scripted {
  readonly ask: (x: number, how?: Parameters<typeof follow>[3]) => Followed;
}

export function setUp(script: Script, options: PoolOptions = {}): Asking {
  const made = scriptedPool(script, options);
  return { ...made, ask: (x, how) => follow(made.pool, doubled, { x }, how) };
}

/** How each ended: a code, `'answer'`, or undefined where it has not, or ended otherwise. */
export const codes = (all: readonly Followed[]): readonly (string | undefined)[] =>
  all.map(({ ended }) => ended?.code ?? (ended?.outputs ? 'answer' : undefined));
