/**
 * @file The kinds of windows, read once.
 */
import { describeValue, fault, type EinstreamError } from '../../errors/index.js';
import { readCount } from '../demand/bounds.js';
import { checkKnown, readDuration } from '../options.js';

/**
 * Which windows a record belongs to. Windows of time are [start, end) in milliseconds since the epoch, `offsetMs` after its multiples.
 *
 * - `tumbling`: one behind the other, of one size.
 * - `hopping`: of one size, one beginning each `everyMs`; a record is in several.
 * - `session`: for each key, records with less than `gapMs` between one and the next; ends `gapMs` after the last.
 * - `count`: for each key, `size` records in order of arrival, a window beginning each `every` (by default `size`) of them.
 */
export type WindowKind =
  | { readonly tumbling: { readonly sizeMs: number; readonly offsetMs?: number } }
  | { readonly hopping: { readonly sizeMs: number; readonly everyMs: number; readonly offsetMs?: number } }
  | { readonly session: { readonly gapMs: number } }
  | { readonly count: { readonly size: number; readonly every?: number } };

/** The kinds as the engine sees them: plain data, which a state is compared by. */
export type Shape =
  | { readonly kind: 'aligned'; readonly size: number; readonly every: number; readonly offset: number }
  | { readonly kind: 'session'; readonly gap: number }
  | { readonly kind: 'count'; readonly size: number; readonly every: number };

const PLACE = 'window';

/** @throws EinstreamError E_ARGUMENT naming what is wrong */
export function readKind(kind: WindowKind): Shape {
  const names = typeof kind === 'object' && kind !== null ? Object.keys(kind) : [];
  const given: unknown = names.length === 1 ? (kind as Readonly<Record<string, unknown>>)[names[0]] : undefined;
  if (typeof given !== 'object' || given === null) throw wrongKind(kind);
  switch (names[0]) {
    case 'tumbling':
    case 'hopping': {
      checkKnown(PLACE, given, names[0] === 'hopping' ? ['sizeMs', 'everyMs', 'offsetMs'] : ['sizeMs', 'offsetMs']);
      const { sizeMs, everyMs, offsetMs = 0 } = given as { sizeMs: unknown; everyMs?: unknown; offsetMs?: unknown };
      const size = readDuration(PLACE, 'sizeMs', sizeMs, 'positive');
      const every = names[0] === 'hopping' ? readDuration(PLACE, 'everyMs', everyMs, 'positive') : size;
      if (typeof offsetMs !== 'number' || !Number.isFinite(offsetMs))
        throw fault('E_ARGUMENT', { place: PLACE, rule: 'offsetMs must be a number of milliseconds', actual: describeValue(offsetMs) }); // prettier-ignore
      if (every > size) throw gaps('everyMs', every, 'sizeMs', size);
      return { kind: 'aligned', size, every, offset: offsetMs };
    }
    case 'session':
      checkKnown(PLACE, given, ['gapMs']);
      return { kind: 'session', gap: readDuration(PLACE, 'gapMs', (given as { gapMs: unknown }).gapMs, 'positive') };
    case 'count': {
      checkKnown(PLACE, given, ['size', 'every']);
      const { size: asked, every: step } = given as { size: unknown; every?: unknown };
      const size = readCount(PLACE, 'size', asked);
      const every = readCount(PLACE, 'every', step ?? size);
      if (every > size) throw gaps('every', every, 'size', size);
      return { kind: 'count', size, every };
    }
    default:
      throw wrongKind(kind);
  }
}

const wrongKind = (kind: unknown): EinstreamError =>
  fault('E_ARGUMENT', {
    place: PLACE,
    rule: 'there are four kinds of windows',
    expected: '{ tumbling: { sizeMs } }, { hopping: { sizeMs, everyMs } }, { session: { gapMs } } or { count: { size } }',
    actual: describeValue(kind),
  });

const gaps = (step: string, every: number, name: string, size: number): EinstreamError =>
  fault('E_ARGUMENT', {
    place: PLACE,
    rule: 'every record must be in a window',
    expected: `${step} ≤ ${name}, which is ${size}`,
    actual: `${step} ${every}`,
    hint: 'filter the records that shall be left out',
  });
