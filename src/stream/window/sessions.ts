/**
 * @file Sessions: windows of a key that end after a pause, and that a record between them joins.
 */
import type { Engine, EngineOptions } from './engine.js';
import type { Shape } from './kind.js';
import { openWindows } from './open-windows.js';

export function sessions<T, K>(options: EngineOptions<T, K, Extract<Shape, { kind: 'session' }>>): Engine<T, K> {
  const { of, told } = options;
  const windows = openWindows(options);
  return {
    advance: windows.advance,
    read: windows.read,
    record(key, time, value) {
      const own = { start: time, end: time + of.gap };
      // [start, end): a record just at the end of a session begins another one.
      const [first, ...others] = windows.ofKey(key).filter(({ start, end }) => start < own.end && own.start < end);
      if (first === undefined) {
        if (windows.isOver(own.end)) told.late({ key, time, value, missed: [own], watermark: windows.watermark() });
        else windows.put(windows.add(key, own, [], []), time, value);
        return windows.advance();
      }
      first.start = Math.min(first.start, own.start, ...others.map(({ start }) => start));
      first.end = Math.max(first.end, own.end, ...others.map(({ end }) => end));
      if (others.length > 0) {
        first.items = [first, ...others].flatMap(({ items }) => items).sort((a, b) => a.time - b.time);
        first.told = [first, ...others].flatMap(({ told: before }) => before);
        others.forEach(windows.remove);
      }
      windows.put(first, time, value);
      windows.advance();
    },
  };
}
