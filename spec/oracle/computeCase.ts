/**
 * @file Every family of the corpus that a backend computes, through graphs.
 */
import { slice, transpose, type Backend, type Tensor } from '../../src/index.js';
import { tensorOf, type Case } from './corpus.js';
import {
  computeBinary,
  computeEinsum,
  computeNamed,
  computeSoftlogic,
  computeUnary,
  type Apply,
  type Build,
} from './families.js';
import { applyInGraph, applyInGraphLater, buildGraph, buildGraphLater, type Through } from './throughGraph.js';
import { specOf, viewsOf, type View } from './views.js';

export const COMPUTED_FAMILIES = ['einsum', 'unary', 'binary', 'reduce', 'softmax', 'softlogic', 'view'] as const;
export type ComputedFamily = (typeof COMPUTED_FAMILIES)[number];

const see = (x: Tensor, view: View): Tensor =>
  'transpose' in view ? transpose(x, { perm: view.transpose }) : slice(x, ...view.map(specOf));

function compute(family: ComputedFamily, c: Case, apply: Apply, build: Build): Tensor {
  switch (family) {
    case 'einsum':
      return computeEinsum(c, apply);
    case 'unary':
      return computeUnary(c, apply);
    case 'binary':
      return computeBinary(c, apply);
    case 'softlogic':
      return computeSoftlogic(c, build);
    case 'view':
      return build((x) => viewsOf(c).reduce(see, x), c.inputs.map(tensorOf));
    default:
      return computeNamed(c, apply);
  }
}

/** The case as a graph, run on `backend` (the default one without). */
export const computeCase = (family: ComputedFamily, c: Case, backend?: Backend, through: Through = {}): Tensor =>
  compute(family, c, applyInGraph(backend, through), buildGraph(backend, through));

/** As `computeCase`, for backends that answer later. Families hand on what `apply` and `build` give, so a promise passes too. */
export const computeCaseLater = (family: ComputedFamily, c: Case, backend: Backend, through: Through = {}): Promise<Tensor> =>
  Promise.resolve(
    compute(
      family,
      c,
      applyInGraphLater(backend, through) as unknown as Apply,
      buildGraphLater(backend, through) as unknown as Build,
    ),
  );
