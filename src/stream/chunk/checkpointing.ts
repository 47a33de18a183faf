/**
 * @file Checkpoints between chunks: where to go on, told when all before it was delivered.
 */
import { Observable, type MonoTypeOperatorFunction } from 'rxjs';
import type { Names } from '../../graph/graph.js';
import { link, passing } from '../../run/link.js';
import { serial } from '../../run/serial.js';
import { consumerFailed } from '../demand/failures.js';
import { REMEMBERED } from './adaptive-size.js';
import type { ChunkState } from './chunker.js';
import type { StreamResult } from './run-chunks.js';

export const checkpointing =
  <O extends Names>(
    every: number,
    save: (state: ChunkState) => void,
    from: ChunkState | undefined,
  ): MonoTypeOperatorFunction<StreamResult<O>> =>
  (results$) =>
    new Observable((subscriber) => {
      let history = from?.history ?? [];
      const next = (result: StreamResult<O>): void => {
        const { chunkId, endIdx, size } = result.metadata;
        history = [...history, { size, ms: result.processingTimeMs }].slice(-REMEMBERED);
        subscriber.next(result);
        if (subscriber.closed || (chunkId + 1) % every !== 0) return;
        try {
          save(
            Object.freeze({ chunkId: chunkId + 1, startIdx: endIdx, rows: Object.freeze([]), history: Object.freeze(history) }),
          );
        } catch (error) {
          subscriber.error(consumerFailed('onCheckpoint', error));
        }
      };
      link(results$, subscriber, serial({ ...passing(subscriber), next }));
    });
