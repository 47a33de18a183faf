/**
 * @file Middleware as a user would write it: what the style guide shows, and what laws need.
 */
import { concatMap, defer, finalize, map, of, tap, timer } from 'rxjs';
import { assign, valueOf, type Frame, type Middleware, type Tensor } from '../../src/index.js';
import { nameOf, type OpNode } from '../../src/graph/graph.js';

/** Applies a middleware to the nodes with this name only. */
export const only =
  (name: string, middleware: Middleware): Middleware =>
  (step, node, context) =>
    nameOf(node) === name ? middleware(step, node, context) : step;

/** Skips the step while its inputs are the same tensors as for the frame before. */
export const memo = (): Middleware => (step, node) => (frames$) =>
  defer(() => {
    let seen: readonly Tensor[] = [];
    let value: Tensor | undefined;
    return frames$.pipe(
      concatMap((frame) => {
        const inputs = node.inputs.map((id) => valueOf(frame, id));
        if (value !== undefined && inputs.every((tensor, i) => tensor === seen[i])) return of(assign(frame, node.id, value));
        return of(frame).pipe(
          step,
          tap((done) => {
            seen = inputs;
            value = valueOf(done, node.id);
          }),
        );
      }),
    );
  });

/** The step of the node with this name fails for the frames that `isBad` picks. */
export const failingFor = (name: string, isBad: (frame: Frame) => boolean, error: unknown = new Error('injected')): Middleware =>
  only(
    name,
    (step) => (frames$) =>
      frames$.pipe(
        tap((frame) => {
          if (isBad(frame)) throw error;
        }),
        step,
      ),
  );

/** The step of the node with this name fails the first `times` times that it is tried, in each run. */
export const failing = (name: string, times: number, error?: unknown): Middleware =>
  only(name, (step, node, context) => {
    let left = times;
    return failingFor(name, () => left-- > 0, error)(step, node, context);
  });

/** Calls `hear` with each frame that leaves a step. */
export const probing =
  (hear: (node: OpNode, frame: Frame) => void): Middleware =>
  (step, node) =>
  (frames$) =>
    frames$.pipe(
      step,
      tap((frame) => hear(node, frame)),
    );

/** Holds each frame back for some virtual milliseconds, one after another. */
export const waiting =
  (ms: (frame: Frame) => number): Middleware =>
  (step) =>
    concatMap((frame) =>
      timer(ms(frame)).pipe(
        map(() => frame),
        step,
      ),
    );

/** Calls `hear` when the step's subscription ends, however it ends. */
export const finalizing =
  (hear: (node: OpNode) => void): Middleware =>
  (step, node) =>
  (frames$) =>
    frames$.pipe(
      step,
      finalize(() => hear(node)),
    );
