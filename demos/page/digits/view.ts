/**
 * @file Draw a digit: what is drawn, what is learned and what is predicted are streams, and the page shows the latest of each.
 */
import { finalize, forkJoin, from, map, switchMap, type Observable } from 'rxjs';
import { environment, js, wasm, type Backend } from '../../../src/index.js';
import { instantiate } from '../ui/dom.js';
import type { View } from '../ui/view.js';
import { desk } from './desk.js';
import { loadImages, type Images } from './images.js';

const open = (): Promise<Backend> => (environment().simd ? wasm() : Promise.resolve(js()));

export function digitsView(): View {
  const { root, at } = instantiate('digits');
  at('status').textContent = 'Fetching handwriting …';
  const opened$ = forkJoin([from(loadImages()), from(open())]) as Observable<[Images, Backend]>;
  return {
    root,
    life$: opened$.pipe(
      map(([images, backend]) => desk(at, images, backend).pipe(finalize(() => void backend.close()))),
      switchMap((life$) => life$),
    ),
  };
}
