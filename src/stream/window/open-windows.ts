/**
 * @file Windows of event time that are open: which are due, and what becomes of them.
 */
import { tooMany, type EngineOptions } from './engine.js';
import { heap } from '../../plan/heap.js';
import type { OpenWindow, Span, WindowState } from './state.js';
import { asKept } from './timed.js';

interface Item<T> {
  readonly time: number;
  readonly value: T;
}

/** An open window, which changes while it is open. */
export interface Pane<T, K> {
  readonly key: K;
  /** Counts in the order of opening. */
  readonly serial: number;
  start: number;
  end: number;
  items: Item<T>[];
  told: readonly Span[];
  isNew: boolean;
  isGone: boolean;
  /** The watermark at which it is told, or forgotten when there is nothing new to tell. */
  due: number;
}

export interface OpenWindows<T, K> {
  readonly watermark: () => number;
  readonly ofKey: (key: K) => readonly Pane<T, K>[];
  /** True when the window would be forgotten already. */
  readonly isOver: (end: number) => boolean;
  readonly add: (key: K, span: Span, items: Item<T>[], told: readonly Span[]) => Pane<T, K>;
  /** Tells nothing: first a record is in all its windows, then `advance` tells of them, and a state read meanwhile is whole. */
  readonly put: (pane: Pane<T, K>, time: number, value: T) => void;
  readonly remove: (pane: Pane<T, K>) => void;
  /** Tells what is due, at the present watermark by default. */
  readonly advance: (watermark?: number) => void;
  readonly read: () => WindowState<T, K>;
}

export function openWindows<T, K>({ of, latenessMs, maxWindows, from, told }: EngineOptions<T, K>): OpenWindows<T, K> {
  const byKey = new Map<K, Pane<T, K>[]>();
  const dues = heap<{ readonly due: number; readonly pane: Pane<T, K> }>(
    (a, b) => a.due < b.due || (a.due === b.due && a.pane.serial < b.pane.serial),
  );
  let { watermark } = from;
  let [serial, count] = [0, 0];

  const wait = (pane: Pane<T, K>): void => {
    pane.due = pane.end - 1 + (pane.isNew ? 0 : latenessMs);
    dues.push({ due: pane.due, pane });
  };
  const remove = (pane: Pane<T, K>): void => {
    const panes = byKey.get(pane.key)!;
    panes.splice(panes.indexOf(pane), 1);
    if (panes.length === 0) byKey.delete(pane.key);
    pane.isGone = true;
    count--;
  };
  // All that it changes is changed before it is told, so that a state read meanwhile neither repeats nor loses a window.
  const tell = (pane: Pane<T, K>): void => {
    const { key, start, end, items, told: replaces } = pane;
    pane.isNew = false;
    pane.told = [{ start, end }];
    if (latenessMs === 0) remove(pane);
    else wait(pane);
    told.window({ key, start, end, values: items.map(({ value }) => value), replaces });
  };
  const open = (key: K, { start, end }: Span, items: Item<T>[], toldBefore: readonly Span[]): Pane<T, K> => {
    if (count >= maxWindows) throw tooMany(maxWindows);
    count++;
    const pane = { key, serial: serial++, start, end, items, told: toldBefore, isNew: false, isGone: false, due: -Infinity };
    const panes = byKey.get(key);
    if (panes === undefined) byKey.set(key, [pane]);
    else panes.push(pane);
    return pane;
  };
  for (const { key, start, end, times, values, told: toldBefore, isNew } of from.windows) {
    const pane = open(key, { start, end }, values.map((value, i) => ({ time: times[i], value })), toldBefore); // prettier-ignore
    pane.isNew = isNew;
    wait(pane);
  }

  return {
    watermark: () => watermark,
    ofKey: (key) => byKey.get(key) ?? [],
    isOver: (end) => end - 1 + latenessMs <= watermark,
    add: open,
    remove,
    put(pane, time, value) {
      insert(pane.items, { time, value });
      pane.isNew = true;
      if (pane.due !== pane.end - 1) wait(pane);
    },
    advance(to = watermark) {
      watermark = Math.max(watermark, asKept(to));
      for (let next = dues.peek(); next !== undefined && next.due <= watermark && told.isOpen(); next = dues.peek()) {
        dues.pop();
        const { pane, due } = next;
        if (pane.isGone || pane.due !== due) continue;
        if (pane.isNew) tell(pane);
        else remove(pane);
      }
    },
    read: () =>
      Object.freeze({
        of,
        watermark,
        windows: Object.freeze([...byKey.values()].flat().sort((a, b) => a.serial - b.serial).map(frozen)), // prettier-ignore
      }),
  };
}

/** In order of time; of equal times, that of arrival. Most records come in order. */
function insert<T>(items: Item<T>[], item: Item<T>): void {
  let at = items.length;
  while (at > 0 && items[at - 1].time > item.time) at--;
  if (at === items.length) items.push(item);
  else items.splice(at, 0, item);
}

const frozen = <T, K>({ key, start, end, items, told, isNew }: Pane<T, K>): OpenWindow<T, K> =>
  Object.freeze({
    key,
    start,
    end,
    times: Object.freeze(items.map(({ time }) => time)),
    values: Object.freeze(items.map(({ value }) => value)),
    told,
    isNew,
  });
