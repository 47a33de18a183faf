/**
 * @file The corpus through graphs: a case becomes a graph of symbols that `evaluateSync` runs on one backend.
 */
import {
  evaluate,
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

/** Declares an input for each tensor, and builds the rule's graph. */
const caseOf = (rule: Parameters<Build>[0], inputs: readonly Tensor[], sizes: Through['sizes'] = 'declared') => {
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
  return { built, feeds: Object.fromEntries(inputs.map((t, i) => [names[i], t])) };
};

/** Builds the rule's graph and feeds it. */
export const buildGraph =
  (backend?: Backend, { level, fallback, sizes }: Through = {}): Build =>
  (rule, inputs) => {
    const { built, feeds } = caseOf(rule, inputs, sizes);
    return evaluateSync(built, feeds, { backend, level, fallback }).y;
  };

/** As `buildGraph`, for backends that answer later. */
export const buildGraphLater =
  (backend: Backend, { level, fallback, sizes }: Through = {}): Later<Build> =>
  async (rule, inputs) => {
    const { built, feeds } = caseOf(rule, inputs, sizes);
    return (await evaluate(built, feeds, { backend, level, fallback })).y;
  };

/** The function with a promise of its result. */
export type Later<F extends (...args: never[]) => Tensor> = (...args: Parameters<F>) => Promise<Tensor>;

export const applyInGraph =
  (backend?: Backend, through?: Through): Apply =>
  (op, inputs, params = {}) =>
    buildGraph(backend, through)((...operands) => ops[op](...operands, params) as Tensor, inputs);

export const applyInGraphLater =
  (backend: Backend, through?: Through): Later<Apply> =>
  (op, inputs, params = {}) =>
    buildGraphLater(backend, through)((...operands) => ops[op](...operands, params) as Tensor, inputs);
