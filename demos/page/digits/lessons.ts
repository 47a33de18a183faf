/**
 * @file What the visitor taught, lesson by lesson: the drawing, and how sure of it the model was before and after.
 */
import type { Observable } from 'rxjs';
import { effect, element } from '../ui/dom.js';
import { percent } from '../ui/scale.js';
import type { Labelled } from './images.js';
import { SIDE } from './images.js';
import { paint } from './pad.js';

export interface Lesson extends Labelled {
  /** The probability of the label. */
  readonly before: number;
  readonly after: number;
}

/** Puts each lesson on top of the list when it has been held. */
export const showLessons = (list: HTMLElement, empty: HTMLElement, lessons$: Observable<Lesson>): Observable<never> =>
  effect(lessons$, ({ image, label, before, after }) => {
    empty.hidden = true;
    const picture = element('canvas', { width: SIDE, height: SIDE, ariaHidden: 'true' });
    const change = element('span', { className: 'change' }, `${percent(before)} → `, element('b', {}, percent(after)));
    list.prepend(element('li', {}, picture, element('span', {}, 'This is a ', element('b', {}, String(label))), change));
    paint(picture, image);
  });
