/**
 * @file What the visitor draws: strokes in the pad's own measure, where the pad is 1 wide and 1 high; or an example that is shown.
 */
import { filter, fromEvent, map, merge, scan, startWith, type Observable } from 'rxjs';
import { latest } from '../ui/latest.js';
import type { Image } from './images.js';

export interface Point {
  readonly x: number;
  readonly y: number;
}

export type Stroke = readonly Point[];

/** An empty drawing has no strokes. */
export type Drawing = { readonly strokes: readonly Stroke[] } | { readonly example: Image };

export const EMPTY_DRAWING: Drawing = { strokes: [] };

export const isEmpty = (drawing: Drawing): boolean => 'strokes' in drawing && drawing.strokes.length === 0;

type Change = (drawing: Drawing) => Drawing;

const begin =
  (point: Point): Change =>
  (drawing) => ({ strokes: [...('strokes' in drawing ? drawing.strokes : []), [point]] });

const go =
  (points: readonly Point[]): Change =>
  (drawing) =>
    'strokes' in drawing && drawing.strokes.length > 0
      ? { strokes: [...drawing.strokes.slice(0, -1), [...drawing.strokes.at(-1)!, ...points]] }
      : drawing;

/** The drawing on the pad, at each change; from an empty one. `others$` replace it. */
export function drawings(pad: HTMLElement, others$: Observable<Drawing>): Observable<Drawing> {
  const pointOf = ({ clientX, clientY }: PointerEvent): Point => {
    const { left, top, width, height } = pad.getBoundingClientRect();
    return { x: (clientX - left) / width, y: (clientY - top) / height };
  };
  const downs$ = fromEvent<PointerEvent>(pad, 'pointerdown').pipe(
    filter(({ isPrimary, button }) => isPrimary && button === 0),
    map((event) => {
      pad.setPointerCapture(event.pointerId);
      event.preventDefault();
      return begin(pointOf(event));
    }),
  );
  // A captured pointer is one that draws.
  const moves$ = fromEvent<PointerEvent>(pad, 'pointermove').pipe(
    filter(({ pointerId }) => pad.hasPointerCapture(pointerId)),
    map((event) => {
      const events = event.getCoalescedEvents();
      return go((events.length > 0 ? events : [event]).map(pointOf));
    }),
  );
  return merge(
    downs$,
    moves$,
    others$.pipe(
      map(
        (other): Change =>
          () =>
            other,
      ),
    ),
  ).pipe(
    scan((drawing, change) => change(drawing), EMPTY_DRAWING),
    startWith(EMPTY_DRAWING),
    latest(),
  );
}
