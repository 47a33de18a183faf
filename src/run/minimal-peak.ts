/**
 * @file `minimalPeak`: the same values in the order, and with the values computed again, that hold least at the worst moment.
 */
import { inOrder } from '../graph/in-order.js';
import type { Graph, Names } from '../graph/graph.js';
import type { Dims } from '../ops/dims.js';
import { schedule } from '../plan/schedule/schedule.js';
import { estimateMemory, type EstimateOptions } from './estimate-memory.js';
import { attempted, attemptsAt, costsOf } from './rematerialise.js';

/**
 * Of a graph, the same with nodes in the order that holds least, and the better of them with values computed again (see
 * `rematerialise`), the one that `estimateMemory` finds to need least; the graph itself where none needs less. It plans the graph
 * some dozens of times: a graph of many nodes takes its time.
 *
 * @param shapes of inputs that do not declare them
 * @throws EinstreamError E_SHAPE for sizes that are not known, and what `estimateMemory` throws
 */
export function minimalPeak<I extends Names, O extends Names>(
  graph: Graph<I, O>,
  shapes: Readonly<Record<string, Dims>>,
  options: EstimateOptions = {},
): Graph<I, O> {
  const peakOf = (of: Graph): number =>
    estimateMemory(of, shapes, { ...options, memoryLimit: Number.MAX_SAFE_INTEGER }).peakBytes;
  let best: Graph = graph;
  let least = peakOf(graph);
  const consider = (tried: Graph): void => {
    const peak = peakOf(tried);
    if (peak < least) [best, least] = [tried, peak];
  };
  consider(inOrder(graph, schedule(graph, { strategy: 'minimizeMemory', shapes }).nodeOrder));
  const ordered = best;
  for (const attempt of attemptsAt(ordered, costsOf(ordered, shapes, options))) {
    const tried = attempted(ordered, attempt);
    if (tried !== undefined) consider(tried);
  }
  return best as Graph<I, O>;
}
