/**
 * @file Windows by definition, from all records at once: what streams of windows are compared with.
 */
import { from, type Observable } from 'rxjs';
import { watermark, window, type Late, type WindowKind, type Windowed, type WindowOptions } from '../../src/index.js';
import { watch } from './watch.js';

export interface Row {
  readonly at: number;
  readonly key: string;
  readonly id: number;
}

export interface Heard {
  readonly told: readonly Windowed<Row, string>[];
  readonly late: readonly Late<Row, string>[];
  readonly error: unknown;
}

export const timeOf = ({ at }: Row): number => at;
export const keyOf = ({ key }: Row): string => key;

/** All that the windows of the rows say. */
export function windowsOf(
  rows: readonly Row[],
  kind: WindowKind,
  delayMs = 0,
  options: Partial<WindowOptions<Row, string>> = {},
): Heard {
  // prettier-ignore
  const late: Late<Row, string>[] = [];
  const note = (late$: Observable<Late<Row, string>>): void => void late$.subscribe((each) => late.push(each));
  const windows$ = from(rows).pipe(watermark({ time: timeOf, delayMs }), window(kind, { key: keyOf, late: note, ...options }));
  const { values, error } = watch(windows$);
  return { told: values, late, error };
}

/** What a window is, without how it came to be told. */
export interface Plain {
  readonly key: string;
  readonly start: number;
  readonly end: number;
  readonly ids: readonly number[];
}

const inOrder = (a: Plain, b: Plain): number =>
  a.end - b.end || a.start - b.start || (a.key < b.key ? -1 : a.key > b.key ? 1 : 0);
const byTime = (rows: readonly Row[]): readonly Row[] => [...rows].sort((a, b) => a.at - b.at || a.id - b.id);
export const plainWindow = ({ key, start, end, values }: Windowed<Row, string>): Plain => ({
  key,
  start,
  end,
  ids: byTime(values).map(({ id }) => id),
});

/** The last word on each window: one that is told again takes the place of what it replaces. */
export function lastWord(told: readonly Windowed<Row, string>[]): readonly Plain[] {
  const words = new Map<string, Plain>();
  const nameOf = (key: string, start: number, end: number): string => JSON.stringify([key, start, end]);
  for (const window of told) {
    for (const { start, end } of window.replaces) words.delete(nameOf(window.key, start, end));
    words.set(nameOf(window.key, window.start, window.end), plainWindow(window));
  }
  return [...words.values()].sort(inOrder);
}

/** By definition: windows that begin at each multiple of `every` after `offset`, and hold what is in [start, start + size). */
export function alignedByDefinition(rows: readonly Row[], size: number, every: number, offset: number): readonly Plain[] {
  const windows: Plain[] = [];
  const times = rows.map(timeOf);
  const first = Math.floor((Math.min(...times) - size - offset) / every);
  const last = Math.ceil((Math.max(...times) - offset) / every);
  for (const key of new Set(rows.map(keyOf)))
    for (let k = first; k <= last; k++) {
      const start = k * every + offset;
      const inside = byTime(rows.filter((row) => row.key === key && row.at >= start && row.at < start + size));
      if (inside.length > 0) windows.push({ key, start, end: start + size, ids: inside.map(({ id }) => id) });
    }
  return windows.sort(inOrder);
}

/** By definition: a new session where at least `gap` lies between a record and the one before it. */
export function sessionsByDefinition(rows: readonly Row[], gap: number): readonly Plain[] {
  const sessions: Plain[] = [];
  for (const key of new Set(rows.map(keyOf))) {
    let session: Row[] = [];
    const close = (): void => {
      if (session.length > 0) sessions.push({ key, start: session[0].at, end: session.at(-1)!.at + gap, ids: session.map(({ id }) => id) }); // prettier-ignore
      session = [];
    };
    for (const row of byTime(rows.filter((each) => each.key === key))) {
      if (session.length > 0 && row.at - session.at(-1)!.at >= gap) close();
      session.push(row);
    }
    close();
  }
  return sessions.sort(inOrder);
}
