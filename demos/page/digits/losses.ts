/**
 * @file The picture of learning: the loss of each step, and where lessons were.
 */
import type { Scene } from '../ui/canvas.js';
import { axes, line } from '../ui/plot.js';
import type { Progress } from './classroom.js';

/** Steps that are shown. */
export const SEEN = 600;
const SMOOTHED = 20;

export interface Losses {
  readonly last: Progress;
  /** Of the latest SEEN steps. */
  readonly losses: readonly number[];
}

/** The mean of each value and of those up to 19 before. */
export function running(values: readonly number[]): readonly number[] {
  let sum = 0;
  return values.map((value, k) => {
    sum += value - (k < SMOOTHED ? 0 : values[k - SMOOTHED]);
    return sum / Math.min(k + 1, SMOOTHED);
  });
}

export const lossScene =
  ({ last: { step, courseSteps }, losses }: Losses): Scene =>
  (brush) => {
    const { context, colors } = brush;
    const first = step - losses.length + 1;
    const length = Math.max(courseSteps, losses.length);
    const labels = [`step ${first}`, `${first + length - 1}`];
    const frame = axes(brush, { x: [0, length - 1], y: [0, Math.max(...losses) * 1.05], labels });
    if (step > courseSteps) {
      const from = frame.x(Math.max(0, courseSteps + 1 - first));
      context.fillStyle = colors.band;
      context.fillRect(from, frame.top, frame.x(step - first) - from, frame.bottom - frame.top);
    }
    line(frame, losses, colors.muted, 0.75);
    line(frame, running(losses), colors.accent, 2);
  };
