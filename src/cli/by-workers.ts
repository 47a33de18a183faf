/**
 * @file Units computed by the workers of a pool, several at once; answers leave in the order of units.
 */
import { Observable, of, type OperatorFunction } from 'rxjs';
import { EinstreamError } from '../errors/index.js';
import type { Graph } from '../graph/graph.js';
import type { Feeds } from '../run/index.js';
import { inOrder, noLoad } from '../stream/demand/in-order.js';
import type { ExecutorPool } from '../stream/pool/index.js';
import type { Answer, Unit } from './units.js';

/** @param atOnce units that are with the pool, or wait for those before them */
export const byWorkers =
  (pool: Pick<ExecutorPool, 'evaluate'>, graph: Graph, atOnce: number): OperatorFunction<Unit, Answer> =>
  (units$) =>
    units$.pipe(
      inOrder((unit) => (unit.feeds === undefined ? of({ unit }) : asked(pool, graph, unit, unit.feeds)), atOnce, noLoad()),
    );

/** An error of the engine is the unit's own; leaving cancels. */
const asked = (pool: Pick<ExecutorPool, 'evaluate'>, graph: Graph, unit: Unit, feeds: Feeds): Observable<Answer> =>
  new Observable((subscriber) => {
    const answer = pool.evaluate(graph, feeds);
    let isOver = false;
    const tell = (given: Answer): void => {
      isOver = true;
      subscriber.next(given);
      subscriber.complete();
    };
    answer.then(
      (outputs) => tell({ unit, outputs }),
      (error: unknown) => {
        isOver = true;
        if (error instanceof EinstreamError) tell({ unit, error });
        else subscriber.error(error);
      },
    );
    return () => {
      if (!isOver) answer.cancel();
    };
  });
