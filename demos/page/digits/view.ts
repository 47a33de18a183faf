/**
 * @file Draw a digit: what is drawn, what is learned and what is predicted are streams, and the page shows the latest of each.
 */
import { finalize, forkJoin, switchMap } from 'rxjs';
import { environment, js, wasm, type Backend } from '../../../src/index.js';
import { instantiate } from '../ui/dom.js';
import type { View } from '../ui/view.js';
import { desk } from './desk.js';
import { loadImages } from './images.js';

const open = (): Promise<Backend> => (environment().simd ? wasm() : Promise.resolve(js()));

export function digitsView(): View {
  const { root, at } = instantiate('digits');
  at('status').textContent = 'Fetching handwriting …';
  const opened$ = forkJoin([loadImages(), open()]);
  return {
    root,
    life$: opened$.pipe(switchMap(([images, backend]) => desk(at, images, backend).pipe(finalize(() => void backend.close())))),
  };
}
