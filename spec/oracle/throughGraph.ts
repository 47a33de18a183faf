/**
 * @file The corpus through graphs: a case becomes a graph of symbols that `evaluateSync` runs on one backend.
 */
import {
  evaluateSync,
  graph,
  input,
  ops,
  type Backend,
  type ComputedDType,
  type GraphSymbol,
  type Tensor,
} from '../../src/index.js';
import type { Apply, Build } from './families.js';

/** Declares an input for each tensor, builds the rule's graph, feeds it. */
export const buildGraph =
  (backend?: Backend): Build =>
  (rule, inputs) => {
    const names = inputs.map((_, i) => `x${i}`);
    const declared = Object.fromEntries(inputs.map((t, i) => [names[i], input(t.shape, { dtype: t.dtype as ComputedDType })]));
    // Ops take symbols and tensors alike, so the same rule builds and computes.
    const asBuilder = rule as unknown as (...symbols: readonly GraphSymbol[]) => GraphSymbol;
    const built = graph(declared, (symbols) => ({ y: asBuilder(...names.map((name) => symbols[name])) }));
    const feeds = Object.fromEntries(inputs.map((t, i) => [names[i], t]));
    return evaluateSync(built, feeds, { backend }).y;
  };

export const applyInGraph =
  (backend?: Backend): Apply =>
  (op, inputs, params = {}) =>
    buildGraph(backend)((...operands) => ops[op](...operands, params) as Tensor, inputs);
