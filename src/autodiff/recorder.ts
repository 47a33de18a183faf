/**
 * @file A tape that a user holds: what was applied to its variables, in order.
 */
import type { Tensor } from '../tensor/tensor.js';
import { backward, type BackwardOptions, type Gradients } from './eager.js';
import type { TapeList, TapeNode, TapeRecord } from './tape.js';
import { variableOn, type Variable, type VariableOptions } from './variable.js';

/** What is done to the variables of a tape is listed on it. */
export interface Tape {
  /** A variable whose ops this tape lists. */
  variable(value: Tensor, options?: VariableOptions): Variable;
  readonly ops: readonly TapeRecord[];
  readonly length: number;
  /** Gradients, as `backward`; a tape that is not persistent is cleared. */
  backward(y: Variable, seed?: Tensor, options?: Omit<BackwardOptions, 'differentiable'>): Gradients;
  /** Lets go of everything: no way leads back over what was listed. */
  clear(): void;
}

/**
 * A tape of its own. Where an op joins variables of several tapes, each of them lists it.
 *
 * ```ts
 * const t = tape();
 * const x = t.variable(tensor([1, 2]));
 * const y = sum(exp(x));
 * t.ops.map(({ op, kind }) => `${kind} ${op}`) // => ['ElemUnary exp', 'Reduce sum']
 * t.backward(y).of(x).toArray() // => [2.718282, 7.389056]
 * t.length // => 0
 * ```
 *
 * @param options.persistent true: ways back leave it as it is, until `clear`
 */
export function tape({ persistent = false }: { readonly persistent?: boolean } = {}): Tape {
  const records: TapeRecord[] = [];
  const nodes: TapeNode[] = [];
  const list: TapeList = { isPersistent: persistent, records, nodes };
  const made: Tape = {
    variable: (value, options) => variableOn([list], value, options),
    ops: records,
    get length() {
      return records.length;
    },
    backward(y, seed, options) {
      const gradients = backward(y, seed, { ...options, differentiable: false });
      if (!persistent && options?.persistent !== true) made.clear();
      return gradients;
    },
    clear() {
      for (const node of nodes) node.origin = 'freed';
      nodes.length = 0;
      records.length = 0;
    },
  };
  return Object.freeze(made);
}
