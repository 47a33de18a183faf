/**
 * @file One run's way through its phases: what is told to hooks, in which order, and how much is done.
 */
import { diagnose, EinstreamError } from '../errors/index.js';
import type { OpNode } from '../graph/graph.js';
import { isTerminal, mayFollow, wantsNodes, type ExecutionHook, type ExecutionPhase, type ExecutionState } from './phases.js';

export interface Lifecycle {
  readonly state: ExecutionState;
  /** A hook asks for node events: the engine wraps its steps only then. */
  readonly wantsNodes: boolean;
  /** All but `fail` and `cancel` throw E_CONSUMER when a hook throws. A phase that may not follow is ignored. */
  enter(phase: 'GraphLoad' | 'Preparing'): void;
  started(): void;
  finished(): void;
  nodeStarted(node: OpNode, frame: number): void;
  nodeFinished(node: OpNode, frame: number): void;
  complete(): void;
  /** Gives the error to send on: the same one, unless a hook throws. */
  fail(error: unknown): unknown;
  /** Does nothing when the run has ended. Gives what a hook throws: no stream can carry it any more. */
  cancel(): EinstreamError | undefined;
}

/** What a run is measured against: a unit of work is one node in one frame, and completing is the last unit. */
export interface Work {
  readonly nodes: number;
  /** Feeds that are expected. */
  readonly total: number;
}

export function lifecycle(run: number, hooks: readonly ExecutionHook[], { nodes, total }: Work): Lifecycle {
  const perFrame = Math.max(1, nodes);
  const units = perFrame * total;
  const countsNodes = hooks.some(wantsNodes);
  let phase: ExecutionPhase | undefined;
  let [inFlight, frames, done] = [0, 0, 0];
  let error: unknown;
  const state: ExecutionState = Object.freeze({
    run,
    get phase() {
      return phase;
    },
    get progress() {
      return phase === 'Complete' ? 1 : Math.min(done, units) / (units + 1);
    },
    get frames() {
      return frames;
    },
    get error() {
      return error;
    },
  });
  const tell = (call: (hook: ExecutionHook) => void): void => {
    const thrown: unknown[] = [];
    for (const hook of [...hooks]) {
      try {
        call(hook);
      } catch (each) {
        thrown.push(each);
      }
    }
    if (thrown.length > 0) throw hookFault(thrown);
  };
  const enter = (next: ExecutionPhase): void => {
    if (!mayFollow(phase, next)) return;
    phase = next;
    tell((hook) => hook.onPhaseChange?.(next, state));
  };
  /** What hooks throw when they are told of an end. */
  const caught = (...acts: readonly (() => void)[]): readonly unknown[] =>
    acts.flatMap((act) => {
      try {
        act();
        return [];
      } catch (each) {
        return [each];
      }
    });

  return {
    state,
    wantsNodes: countsNodes,
    enter,
    started() {
      inFlight++;
      enter('Execution');
    },
    finished() {
      frames++;
      done = Math.max(done, frames * perFrame);
      if (--inFlight === 0) enter('Waiting');
    },
    nodeStarted: (node, frame) => tell((hook) => hook.onNodeStart?.(node, frame, state)),
    nodeFinished(node, frame) {
      done++;
      tell((hook) => hook.onNodeComplete?.(node, frame, state));
    },
    complete() {
      const thrown = caught(
        () => enter('Complete'),
        () => tell((hook) => hook.onComplete?.(state)),
      );
      if (thrown.length > 0) throw (error = joined(thrown));
    },
    fail(given) {
      if (isTerminal(phase)) return given;
      error = given;
      const thrown = caught(
        () => enter('Failed'),
        () => tell((hook) => hook.onError?.(given, state)),
      );
      // The hook's fault first, as it is this subscription's own; the reason of the failure stays with it.
      return thrown.length === 0 ? given : (error = joined([...thrown, given]));
    },
    cancel() {
      const thrown = caught(() => enter('Cancelled'));
      return thrown.length === 0 ? undefined : (error = joined(thrown));
    },
  };
}

function hookFault([cause, ...others]: readonly unknown[]): EinstreamError {
  const actual = cause instanceof Error ? cause.message : String(cause);
  const diagnostic = diagnose('E_CONSUMER', { place: 'hook', rule: 'a hook must not throw', actual, cause });
  return new EinstreamError('E_CONSUMER', diagnostic, { cause, suppressed: others });
}

/** The first as it is, with the others in `suppressed`. */
function joined([first, ...others]: readonly unknown[]): EinstreamError {
  const { code, diagnostic, nodeId, attempt, cause, suppressed } = first as EinstreamError;
  return new EinstreamError(code, diagnostic, { nodeId, attempt, cause, suppressed: [...suppressed, ...others] });
}
