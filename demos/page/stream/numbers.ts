/**
 * @file The numbers of the live stream, and where they stand.
 */
import { map, merge, scan, share, type Observable } from 'rxjs';
import { draw } from '../ui/canvas.js';
import { text, type Finder } from '../ui/dom.js';
import { brief } from '../ui/scale.js';
import type { OnGpu } from './backends.js';
import { histogramScene, sparkScene } from './charts.js';
import type { Reading } from './meter.js';

/** Readings that the course of the rate shows. */
const KEPT = 120;

/** Shows each reading. */
export function showReadings(at: Finder, readings$: Observable<Reading>): Observable<never> {
  const shared$ = readings$.pipe(share());
  const show = (name: string, tell: (reading: Reading) => string | number) => text(at(name), shared$.pipe(map(tell)));
  const rates$ = shared$.pipe(scan((rates: readonly number[], { rate }) => [...rates.slice(1 - KEPT), rate], []));
  return merge(
    show('in', ({ fed }) => fed.toLocaleString('en')),
    show('out', ({ answered }) => answered.toLocaleString('en')),
    show('under-way', ({ fed, answered }) => fed - answered),
    show('gaps', ({ gaps }) => gaps),
    show('rate', ({ rate }) => rate),
    show('p50', ({ median }) => brief(median)),
    show('p95', ({ p95 }) => brief(p95)),
    show('difference', ({ difference }) => brief(difference)),
    draw(at('rates', HTMLCanvasElement), rates$.pipe(map((rates) => sparkScene(rates, KEPT)))),
    draw(at('latencies', HTMLCanvasElement), shared$.pipe(map(({ latencies }) => histogramScene(latencies)))),
  );
}

/** Shows what lies on GPUs. */
export const showGpu = (at: Finder, onGpu$: Observable<OnGpu | undefined>): Observable<never> =>
  merge(
    text(at('handles'), onGpu$.pipe(map((now) => now?.handles ?? 0))),
    text(
      at('gpu'),
      onGpu$.pipe(
        map((now) => {
          if (now === undefined) return 'gpu.js is not loaded';
          const { handleBytes, kernels, launches, readbacks } = now;
          const done = `${launches.toLocaleString('en')} launches, ${readbacks.toLocaleString('en')} readbacks`;
          return `${brief(handleBytes / 1024)} KiB, ${kernels} kernels; ${done}`;
        }),
      ),
    ),
  );
