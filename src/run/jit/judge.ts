/**
 * @file Which level is quickest: decided once for each path, by what its runs took.
 *
 * The hot level comes first. Then the level below has its turn, and so on: a level stays only where its runs took less time
 * than those of the one below, so that nothing is compiled twice to no end. Inputs that did not change meanwhile are folded in last.
 */
import type { Diagnostic } from '../../errors/index.js';
import type { Tensor } from '../../tensor/tensor.js';
import { uncompiled, type Compiler } from './compiler.js';
import type { Folding } from './folding.js';
import type { Levels } from './levels.js';
import type { Code, Made } from './path.js';
import type { JitState } from './state.js';
import { timePerRun } from './times.js';

/** Decides about code that has been measured for long enough. */
export type Judge = (code: Code, tensors: readonly Tensor[]) => void;

export function judgeOf(state: JitState, levels: Levels, compile: Compiler, folding: Folding, name: string): Judge {
  const { config, counts } = state;
  const settle = (code: Code, made: Made, tensors: readonly Tensor[]): void => {
    code.made = made;
    code.rival = undefined;
    code.path.verdict = made.level;
    folding.begin(code, tensors);
  };
  const tryBelow = (code: Code, best: Made, tensors: readonly Tensor[]): void => {
    const level = levels.below(best.level, config.initialLevel);
    if (level === undefined) return settle(code, best, tensors);
    code.rival = best;
    try {
      code.made = compile.at(code.path, level, tensors);
    } catch (error) {
      (best.program.notes as Diagnostic[]).push(uncompiled(name, error));
      settle(code, best, tensors);
    }
  };
  return (code, tensors) => {
    const { path, made, rival } = code;
    if (!config.adaptive || !code.isSpecialised) return void (code.isSettled = true);
    if (made.folded !== undefined) return folding.remeasure(code);
    if (rival?.folded !== undefined) return folding.decide(code);
    if (path.verdict !== undefined) return folding.begin(code, tensors);
    const now = timePerRun(made.times)!;
    if (rival === undefined) {
      const before = timePerRun(path.interpreted);
      if (before === undefined || now <= before) return tryBelow(code, made, tensors);
      path.verdict = 'interpreted';
      counts.deoptimizations++;
      state.drop(code);
      state.changed();
    } else if (timePerRun(rival.times)! < now) {
      made.program.dispose();
      settle(code, rival, tensors);
    } else {
      rival.program.dispose();
      tryBelow(code, made, tensors);
    }
  };
}
