/**
 * @file In which order to contract: pair by pair, with small intermediates.
 *
 * `'ij,jk,kl->il'` as one loop takes i·j·k·l products; as two matrix products i·j·k + i·k·l. Any order gives the same
 * sum up to rounding, and int32 the same bits. Where Infinity or NaN is among the operands, a sum taken early may
 * show it elsewhere than the one loop would: (1 − 1) × Infinity is NaN, as 1 × Infinity − 1 × Infinity is, but
 * (0 + 1) × Infinity is Infinity, while 0 × Infinity + 1 × Infinity is NaN. NumPy (optimize) and torch do the same.
 */
import { fault } from '../../errors/index.js';
import type { Contraction } from '../../ops/einsum/resolve.js';
import { greedyOrder, pairsSeen } from './greedy.js';
import { elementsOf } from './held.js';
import { labelSets } from './labelSets.js';
import { MAX_OPTIMAL, optimalOrder } from './optimal.js';
import { randomGreedyOrder } from './random-greedy.js';
import { startTrail, type Trail } from './trail.js';
import type { ContractionPath, Pair, PathMethod } from './types.js';

/** How to search for an order. */
export interface PathOptions {
  /**
   * `auto` (default): optimal up to 10 operands, above that greedy, or random-greedy where a short search finds a cheaper order.
   * `random-greedy` searches longer. `none`: left to right.
   */
  readonly strategy?: 'auto' | PathMethod;
  /** Most elements of an intermediate; the output is not one. Default: no limit. */
  readonly memoryLimit?: number;
}

/** Most pairs that a search for a better order than the greedy one looks at, unasked and asked. */
const [SHORT, LONG] = [90_000, 1_000_000];

/**
 * Finds an order for a contraction. The same contraction always gets the same order; the search is bounded.
 *
 * ```ts
 * const { contraction } = einsumPath('ij,jk,k->i', [[10, 20], [20, 30], [30]]);
 * contractionPath(contraction, { strategy: 'none' }).steps.map((step) => step.inputs) // => [[0, 1], [2, 3]]
 * ```
 *
 * @throws EinstreamError E_LIMIT where no order was found within `memoryLimit`, E_ARGUMENT for an optimal search over
 * more than 10 operands
 */
export function contractionPath(
  contraction: Contraction,
  { strategy = 'auto', memoryLimit = Infinity }: PathOptions = {},
): ContractionPath {
  const n = contraction.operands.length;
  const asked = strategy === 'auto' && n <= MAX_OPTIMAL ? 'optimal' : strategy;
  if (!(memoryLimit > 0))
    throw fault('E_ARGUMENT', {
      place: 'memoryLimit',
      rule: 'a limit is a positive number of elements',
      actual: String(memoryLimit),
    });
  if (asked === 'optimal' && n > MAX_OPTIMAL) {
    throw fault('E_ARGUMENT', {
      place: 'strategy',
      rule: 'an optimal order takes time that grows as 3^n',
      expected: `at most ${MAX_OPTIMAL} operands`,
      actual: String(n),
      hint: "use 'greedy'",
    });
  }
  const trail = startTrail(contraction);
  const live = asked === 'none' ? contraction.operands.map((_, i) => i) : sumAlone(trail, contraction.sizes);
  const { pairs, method } =
    asked === 'none' || live.length < 3
      ? { pairs: leftToRight(live.length), method: asked === 'auto' ? ('greedy' as const) : asked }
      : search(asked, trail, live, contraction.sizes, memoryLimit);
  for (const [left, right] of pairs ?? []) live.push(trail.contract(live[left], live[right]));
  if (n === 1) trail.contract(0);

  const largest = trail.steps.slice(0, -1).reduce((most, step) => Math.max(most, step.elements), 0);
  if (pairs === undefined || largest > memoryLimit) {
    throw fault('E_LIMIT', {
      place: 'memoryLimit',
      rule: 'every intermediate of a contraction must fit the limit',
      expected: `at most ${memoryLimit} elements`,
      actual: pairs === undefined ? `no ${method} order that fits` : `${largest} elements`,
      hint: 'raise memoryLimit, or give the contraction as several',
    });
  }
  const flops = trail.steps.reduce((sum, step) => sum + step.flops, 0);
  return { contraction, method, steps: trail.steps, flops, loopFlops: loopFlops(contraction), largest };
}

const leftToRight = (n: number): readonly Pair[] =>
  Array.from({ length: n - 1 }, (_, k): Pair => (k === 0 ? [0, 1] : [k + 1, n + k - 1]));

interface Searched {
  readonly pairs: readonly Pair[] | undefined;
  readonly method: PathMethod;
}

function search(
  asked: 'auto' | 'greedy' | 'random-greedy' | 'optimal',
  trail: Trail,
  live: readonly number[],
  sizes: readonly number[],
  memoryLimit: number,
): Searched {
  const sets = labelSets(
    live.map((slot) => trail.slots[slot]),
    trail.keep,
    sizes,
  );
  if (asked === 'optimal') return { pairs: optimalOrder(sets, memoryLimit), method: asked };
  const greedy = greedyOrder(sets, memoryLimit);
  // Unasked, a search takes no longer than it could save.
  const short = Math.min(SHORT, greedy?.flops ?? Infinity) - pairsSeen(live.length);
  const budget = asked === 'greedy' ? 0 : asked === 'auto' ? short : LONG;
  const random = randomGreedyOrder(sets, memoryLimit, budget);
  const isBetter = random !== undefined && (greedy === undefined || random.flops < greedy.flops);
  if (isBetter) return { pairs: random.pairs, method: 'random-greedy' };
  return { pairs: greedy?.pairs, method: asked === 'auto' ? 'greedy' : asked };
}

/** Sums in each operand the labels that it alone has, before any product; gives the slots to go on with. */
function sumAlone(trail: Trail, sizes: readonly number[]): number[] {
  const operands = [...trail.slots];
  const users = sizes.map(() => 0);
  for (const labels of operands) for (const label of labels) users[label]++;
  const isAlone = (label: number): boolean => users[label] === 1 && !trail.keep[label] && sizes[label] > 1;
  return operands.map((labels, slot) => (operands.length > 1 && labels.some(isAlone) ? trail.contract(slot) : slot));
}

function loopFlops({ operands, output, sizes }: Contraction): number {
  const labels = new Set([...operands.flat(), ...output]);
  const additions = operands.flat().some((label) => !output.includes(label) && sizes[label] !== 1) ? 1 : 0;
  return elementsOf(labels, sizes) * Math.max(1, operands.length - 1 + additions);
}
