/**
 * @file A small graph on streams, and work that takes virtual time: for the specs of `runStreamAsync`.
 */
import { concatMap, finalize, map, tap, timer } from 'rxjs';
import {
  EinstreamError,
  graph,
  input,
  mul,
  named,
  valueOf,
  type AsyncConfig,
  type Middleware,
  type Outputs,
} from '../../src/index.js';
import { failingFor } from './middleware.js';

export const g = graph({ x: input([]) }, ({ x }) => ({ y: named('y', mul(x, 2)) }));
export const feed = (x: number) => ({ x });
export const naturals = (count: number) => Array.from({ length: count }, (_, k) => feed(k));
export const numbers = map(({ y }: Outputs) => y.toArray() as number);
export const codeOf = (error: unknown): unknown => (error instanceof EinstreamError ? error.code : error);

/** Each item takes so many virtual milliseconds; `stopped` hears of work that was given up. */
export const taking =
  (ms: (x: number) => number, stopped: (x: number) => void = () => undefined): Middleware =>
  (step, node) =>
    concatMap((frame) => {
      const x = valueOf(frame, node.inputs[0]).toArray() as number;
      let isDone = false;
      return timer(ms(x)).pipe(
        map(() => frame),
        step,
        tap({ complete: () => (isDone = true) }),
        finalize(() => isDone || stopped(x)),
      );
    });
export const slowly = (ms: (x: number) => number, config: AsyncConfig = {}): AsyncConfig => ({
  ...config,
  run: { use: [taking(ms)] },
});
/** Fails the first `times` times that an item is tried. */
export const failingFirst = (times: number): Middleware => failingFor('y', () => times-- > 0);
