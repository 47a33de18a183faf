/**
 * @file Tumbling and hopping windows: a record's windows follow from its time alone.
 */
import type { Engine, EngineOptions } from './engine.js';
import type { Shape } from './kind.js';
import { openWindows } from './open-windows.js';
import type { Span } from './state.js';

type Aligned = Extract<Shape, { kind: 'aligned' }>;

/** The windows [start, end) that hold the time, the earliest first. */
export function spansAt(time: number, { size, every, offset }: Aligned): readonly Span[] {
  const spans: Span[] = [];
  for (let k = Math.floor((time - offset) / every); k * every + offset > time - size; k--) {
    const start = k * every + offset;
    spans.unshift({ start, end: start + size });
  }
  return spans;
}

export function alignedWindows<T, K>(options: EngineOptions<T, K, Aligned>): Engine<T, K> {
  const { of, told } = options;
  const windows = openWindows(options);
  return {
    advance: windows.advance,
    read: windows.read,
    record(key, time, value) {
      const missed: Span[] = [];
      for (const span of spansAt(time, of)) {
        if (windows.isOver(span.end)) missed.push(span);
        else {
          const pane = windows.ofKey(key).find(({ start }) => start === span.start) ?? windows.add(key, span, [], []);
          windows.put(pane, time, value);
        }
      }
      if (missed.length > 0) told.late({ key, time, value, missed, watermark: windows.watermark() });
      windows.advance();
    },
  };
}
