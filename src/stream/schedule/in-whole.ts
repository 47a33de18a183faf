/**
 * @file What goes wrong in a part, told in terms of the whole.
 */
import { catchError, throwError, type MonoTypeOperatorFunction } from 'rxjs';
import { EinstreamError } from '../../errors/index.js';
import type { Graph } from '../../graph/graph.js';
import { findNode } from '../../graph/graph.js';
import type { Part } from './part.js';

/** Names of nodes are the same there; their ids are not. */
export const inWhole = <T>(graph: Graph, { wholeIds }: Part): MonoTypeOperatorFunction<T> =>
  catchError((error: unknown) => {
    if (!(error instanceof EinstreamError) || error.nodeId === undefined) return throwError(() => error);
    const nodeId = wholeIds[error.nodeId];
    if (findNode(graph, nodeId) === undefined) return throwError(() => error);
    return throwError(
      () => new EinstreamError(error.code, { ...error.diagnostic, nodeId }, { nodeId, attempt: error.attempt, cause: error }),
    );
  });
