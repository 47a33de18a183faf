/**
 * @file A graph at several levels beside the same at `none`, output by output.
 */
import { evaluateSync, type Backend, type Tensor } from '../../src/index.js';
import type { Level } from '../../src/passes/index.js';
import type { RandomGraph } from './random-graph.js';
import { differentBits } from './sameBits.js';

/** Undefined, or how an output differs. */
export type Compare = (got: Tensor, want: Tensor, name: string) => string | undefined;

/** Undefined, or the first output at a level that is not what it is at `none`. */
export function firstDifference(
  { graph, feeds }: RandomGraph,
  levels: readonly Level[],
  backend: Backend,
  compare: Compare = differentBits,
): string | undefined {
  const want = evaluateSync(graph, feeds, { level: 'none', backend });
  for (const level of levels) {
    const got = evaluateSync(graph, feeds, { level, backend });
    for (const [name, value] of Object.entries(want)) {
      const difference = compare(got[name], value, name);
      if (difference !== undefined) return `${level}, ${name}: ${difference}`;
    }
  }
  return undefined;
}
