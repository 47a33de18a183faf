/**
 * @file What becomes of one item of a batch.
 */
import { EinstreamError } from '../../errors/index.js';
import type { Names } from '../../graph/graph.js';
import type { Outputs } from '../../run/feeds.js';

/** What came of one item: outputs, or why there are none. */
export interface ItemResult<O extends Names = Names> {
  /** Of the item, counted from 0. */
  readonly index: number;
  readonly timeMs: number;
  readonly outputs: Outputs<O> | undefined;
  /** What the item alone failed with. */
  readonly error: unknown;
}

/** The same failure, which says of which item it is. What is not ours stays as it is. */
export function ofItem(index: number, error: unknown): unknown {
  if (!(error instanceof EinstreamError)) return error;
  const { diagnostic, code, nodeId, attempt, suppressed } = error;
  const context = [...diagnostic.context, `in item ${index} of the batch`];
  return new EinstreamError(code, { ...diagnostic, context }, { nodeId, attempt, suppressed, cause: error });
}
