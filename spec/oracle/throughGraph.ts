/**
 * @file The corpus through graphs: a case becomes a graph of symbols that `evaluateSync` runs on one backend.
 */
import {
  evaluateSync,
  graph,
  input,
  neg,
  ops,
  type Backend,
  type ComputedDType,
  type GraphSymbol,
  type RunOptions,
  type Tensor,
} from '../../src/index.js';
import type { Apply, Build } from './families.js';

export interface Through extends Pick<RunOptions, 'level' | 'fallback'> {
  /** `'open'`: every size is `null` until it is fed, so that shapes are checked only when the feeds are there. */
  readonly sizes?: 'declared' | 'open';
}

/** Declares an input for each tensor, builds the rule's graph, feeds it. */
export const buildGraph =
  (backend?: Backend, { level, fallback, sizes = 'declared' }: Through = {}): Build =>
  (rule, inputs) => {
    const names = inputs.map((_, i) => `x${i}`);
    const dims = ({ shape }: Tensor) => (sizes === 'open' ? shape.map(() => null) : shape);
    const declared = Object.fromEntries(inputs.map((t, i) => [names[i], input(dims(t), { dtype: t.dtype as ComputedDType })]));
    // Ops take symbols and tensors alike, so the same rule builds and computes.
    const asBuilder = rule as unknown as (...symbols: readonly GraphSymbol[]) => GraphSymbol;
    const built = graph(declared, (symbols): Readonly<Record<'y', GraphSymbol>> => {
      // A kernel that would run before the rule's own.
      const first = sizes === 'open' ? { first: neg(symbols[names[0]]) } : {};
      return { ...first, y: asBuilder(...names.map((name) => symbols[name])) };
    });
    const feeds = Object.fromEntries(inputs.map((t, i) => [names[i], t]));
    return evaluateSync(built, feeds, { backend, level, fallback }).y;
  };

export const applyInGraph =
  (backend?: Backend, through?: Through): Apply =>
  (op, inputs, params = {}) =>
    buildGraph(backend, through)((...operands) => ops[op](...operands, params) as Tensor, inputs);
