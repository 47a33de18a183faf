/**
 * @file Gradients held against finite differences, in float64.
 */
import type { Graph, Names } from '../graph/graph.js';
import type { Feeds } from '../run/index.js';
import type { Shape } from '../tensor/shape.js';
import { readCheckOptions, type CheckOptions } from './gradients/options.js';
import { pointAt } from './gradients/point.js';
import { relativeError, reportOf, type GradientDifference, type GradientReport } from './gradients/report.js';
import { judge } from './gradients/slopes.js';

/**
 * Compares the gradients of a graph with finite differences, element by element, all in float64 whatever the graph declares.
 *
 * Outputs are weighted by fixed numbers, so that errors do not cancel. Elements at which the function bends or jumps are skipped
 * and counted; what `stopGradient` gives is held where it is, as gradients see it.
 *
 * ```ts
 * const g = graph({ x: input([3]), w: param(tensor([1, 2, 3])) }, ({ x, w }) => ({ y: tanh(mul(x, w)) }));
 * const report = checkGradients(g, { x: [0.1, 0.2, 0.3] });
 * report.passed // => true
 * String(report) // => '6 checked, 0 skipped at kinks, 0 wrong'
 * ```
 *
 * @returns a report that names parameter, index and both values of each difference, the largest first
 * @throws EinstreamError E_ARGUMENT for wrong options; as `gradient` and `evaluateSync`
 */
export function checkGradients<I extends Names>(graph: Graph<I>, feeds: Feeds<I>, options: CheckOptions = {}): GradientReport {
  const settings = readCheckOptions(options);
  const { parameters, isDefined } = pointAt(graph, feeds, settings);
  const wrong: GradientDifference[] = [];
  const counts = { checked: 0, skipped: 0, worst: 0 };
  for (const { name, shape, elements, slopes, differenceAt } of parameters) {
    for (const at of chosen(elements.length, settings.elements)) {
      const analytic = slopes[at];
      const isBeside = Number.isNaN(analytic) && !isDefined;
      const { is, numeric } = isBeside ? KINK : judge(analytic, elements[at], differenceAt(at), settings);
      if (is === 'kink') {
        counts.skipped++;
        continue;
      }
      const error = relativeError(analytic, numeric, settings.abs / settings.rel);
      counts.checked++;
      counts.worst = Math.max(counts.worst, error);
      if (is === 'apart') wrong.push({ parameter: name, index: indexOf(at, shape), analytic, numeric, error });
    }
  }
  return reportOf(counts, wrong, settings.report);
}

const KINK = { is: 'kink', numeric: NaN } as const;

/** Elements spread over all of them. */
const chosen = (size: number, most: number): readonly number[] => {
  const count = Math.min(size, most);
  return Array.from({ length: count }, (_, k) => Math.floor((k * size) / count));
};

function indexOf(at: number, shape: Shape): readonly number[] {
  const index: number[] = [];
  let rest = at;
  for (let axis = shape.length - 1; axis >= 0; axis--) {
    index.unshift(rest % shape[axis]);
    rest = Math.floor(rest / shape[axis]);
  }
  return index;
}
