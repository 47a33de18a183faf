/**
 * @file Steps become one operator: runs of plain steps join into loops, long chains are cut into pieces.
 *
 * RxJS operators call one another, so about 1,000 in a row overflow the stack, and then values vanish without an
 * error. So a piece has at most 128 operators.
 */
import { map } from 'rxjs';
import type { EinstreamError } from '../errors/index.js';
import type { OpNode } from '../graph/graph.js';
import { handOver } from './hand-over.js';
import type { Apply, Step } from './step.js';

/** A node's step: `apply` is there for plain synchronous steps, whose operator is `map(apply)`. */
export interface ComposedStep {
  readonly node: OpNode;
  readonly operator: Step;
  readonly apply: Apply | undefined;
  /** Operators that `operator` is made of, at a guess that is rather too high. */
  readonly depth: number;
}

/** Operators that a piece may have. */
const LONGEST = 128;

/** @param tell hears of a teardown that failed when no stream could carry it */
export function compose(
  steps: readonly ComposedStep[],
  mode: 'segments' | 'separate',
  tell: (failure: EinstreamError) => void,
): Step {
  if (mode === 'segments' && steps.every(({ apply }) => apply !== undefined)) return chain(joined(steps));
  // Cut by depth, which is the same in both modes: they hand over at the same places, and tear down in the same order.
  const pieces = cut(steps).map((part) => chain(mode === 'segments' ? joined(part) : part.map(({ operator }) => operator)));
  return pieces.length <= 1 ? chain(pieces) : handOver(pieces, tell);
}

function cut(steps: readonly ComposedStep[]): readonly (readonly ComposedStep[])[] {
  const parts: ComposedStep[][] = [];
  let part: ComposedStep[] = [];
  let depth = 0;
  for (const step of steps) {
    if (part.length === 0 || depth + step.depth > LONGEST) {
      parts.push((part = []));
      depth = 0;
    }
    part.push(step);
    depth += step.depth;
  }
  return parts;
}

const chain =
  (operators: readonly Step[]): Step =>
  (frames$) =>
    operators.reduce((source$, operator) => operator(source$), frames$);

/** map ∘ map = map: each run of plain steps as one operator that loops over them. */
function joined(steps: readonly ComposedStep[]): Step[] {
  const operators: Step[] = [];
  let run: Apply[] = [];
  const flush = (): void => {
    if (run.length > 0) operators.push(segment(run));
    run = [];
  };
  for (const { apply, operator } of steps) {
    if (apply !== undefined) run.push(apply);
    else {
      flush();
      operators.push(operator);
    }
  }
  flush();
  return operators;
}

const segment = (run: readonly Apply[]): Step =>
  map((frame) => {
    for (let at = 0; at < run.length; at++) run[at](frame);
    return frame;
  });
