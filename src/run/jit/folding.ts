/**
 * @file Code for inputs that stay the same: tried once levels are decided, kept where it is quicker, given up where an input changes.
 */
import type { Diagnostic } from '../../errors/index.js';
import type { Tensor } from '../../tensor/tensor.js';
import { madeOf, uncompiled, type Compiler } from './compiler.js';
import type { Levels } from './levels.js';
import { savedBy, type Code, type Made, type Path } from './path.js';
import type { PreparedInput } from '../prepare.js';
import type { JitState } from './state.js';
import { copiedBytes, isSteady, steadyInputs, stillSteady, type Steady } from './steady.js';
import { timePerRun } from './times.js';

export interface Folding {
  /** The inputs to look at while code is measured. */
  readonly watched: (path: Path, tensors: readonly Tensor[]) => readonly Steady[];
  /** Looks at them. */
  readonly look: (code: Code, tensors: readonly Tensor[]) => void;
  /** Puts code on trial in which inputs that did not change are constants, or settles it as it is. */
  readonly begin: (code: Code, tensors: readonly Tensor[]) => void;
  /** Measures the code without constants once more: the engine beneath has learned since. */
  readonly remeasure: (code: Code) => void;
  /** Keeps the constants where they are quicker. */
  readonly decide: (code: Code) => void;
  /** Inputs are not what the code counts on. True where that was once too often: it counts on them no longer. */
  readonly missed: (code: Code, tensors: readonly Tensor[]) => boolean;
}

const NONE: readonly Steady[] = [];

/** @param inputs as feeds are read */
export function foldingOf(
  state: JitState,
  levels: Levels,
  compile: Compiler,
  inputs: readonly PreparedInput[],
  name: string,
): Folding {
  const { config, counts, cache } = state;
  const isPossible = config.adaptive && config.specialization && levels.folds(config.hotLevel);
  return {
    watched: (path, tensors) => (isPossible && path.isFoldable ? steadyInputs(tensors, inputs, path.varying) : NONE),
    look(code, tensors) {
      const steady = stillSteady(code.steady, tensors);
      if (steady !== code.steady) watch(code, steady);
    },
    begin(code, tensors) {
      const { steady, made, path } = code;
      watch(code, NONE);
      if (steady.length > 0) {
        const folded = compiled(path, steady, made, tensors);
        const bytes = code.bytes + (folded?.folded?.bytes ?? 0);
        if (folded !== undefined && bytes <= config.maxCacheBytes) {
          resize(code, bytes);
          code.rival = made;
          code.made = folded;
          return;
        }
        folded?.program.dispose();
        path.isFoldable = false;
      }
      code.isSettled = true;
    },
    remeasure(code) {
      const { level, program } = code.rival!;
      swap(code, madeOf(level, program, config.clock));
    },
    decide(code) {
      const { made, rival } = code;
      swap(code, rival!);
      code.isSettled = true;
      if (timePerRun(rival!.times)! < timePerRun(made.times)!) return;
      code.path.isFoldable = false;
      takeOut(code);
    },
    missed(code, tensors) {
      const { path, made } = code;
      if (!config.deoptimization || ++code.misses < config.deoptimizationThreshold) return false;
      counts.deoptimizations++;
      for (const input of made.folded!.inputs) if (!isSteady(input, tensors)) path.varying.add(input.at);
      // This run is the first of the other code.
      code.runs--;
      counts.savedMs += savedBy(code);
      code.runs = 1;
      takeOut(code);
      watch(code, stillSteady(made.folded!.inputs, tensors));
      // What has not changed is looked at anew, beside new measurements.
      code.isSettled = code.steady.length === 0;
      if (!code.isSettled) code.made = madeOf(code.made.level, code.made.program, config.clock);
      state.changed();
      return true;
    },
  };

  function compiled(path: Path, steady: readonly Steady[], { program }: Made, tensors: readonly Tensor[]): Made | undefined {
    try {
      return compile.folded(path, steady, program, tensors);
    } catch (error) {
      (program.notes as Diagnostic[]).push(uncompiled(name, error, 'inputs that never change are no constants of it'));
      return undefined;
    }
  }

  function swap(code: Code, made: Made): void {
    code.rival = code.made;
    code.made = made;
  }

  /** From `made`. */
  function takeOut(code: Code): void {
    const { made, rival } = code;
    resize(code, code.bytes - made.folded!.bytes);
    made.program.dispose();
    code.made = rival!;
    code.rival = undefined;
    code.misses = 0;
  }

  function watch(code: Code, steady: readonly Steady[]): void {
    resize(code, code.bytes - copiedBytes(code.steady) + copiedBytes(steady));
    code.steady = steady;
  }

  function resize(code: Code, bytes: number): void {
    if (bytes === code.bytes) return;
    cache.remove(code);
    code.bytes = bytes;
    cache.add(code);
  }
}
