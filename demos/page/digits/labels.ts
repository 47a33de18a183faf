/**
 * @file The ten buttons with which the visitor says what was drawn. On the pad, the keys do the same.
 */
import { filter, fromEvent, map, merge, type Observable } from 'rxjs';
import { clicks, element } from '../ui/dom.js';

export function labels(fieldset: HTMLElement, pad: HTMLElement): Observable<number> {
  const buttons = Array.from({ length: 10 }, (_, digit) =>
    element('button', { type: 'button', className: 'quiet' }, String(digit)),
  );
  fieldset.append(element('div', { className: 'keys' }, ...buttons));
  const keys$ = fromEvent<KeyboardEvent>(pad, 'keydown').pipe(
    filter(({ key, ctrlKey, metaKey, altKey }) => /^\d$/.test(key) && !ctrlKey && !metaKey && !altKey),
    filter(() => !(fieldset as HTMLFieldSetElement).disabled),
    map(({ key }) => Number(key)),
  );
  return merge(...buttons.map((button, digit) => clicks(button).pipe(map(() => digit))), keys$);
}
