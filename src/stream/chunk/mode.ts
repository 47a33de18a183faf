/**
 * @file How large chunks are.
 */
import { describeValue, fault } from '../../errors/index.js';
import type { Feeds } from '../../run/feeds.js';
import { readCount } from '../demand/bounds.js';
import { checkFunction, checkKnown, readDuration } from '../options.js';

/**
 * How large chunks are.
 *
 * - `{ count }`: so many rows, an integer ≥ 1.
 * - `{ bytes }`: as many rows as stay within so many bytes, one at least. `sizeOf` gives the bytes of a row; by default those of its
 *   elements. `runStream` adds what the graph needs for it.
 * - `{ adaptive }`: `initial` rows (32), then as many as take about `targetMs` (100), between 1 and 1000.
 * - `'none'`: all rows are one chunk.
 */
export type ChunkMode =
  | { readonly count: number }
  | { readonly bytes: number; readonly sizeOf?: (row: Feeds, position: number) => number }
  | { readonly adaptive: { readonly initial?: number; readonly targetMs?: number } }
  | 'none';

const EXPECTED = "{ count }, { bytes }, { adaptive: { initial, targetMs } } or 'none'";

/** @throws EinstreamError E_ARGUMENT for sizes that are none */
export function checkMode(place: string, mode: ChunkMode): void {
  if (mode === 'none') return;
  const names = typeof mode === 'object' && mode !== null ? Object.keys(mode) : [];
  const wrong = () => fault('E_ARGUMENT', { place, rule: 'chunks have a size', expected: EXPECTED, actual: describeValue(mode) });
  if (names.length === 0) throw wrong();
  if ('count' in mode) {
    checkKnown(place, mode, ['count']);
    readCount(place, 'count', mode.count);
  } else if ('bytes' in mode) {
    checkKnown(place, mode, ['bytes', 'sizeOf']);
    if (!(typeof mode.bytes === 'number' && mode.bytes > 0))
      throw fault('E_ARGUMENT', { place, rule: 'bytes must be a number above 0', actual: describeValue(mode.bytes) });
    if (mode.sizeOf !== undefined) checkFunction(place, 'sizeOf', mode.sizeOf);
  } else if ('adaptive' in mode && typeof mode.adaptive === 'object' && mode.adaptive !== null) {
    checkKnown(place, mode, ['adaptive']);
    checkKnown(place, mode.adaptive, ['initial', 'targetMs']);
    if (mode.adaptive.initial !== undefined) readCount(place, 'initial', mode.adaptive.initial);
    if (mode.adaptive.targetMs !== undefined) readDuration(place, 'targetMs', mode.adaptive.targetMs, 'positive');
  } else throw wrong();
}
