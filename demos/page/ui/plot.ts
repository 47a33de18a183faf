/**
 * @file The parts of a chart: axes, lines, bands and dots, in the colours of the page.
 */
import type { Brush } from './canvas.js';
import { brief, linear, ticks } from './scale.js';

/** Where a chart draws, and how its values become places. */
export interface Frame {
  readonly brush: Brush;
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
  readonly x: (value: number) => number;
  readonly y: (value: number) => number;
}

export interface Axes {
  readonly x: readonly [number, number];
  readonly y: readonly [number, number];
  /** Lines across: about as many, or at these values. */
  readonly lines?: number | readonly number[];
  /** Words below the ends and the middle. */
  readonly labels?: readonly string[];
}

const MARGIN = { left: 44, right: 12, top: 8, bottom: 20 };

/** Rules across, their numbers at the left, and words below. */
export function axes(brush: Brush, { x: domain, y: range, lines = 4, labels = [] }: Axes): Frame {
  const { context, width, height, colors } = brush;
  const [left, right, top] = [MARGIN.left, width - MARGIN.right, MARGIN.top];
  const bottom = height - (labels.length > 0 ? MARGIN.bottom : MARGIN.top);
  const [x, y] = [linear(domain, [left, right]), linear(range, [bottom, top])];
  context.lineWidth = 1;
  context.strokeStyle = colors.rule;
  context.fillStyle = colors.muted;
  context.textAlign = 'right';
  context.textBaseline = 'middle';
  for (const tick of typeof lines === 'number' ? ticks(range, lines) : lines) {
    const at = Math.round(y(tick)) + 0.5;
    context.beginPath();
    context.moveTo(left, at);
    context.lineTo(right, at);
    context.stroke();
    context.fillText(brief(tick), left - 8, at);
  }
  labels.forEach((label, k) => {
    const share = labels.length === 1 ? 0 : k / (labels.length - 1);
    context.textAlign = share === 0 ? 'left' : share === 1 ? 'right' : 'center';
    context.fillText(label, left + share * (right - left), height - MARGIN.bottom / 2 + 2);
  });
  return { brush, left, right, top, bottom, x, y };
}

type Series = ArrayLike<number>;

/** Adds a line through the series to the path, forward or backward. */
function trace({ brush: { context }, x, y }: Frame, values: Series, isBackward = false): void {
  for (let k = 0; k < values.length; k++) {
    const at = isBackward ? values.length - 1 - k : k;
    context.lineTo(x(at), y(values[at]));
  }
}

export function line(frame: Frame, values: Series, color: string, width: number): void {
  const { context } = frame.brush;
  context.beginPath();
  trace(frame, values);
  Object.assign(context, { strokeStyle: color, lineWidth: width });
  context.stroke();
}

/** Fills what is between two series. */
export function band(frame: Frame, low: Series, high: Series, color: string): void {
  const { context } = frame.brush;
  context.beginPath();
  trace(frame, low);
  trace(frame, high, true);
  context.closePath();
  context.fillStyle = color;
  context.fill();
}

export function dot({ brush: { context } }: Frame, x: number, y: number, color: string, radius = 3.5): void {
  context.beginPath();
  context.arc(x, y, radius, 0, 2 * Math.PI);
  context.fillStyle = color;
  context.fill();
}

/** Lines across the whole height, each with a word at its top: something happened here. Words that would meet go one below another. */
export function marks(
  { brush: { context, colors }, right, top, bottom }: Frame,
  all: readonly { readonly x: number; readonly word: string }[],
): void {
  Object.assign(context, { strokeStyle: colors.muted, fillStyle: colors.ink, lineWidth: 1, textBaseline: 'top' });
  const ends: number[] = [];
  for (const { x, word } of all) {
    const at = Math.round(x) + 0.5;
    context.setLineDash([3, 3]);
    context.beginPath();
    context.moveTo(at, top);
    context.lineTo(at, bottom);
    context.stroke();
    context.setLineDash([]);
    const wide = context.measureText(word).width + 10;
    const isNearEnd = at + wide > right;
    const from = isNearEnd ? at - wide : at;
    const free = ends.findIndex((end) => end <= from);
    const row = free === -1 ? ends.length : free;
    ends[row] = from + wide;
    context.textAlign = 'left';
    context.fillText(word, from + 5, top + 14 * row);
  }
}
