/**
 * @file Durations and windows as a command line writes them: `500ms`, `60s`, `5m`, `2h`, `1d`; `tumbling=60s`, `hopping=60s/10s+5s`.
 */
import { describeValue, fault, type EinstreamError } from '../errors/index.js';
import type { WindowKind } from '../stream/window/index.js';

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Milliseconds, or undefined for what is no duration. */
export function durationOf(text: string): number | undefined {
  const [, digits, unit] = /^(\d{1,12}(?:\.\d{1,6})?)(ms|s|m|h|d)$/.exec(text) ?? [];
  return unit === undefined ? (text === '0' ? 0 : undefined) : Number(digits) * UNITS[unit];
}

/** @throws EinstreamError E_ARGUMENT */
export function readDuration(option: string, text: string): number {
  const ms = durationOf(text);
  if (ms !== undefined) return ms;
  throw fault('E_ARGUMENT', {
    place: `--${option}`,
    rule: 'a duration is a number and its unit',
    expected: 'such as 500ms, 60s, 5m, 2h, 1d',
    actual: describeValue(text),
  });
}

const countOf = (text: string): number | undefined => (/^[1-9]\d{0,8}$/.test(text) ? Number(text) : undefined);
const positive = (text: string): number | undefined => durationOf(text) || undefined;

/** @throws EinstreamError E_ARGUMENT */
export function readWindow(text: string): WindowKind {
  const [, name, first, second, offset] = /^(\w+)=([^/+]+)(?:\/([^/+]+))?(?:\+(.+))?$/.exec(text) ?? [];
  const isAligned = name === 'tumbling' || name === 'hopping';
  const offsetMs = offset === undefined ? 0 : isAligned ? durationOf(offset) : undefined;
  const kind = offsetMs === undefined ? undefined : kindOf(name, first ?? '', second, offsetMs);
  if (kind === undefined) throw noWindow(text);
  return kind;
}

function kindOf(name: string | undefined, first: string, second: string | undefined, offsetMs: number): WindowKind | undefined {
  const [ms, everyMs] = [positive(first), positive(second ?? '')];
  const [size, every] = [countOf(first), countOf(second ?? '')];
  if (name === 'count' && size !== undefined && second === undefined) return { count: { size } };
  if (name === 'count' && size !== undefined && every !== undefined && every <= size) return { count: { size, every } };
  if (name === 'tumbling' && ms !== undefined && second === undefined) return { tumbling: { sizeMs: ms, offsetMs } };
  if (name === 'hopping' && ms !== undefined && everyMs !== undefined && everyMs <= ms)
    return { hopping: { sizeMs: ms, everyMs, offsetMs } };
  if (name === 'session' && ms !== undefined && second === undefined) return { session: { gapMs: ms } };
  return undefined;
}

const noWindow = (text: string): EinstreamError =>
  fault('E_ARGUMENT', {
    place: '--window',
    rule: 'a window is one of four kinds, and every line must be in one',
    expected: 'such as count=64, count=64/16, tumbling=60s, tumbling=7d+4d, hopping=60s/10s, session=30s',
    actual: describeValue(text),
  });
