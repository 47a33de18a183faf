/**
 * @file Count windows: for each key so many records, whatever their times.
 */
import { tooMany, type Engine, type EngineOptions } from './engine.js';
import type { Shape } from './kind.js';
import { asKept } from './timed.js';

interface Row<T> {
  /** Number of its first record; the key counts on when it holds none. */
  start: number;
  times: number[];
  values: T[];
  /** Records before this number were told. */
  told: number;
}

export function counts<T, K>(options: EngineOptions<T, K, Extract<Shape, { kind: 'count' }>>): Engine<T, K> {
  const { of, maxWindows, from, told } = options;
  const rows = new Map<K, Row<T>>();
  let { watermark } = from;
  for (const { key, start, times, values, told: before } of from.windows)
    rows.set(key, { start, times: [...times], values: [...values], told: before[0]?.end ?? 0 });

  const tell = (key: K, row: Row<T>): void => {
    const { start, values } = row;
    const end = start + values.length;
    row.told = end;
    row.start += Math.min(of.every, values.length);
    row.times = row.times.slice(of.every);
    row.values = values.slice(of.every);
    told.window({ key, start, end, values, replaces: [] });
  };
  return {
    record(key, time, value) {
      let row = rows.get(key);
      if (row === undefined) {
        if (rows.size >= maxWindows) throw tooMany(maxWindows);
        rows.set(key, (row = { start: 0, times: [], values: [], told: 0 }));
      }
      row.times.push(time);
      row.values.push(value);
      if (row.values.length === of.size) tell(key, row);
    },
    advance(to) {
      if (to <= watermark) return;
      watermark = asKept(to);
      if (to !== Infinity) return;
      // The end: what no window has held yet leaves in a shorter one.
      for (const [key, row] of rows) if (row.start + row.values.length > row.told && told.isOpen()) tell(key, row);
    },
    read: () =>
      Object.freeze({
        of,
        watermark,
        windows: Object.freeze(
          [...rows].map(([key, { start, times, values, told: end }]) =>
            Object.freeze({
              key,
              start,
              end: start + of.size,
              times: Object.freeze([...times]),
              values: Object.freeze([...values]),
              told: Object.freeze([{ start: 0, end }]),
              isNew: start + values.length > end,
            }),
          ),
        ),
      }),
  };
}
