/**
 * @file Whether a graph enlarges rounding: a root of what is zero but for rounding, a floor of what is almost whole.
 */
import { map, of } from 'rxjs';
import { assign, js, run, valueOf, type Middleware, type Tensor } from '../../src/index.js';
import { isFloating } from '../../src/tensor/dtype.js';
import { packed, tensorOver } from '../../src/tensor/tensor.js';
import { differenceOf } from '../../src/testing/conformance/difference.js';
import type { RandomGraph } from './random-graph.js';
import { watch } from './watch.js';

/** Moves every floating element of every node by a little: about as much as an op may be wrong by. */
const moved =
  (seed: number): Middleware =>
  (step, node) =>
  (frames$) =>
    frames$.pipe(
      step,
      map((frame) => {
        const value = valueOf(frame, node.id);
        if (!isFloating(value.dtype)) return frame;
        const elements = packed(value) as Float64Array;
        elements.forEach((x, k) => {
          const sign = (seed >> ((node.id * 7 + k * 3) % 11)) % 2 === 0 ? 1 : -1;
          if (Number.isFinite(x)) elements[k] = x + sign * (1e-7 + Math.abs(x) * 1e-6);
        });
        return assign(frame, node.id, tensorOver(elements, value.dtype, value.shape));
      }),
    );

/** True when such movements alone make `output` another value than `want`. */
export function isFragile({ graph, feeds }: RandomGraph, output: string, want: Tensor, tolerance: number): boolean {
  for (let seed = 0; seed < 40; seed++) {
    const { values } = watch(of(feeds).pipe(run(graph, { backend: js(), level: 'none', use: [moved(seed * 97)] })));
    if (differenceOf(values[0][output], want, tolerance) !== undefined) return true;
  }
  return false;
}
