/**
 * @file A hook that lists all it hears, and the progress at each moment.
 */
import type { ExecutionHook } from '../../src/run/index.js';

export interface Listener {
  readonly hook: Required<ExecutionHook>;
  readonly heard: string[];
  readonly progress: number[];
}

export function listener(): Listener {
  const heard: string[] = [];
  const progress: number[] = [];
  const note = (text: string, at: number): void => {
    heard.push(text);
    progress.push(at);
  };
  const hook: Required<ExecutionHook> = {
    onPhaseChange: (phase, state) => note(phase, state.progress),
    onNodeStart: ({ op }, frame, state) => note(`>${op}${frame}`, state.progress),
    onNodeComplete: ({ op }, frame, state) => note(`<${op}${frame}`, state.progress),
    onError: (error, state) => note(`error ${(error as Error).message}`, state.progress),
    onComplete: (state) => note('end', state.progress),
  };
  return { hook, heard, progress };
}

/** The hook without node events, so that the engine does not wrap steps. */
export const phasesOnly = ({ onPhaseChange, onError, onComplete }: ExecutionHook): ExecutionHook => ({
  onPhaseChange,
  onError,
  onComplete,
});
