/**
 * @file The guard around middleware, which is the user's code: what it does wrong becomes an error with its node.
 */
import { Observable } from 'rxjs';
import { EinstreamError, fault } from '../errors/index.js';
import { placeOf, type OpNode } from '../graph/graph.js';
import type { Frame } from './frame.js';
import { link, passing } from './link.js';
import type { Step } from './step.js';

/** What middleware throws becomes E_CONSUMER, with the node that it wrapped. */
const consumerError = (node: OpNode, cause: unknown): EinstreamError =>
  cause instanceof EinstreamError
    ? cause
    : fault('E_CONSUMER', {
        ...placeOf(node),
        rule: 'middleware must not throw',
        actual: cause instanceof Error ? cause.message : String(cause),
        cause,
      });

/** The step that middleware makes, or E_CONSUMER. */
export function madeStep(node: OpNode, make: () => Step): Step {
  try {
    const step: unknown = make();
    if (typeof step === 'function') return step as Step;
    throw fault('E_CONSUMER', { ...placeOf(node), rule: 'middleware must return an operator', actual: typeof step });
  } catch (error) {
    throw consumerError(node, error);
  }
}

function applied(node: OpNode, step: Step, frames$: Observable<Frame>): Observable<Frame> {
  try {
    const result: unknown = step(frames$);
    if (result instanceof Observable) return result as Observable<Frame>;
    throw fault('E_CONSUMER', {
      ...placeOf(node),
      rule: 'middleware must return an operator, which returns an Observable',
      actual: typeof result,
    });
  } catch (error) {
    throw consumerError(node, error);
  }
}

/** What is wrong with a frame that left the step. */
function faultOf(node: OpNode, slot: number, frame: Frame): EinstreamError | undefined {
  if (!isFrame(frame))
    return fault('E_CONSUMER', {
      ...placeOf(node),
      rule: 'middleware must pass on frames',
      actual: frame === null ? 'null' : typeof frame,
    });
  if (frame.lease.holder !== frame)
    return fault('E_STALE', {
      ...placeOf(node),
      rule: 'middleware must pass on each frame once',
      actual: `frame ${frame.index} again, after its end`,
    });
  if (frame.values[slot] !== undefined) return undefined;
  return fault('E_CONSUMER', {
    ...placeOf(node),
    rule: 'middleware must give its node a value',
    hint: 'run the step, or assign(frame, node.id, value)',
  });
}

const isFrame = (frame: unknown): frame is Frame =>
  typeof frame === 'object' && frame !== null && 'lease' in frame && 'values' in frame;

/** The step with its failures told apart: those from above pass through untouched, those of the step get its node. */
export const guardedStep =
  (node: OpNode, slot: number, step: Step): Step =>
  (frames$) =>
    new Observable((subscriber) => {
      let above: { readonly error: unknown } | undefined;
      const heard$ = new Observable<Frame>((inner) => {
        const { next, complete } = passing(inner);
        link(frames$, inner, {
          next,
          error(error: unknown) {
            above = { error };
            inner.error(error);
          },
          complete,
        });
      });
      link(applied(node, step, heard$), subscriber, {
        next(frame) {
          const wrong = faultOf(node, slot, frame);
          if (wrong === undefined) subscriber.next(frame);
          else subscriber.error(wrong);
        },
        error: (error: unknown) =>
          subscriber.error(above !== undefined && above.error === error ? error : consumerError(node, error)),
        complete: () => subscriber.complete(),
      });
    });
