/**
 * @file Elements, and streams that drive them: an effect is an Observable that changes the page while it is subscribed to.
 */
import { distinctUntilChanged, fromEvent, ignoreElements, map, startWith, tap, type Observable } from 'rxjs';

type Class<E> = abstract new () => E;

/** Finds the element that `data-at` names. */
export type Finder = <E extends HTMLElement = HTMLElement>(name: string, kind?: Class<E>) => E;

/** A copy of the `<template>` with that id, and a way to find what is in it. */
export function instantiate(id: string): { readonly root: HTMLElement; readonly at: Finder } {
  const template = document.querySelector<HTMLTemplateElement>(`template#${id}`);
  const root = template?.content.firstElementChild?.cloneNode(true);
  if (!(root instanceof HTMLElement)) throw new Error(`the page has no template ${id}`);
  return {
    root,
    at<E extends HTMLElement>(name: string, kind: Class<E> = HTMLElement as unknown as Class<E>): E {
      const found = root.querySelector(`[data-at="${name}"]`);
      if (found instanceof kind) return found;
      throw new Error(`the template ${id} has no ${kind.name} at ${name}`);
    },
  };
}

/** An element with properties and children. */
export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  properties: Partial<HTMLElementTagNameMap[K]> = {},
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[K] {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children);
  return made;
}

/** Does something with each value, and emits nothing. */
export const effect = <T>(values$: Observable<T>, act: (value: T) => void): Observable<never> =>
  values$.pipe(tap(act), ignoreElements());

/** Shows the latest text. */
export const text = (target: HTMLElement, texts$: Observable<string | number>): Observable<never> =>
  effect(texts$.pipe(map(String), distinctUntilChanged()), (now) => void (target.textContent = now));

export const clicks = (target: HTMLElement): Observable<Event> => fromEvent(target, 'click');

export interface Choice {
  readonly value: string;
  readonly label: string;
  /** Why it cannot be chosen. */
  readonly obstacle?: string;
}

/** Fills a fieldset with radio buttons; emits the value that is chosen, from the one that is chosen on. */
export function choose(fieldset: HTMLElement, name: string, choices: readonly Choice[]): Observable<string> {
  const first = choices.find(({ obstacle }) => obstacle === undefined)!;
  const radios = choices.map(({ value, obstacle }) =>
    element('input', { type: 'radio', name, value, disabled: obstacle !== undefined, checked: value === first.value }),
  );
  const labels = choices.map(({ label, obstacle }, k) =>
    element('label', { title: obstacle ?? '' }, radios[k], element('span', {}, label)),
  );
  fieldset.append(element('div', { className: 'options' }, ...labels));
  return fromEvent(fieldset, 'change').pipe(
    startWith(undefined),
    map(() => radios.find(({ checked }) => checked)!.value),
    distinctUntilChanged(),
  );
}
