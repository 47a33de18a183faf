/**
 * @file The graphs by name on which levels are compared, with feeds.
 */
import { add, einsum, graph, input, mul, param, relu, softmax, tensor, type Graph, type Tensor } from '../../../src/index.js';
import { ruleBase, ruleBaseFeeds } from '../../support/ruleBase.js';
import { sizedDag } from '../../support/sized-dag.js';
import { numbers } from '../numbers.js';
import { tinyFeeds, tinyGraph } from '../workloads.js';

export interface Subject {
  readonly name: string;
  readonly graph: Graph;
  readonly feeds: Readonly<Record<string, Tensor>>;
}

export const matrix = (rows: number, columns: number, seed: number): Tensor =>
  tensor(numbers(rows * columns, seed, 0.1), { shape: [rows, columns] });

/** A perceptron of three layers with bias, for so many rows. */
export function perceptron(rows: number): Subject {
  const layers = [784, 128, 64, 10];
  const params = Object.fromEntries(
    layers.slice(1).flatMap((width, k) => [
      [`w${k}`, param(matrix(layers[k], width, k + 2))],
      [`b${k}`, param(tensor(numbers(width, k + 7, 0.1)))],
    ]),
  );
  return {
    name: `MLP-${rows}`,
    graph: graph({ x: input(['n', layers[0]]), ...params }, ({ x, ...given }) => {
      const of = given as Record<string, typeof x>;
      const layer = (from: typeof x, k: number): typeof x => add(einsum('ni,io->no', from, of[`w${k}`]), of[`b${k}`]);
      return { y: softmax(layer(relu(layer(relu(layer(x, 0)), 1)), 2)) };
    }),
    feeds: { x: matrix(rows, layers[0], 1) },
  };
}

/** One head, as it is written down. */
export const attention = (): Subject => ({
  name: 'attention [128, 64]',
  graph: graph({ q: input([128, 64]), k: input([128, 64]), v: input([128, 64]) }, ({ q, k, v }) => ({
    y: einsum('qk,kd->qd', softmax(mul(einsum('qd,kd->qk', q, k), 0.125)), v),
  })),
  feeds: { q: matrix(128, 64, 1), k: matrix(128, 64, 2), v: matrix(128, 64, 3) },
});

/** Graphs that must never be slower for having been optimised. */
export const NEVER_SLOWER: readonly (() => Subject)[] = [
  () => ({ name: 'tiny, 10 nodes', graph: tinyGraph(), feeds: tinyFeeds() }),
  () => ({ name: 'medium, a DAG of 200 ops', graph: sizedDag(7, 200), feeds: { x: matrix(16, 32, 1) } }),
  () => ({ name: 'large, a DAG of 5,000 ops', graph: sizedDag(3, 5000), feeds: { x: matrix(16, 32, 1) } }),
  () => ({ name: 'rule base of 50 rules', graph: ruleBase(), feeds: ruleBaseFeeds(64) }),
  () => perceptron(1),
  () => perceptron(64),
  attention,
];
