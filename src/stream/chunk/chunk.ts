/**
 * @file `chunk`: rows become chunks.
 */
import { Observable, type OperatorFunction } from 'rxjs';
import type { Feeds } from '../../run/feeds.js';
import { link } from '../../run/link.js';
import { serial } from '../../run/serial.js';
import { lend, type Kept } from '../kept.js';
import { checkKnown } from '../options.js';
import { checkChunkState, chunker, type Chunk, type ChunkState } from './chunker.js';
import { checkMode, type ChunkMode } from './mode.js';

/**
 * Stacks rows (feeds without the axis of rows) into chunks, along a new axis 0.
 *
 * A chunk leaves when the row behind it has come, or the end: only then it is known whether it is the last. Holds the rows of one chunk.
 * No rows, no chunks. An error discards the rows that are in no chunk.
 *
 * ```ts
 * const rows$ = from([{ x: [0, 0] }, { x: [1, 1] }, { x: [2, 2] }]);
 * const chunks$ = rows$.pipe(chunk({ count: 2 }), map(({ feeds, metadata: { startIdx, isLast } }) => [startIdx, feeds.x, isLast]));
 * chunks$ // => [[0, [[0, 0], [1, 1]], false], [2, [[2, 2]], true]]
 * ```
 *
 * @throws EinstreamError E_ARGUMENT for sizes that are none, at the call; E_FEED, E_SHAPE and E_DTYPE on the stream for rows that are not alike
 */
export function chunk<F extends Feeds>(mode: ChunkMode, options: Kept<ChunkState> = {}): OperatorFunction<F, Chunk> {
  checkMode('chunk', mode);
  checkKnown('chunk', options, ['from', 'state']);
  checkChunkState('chunk', options.from);
  return (rows$) =>
    new Observable((subscriber) => {
      const { add, end, read } = chunker(mode, options.from);
      lend(options, read);
      const attempt = (made: () => Chunk | undefined): void => {
        if (subscriber.closed) return;
        let ready: Chunk | undefined;
        try {
          ready = made();
        } catch (error) {
          return subscriber.error(error);
        }
        if (ready !== undefined) subscriber.next(ready);
      };
      link(
        rows$,
        subscriber,
        serial({
          next: (row) => attempt(() => add(row)),
          error: (error: unknown) => subscriber.error(error),
          complete() {
            attempt(end);
            subscriber.complete();
          },
        }),
      );
    });
}
