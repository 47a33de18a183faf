/**
 * @file The shapes of one graph: which of them have code of their own, and when they vary too much for that.
 */
import type { Code } from './path.js';
import type { JitState } from './state.js';

export interface Shapes {
  /** True when code may be made for one more shape alone. */
  readonly hasRoom: () => boolean;
  readonly add: (code: Code) => void;
  /** A hot shape was run that has no code of its own. Too often, and no shape has any longer. */
  readonly missed: () => void;
  /** It is decided whether specialised code is given up: nobody has to count any more. */
  readonly isDecided: () => boolean;
}

export function shapesOf(state: JitState): Shapes {
  const { config, counts, cache } = state;
  const own = new Set<Code>();
  let [misses, isGeneric, epoch] = [0, false, state.epoch()];
  const refresh = (): void => {
    if (epoch !== state.epoch()) [misses, isGeneric, epoch] = [0, false, state.epoch()];
    for (const code of own) if (cache.get(code.key) !== code) own.delete(code);
  };
  return {
    hasRoom() {
      refresh();
      return !config.specialization || (!isGeneric && own.size < config.maxSpecializations);
    },
    add(code) {
      if (config.specialization) own.add(code);
    },
    missed() {
      refresh();
      if (isGeneric || !config.deoptimization || ++misses < config.deoptimizationThreshold) return;
      isGeneric = true;
      counts.deoptimizations++;
      for (const code of own) state.drop(code);
      own.clear();
      state.changed();
    },
    isDecided: () => isGeneric || !config.deoptimization,
  };
}
