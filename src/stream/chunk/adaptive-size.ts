/**
 * @file `adaptiveSize`: how many rows the next chunk should have.
 */

/** How long a chunk took. */
export interface ChunkTime {
  /** Rows. */
  readonly size: number;
  readonly ms: number;
}

const [LEAST, MOST] = [1, 1000];
/** Times that count: older ones are of another load. */
export const REMEMBERED = 5;
/** A size changes at most by this factor: one slow chunk says little. */
const STEP = 2;

/**
 * Rows for the next chunk, so that it takes about `targetMs`: as many as the median rate of the last five chunks allows, at most twice and
 * at least half as many as the last one had, between 1 and 1000. Without history `initial`.
 *
 * ```ts
 * adaptiveSize([]) // => 32
 * adaptiveSize([{ size: 32, ms: 40 }], { targetMs: 50 }) // => 40
 * adaptiveSize([{ size: 32, ms: 4000 }]) // => 16
 * ```
 *
 * @param history the oldest first; milliseconds may be 0
 */
export function adaptiveSize(
  history: readonly ChunkTime[],
  { initial = 32, targetMs = 100 }: { readonly initial?: number; readonly targetMs?: number } = {},
): number {
  const clamp = (size: number): number => Math.min(MOST, Math.max(LEAST, Math.round(size)));
  const last = history.at(-1);
  if (last === undefined) return clamp(initial);
  const costs = history.slice(-REMEMBERED).map(({ size, ms }) => ms / size).sort((a, b) => a - b); // prettier-ignore
  const cost = costs[costs.length >> 1];
  const wanted = cost > 0 ? targetMs / cost : Infinity;
  return clamp(Math.min(last.size * STEP, Math.max(last.size / STEP, wanted)));
}
