/**
 * @file The ten probabilities as bars.
 */
import type { Observable } from 'rxjs';
import { effect, element } from '../ui/dom.js';
import { percent } from '../ui/scale.js';
import { greatest } from './classroom.js';

/** Shows the probabilities; undefined is a drawing without anything on it. */
export function showBars(list: HTMLElement, probabilities$: Observable<ArrayLike<number> | undefined>): Observable<never> {
  const rows = Array.from({ length: 10 }, (_, digit) => {
    const fill = element('span', { className: 'fill' });
    const share = element('span', { className: 'share' }, '–');
    const item = element('li', {}, element('span', { className: 'digit' }, String(digit)), element('span', { className: 'track' }, fill), share); // prettier-ignore
    list.append(item);
    return { item, fill, share };
  });
  return effect(probabilities$, (probabilities) => {
    const best = probabilities === undefined ? -1 : greatest(probabilities);
    rows.forEach(({ item, fill, share }, digit) => {
      const part = probabilities?.[digit] ?? 0;
      item.classList.toggle('best', digit === best);
      fill.style.transform = `scaleX(${part})`;
      share.textContent = probabilities === undefined ? '–' : percent(part);
    });
  });
}
