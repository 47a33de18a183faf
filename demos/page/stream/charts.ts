/**
 * @file The pictures of the live stream.
 */
import type { Scene } from '../ui/canvas.js';
import { axes, band, dot, line, marks } from '../ui/plot.js';
import { brief, extent, linear, percentile } from '../ui/scale.js';
import { SHOWN } from './analysis.js';

/** Scores beyond it, either way, are anomalies. */
export const ODD = 3;

/** What there is to see of one answer. */
export interface Picture {
  /** All of length SHOWN. */
  readonly raw: Float32Array;
  readonly smooth: Float32Array;
  readonly deviation: Float32Array;
  readonly score: Float32Array;
  readonly labels: readonly [string, string, string];
  /** Where another backend took over, and its name. */
  readonly handovers: readonly { readonly at: number; readonly name: string }[];
}

const domain = [0, SHOWN - 1] as const;

export const signalScene =
  ({ raw, smooth, deviation, score, labels, handovers }: Picture): Scene =>
  (brush) => {
    const { colors } = brush;
    const low = smooth.map((value, k) => value - 2 * deviation[k]);
    const high = smooth.map((value, k) => value + 2 * deviation[k]);
    const [bottom, top] = extent([...raw, ...low, ...high]);
    // Some air on top, for names.
    const frame = axes(brush, { x: domain, y: [bottom, top + 0.08 * (top - bottom)], lines: 5, labels });
    band(frame, low, high, colors.band);
    line(frame, raw, colors.muted, 1);
    line(frame, smooth, colors.accent, 2);
    raw.forEach((value, k) => {
      if (Math.abs(score[k]) > ODD) dot(frame, frame.x(k), frame.y(value), colors.odd);
    });
    marks(
      frame,
      handovers.map(({ at, name }) => ({ x: frame.x(at), word: name })),
    );
  };

export const scoreScene =
  ({ score }: Picture): Scene =>
  (brush) => {
    const { context, colors } = brush;
    const most = Math.max(1.4 * ODD, ...score.map(Math.abs));
    const frame = axes(brush, { x: domain, y: [-most, most], lines: [-ODD, 0, ODD] });
    for (const limit of [-ODD, ODD]) line(frame, new Float32Array(SHOWN).fill(limit), colors.odd, 0.75);
    const width = Math.max(1, (frame.right - frame.left) / SHOWN - 1);
    score.forEach((value, k) => {
      context.fillStyle = Math.abs(value) > ODD ? colors.odd : colors.accent;
      const [from, to] = [frame.y(0), frame.y(value)];
      context.fillRect(frame.x(k) - width / 2, Math.min(from, to), width, Math.abs(to - from));
    });
  };

/** The course of a number, from 0, with its last value as a dot. */
export const sparkScene =
  (values: readonly number[], capacity: number): Scene =>
  (brush) => {
    const { width, height, colors } = brush;
    const y = linear([0, Math.max(1, ...values)], [height - 2, 4]);
    const x = linear([0, capacity - 1], [2, width - 5]);
    const offset = capacity - values.length;
    const frame = { brush, left: 0, right: width, top: 0, bottom: height, x: (k: number) => x(offset + k), y };
    if (values.length > 1) band(frame, values.map(() => 0), values, colors.band); // prettier-ignore
    line(frame, values, colors.accent, 1.5);
    if (values.length > 0) dot(frame, frame.x(values.length - 1), y(values.at(-1)!), colors.accent, 2.5);
  };

const BINS = 24;

/** How often each latency was, up to the 98th percentile: what is slower is in the last bar. */
export const histogramScene =
  (values: readonly number[]): Scene =>
  ({ context, width, height, colors }) => {
    if (values.length === 0) return;
    const most = percentile(values, 98) * 1.05 || 1;
    const counts = new Array<number>(BINS).fill(0);
    for (const value of values) counts[Math.min(BINS - 1, Math.floor((value / most) * BINS))]++;
    const highest = Math.max(...counts);
    const base = height - 14;
    const step = width / BINS;
    context.fillStyle = colors.accent;
    counts.forEach((count, bin) => {
      const tall = (count / highest) * (base - 2);
      context.fillRect(bin * step, base - tall, step - 2, tall);
    });
    context.fillStyle = colors.muted;
    context.textBaseline = 'bottom';
    context.textAlign = 'left';
    context.fillText('0', 0, height);
    context.textAlign = 'right';
    context.fillText(`${brief(most)} ms`, width, height);
  };
