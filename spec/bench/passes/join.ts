/**
 * @file A join in two steps, `ac,cb->acb` then `acb->ab`: how much faster it is as the one contraction that it means.
 *
 * The levels take turns, so that a busy machine slows both.
 */
import { fileURLToPath } from 'node:url';
import { einsum, evaluateSync, graph, input, tensor, type Level } from '../../../src/index.js';

export interface JoinTimes {
  readonly n: number;
  /** Milliseconds of one evaluation, the least of the turns. */
  readonly none: number;
  readonly aggressive: number;
  readonly ratio: number;
}

const matrix = (n: number, seed: number) =>
  tensor(
    Float32Array.from({ length: n * n }, (_, i) => (((i + seed) * 7) % 11) / 11 - 0.4),
    { shape: [n, n] },
  );

/** Times the join of two n × n relations on the default backend. */
export function joinTimes(n = 256, turns = 9): JoinTimes {
  const join = graph({ x: input([n, n]), y: input([n, n]) }, ({ x, y }) => ({
    z: einsum('acb->ab', einsum('ac,cb->acb', x, y)),
  }));
  const feeds = { x: matrix(n, 0), y: matrix(n, 5) };
  const times = { none: [] as number[], aggressive: [] as number[] };
  const levels = ['none', 'aggressive'] as const satisfies readonly Level[];
  for (const level of levels) evaluateSync(join, feeds, { level });
  for (let turn = 0; turn < turns; turn++) {
    for (const level of levels) {
      const start = performance.now();
      evaluateSync(join, feeds, { level });
      times[level].push(performance.now() - start);
    }
  }
  const [none, aggressive] = [Math.min(...times.none), Math.min(...times.aggressive)];
  return { n, none, aggressive, ratio: none / aggressive };
}

/** The times in one line. */
export const joinLine = ({ n, none, aggressive, ratio }: JoinTimes): string =>
  `join in two steps, n = ${n}: ${none.toFixed(2)} ms at none, ${aggressive.toFixed(2)} ms at aggressive, ${ratio.toFixed(1)} times`;

if (process.argv[1] === fileURLToPath(import.meta.url)) console.log(joinLine(joinTimes()));
