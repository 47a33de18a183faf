/**
 * @file A hook that writes what it hears as lines of text.
 */
import { excerpt } from '../errors/index.js';
import { nameOf, type OpNode } from '../graph/graph.js';
import type { ExecutionHook, ExecutionState } from './phases.js';

/** How much `logging` writes. */
export interface LoggingOptions {
  /** `'phases'` (default): phases, failure and end. `'nodes'`: each node too, which makes runs slower. */
  readonly events?: 'phases' | 'nodes';
}

/**
 * A hook for `context` that logs a line for each event; names are escaped, so that none can start a line of its own.
 *
 * ```ts
 * const lines = [];
 * const ctx = context().addHook(logging((line) => void lines.push(line)));
 * ctx.notify('GraphLoad');
 * lines // => ['run 1: GraphLoad']
 * ```
 *
 * @param sink takes each line; the console by default
 */
export function logging(sink: (line: string) => void = (line) => console.log(line), options: LoggingOptions = {}): ExecutionHook {
  const write = ({ run }: ExecutionState, text: string): void => sink(`run ${run}: ${text}`);
  const about = (node: OpNode, frame: number): string => `${excerpt(nameOf(node), 80)} (${node.op}) in frame ${frame}`;
  return {
    onPhaseChange: (phase, state) => write(state, phase),
    onError: (error, state) => write(state, `error ${excerpt(error instanceof Error ? error.message : String(error), 400)}`),
    onComplete: (state) => write(state, `${state.frames} ${state.frames === 1 ? 'feed' : 'feeds'} answered`),
    ...(options.events === 'nodes'
      ? {
          onNodeStart: (node: OpNode, frame: number, state: ExecutionState) => write(state, `start ${about(node, frame)}`),
          onNodeComplete: (node: OpNode, frame: number, state: ExecutionState) => write(state, `done ${about(node, frame)}`),
        }
      : {}),
  };
}
