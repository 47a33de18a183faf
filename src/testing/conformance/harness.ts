/**
 * @file What every suite of the conformance test does: make a backend, run a graph on it, hold it to the definition.
 */
import type { Backend } from '../../backends/index.js';
import { supports } from '../../backends/index.js';
import { EinstreamError, fault } from '../../errors/index.js';
import type { Graph } from '../../graph/graph.js';
import { evaluate } from '../../run/evaluate.js';
import type { Feeds } from '../../run/feeds.js';
import type { Tensor } from '../../tensor/tensor.js';
import { differenceOf } from './difference.js';
import { reference } from './reference.js';

/** `it(title, check)` in any test runner: rejects when what the title says does not hold. */
export interface Check {
  readonly title: string;
  readonly check: () => Promise<void>;
}

/** How suites reach the backend under test. */
export interface Harness {
  /** Largest error against the reference, relative to values above 1, absolute below. */
  readonly tolerance: number;
  /** A check that makes a backend, works with it and closes it. */
  readonly on: (work: (backend: Backend) => void | Promise<void>) => () => Promise<void>;
  /** Where random cases begin. */
  readonly seed: number;
}

export const harness = (make: () => Backend | Promise<Backend>, tolerance: number, seed: number): Harness => ({
  tolerance,
  seed,
  on: (work) => async () => {
    const backend = await make();
    try {
      await work(backend);
    } finally {
      await backend.close();
    }
  },
});

/** A check that fails, with what was expected and what came. */
export const failed = (place: string, rule: string, expected: string, actual: string): EinstreamError =>
  fault('E_BACKEND', { place, rule, expected, actual });

/** The graph gives what its definition says, as given and optimised; or the backend says beforehand that it cannot, and refuses. */
export async function holds(
  { tolerance }: Pick<Harness, 'tolerance'>,
  backend: Backend,
  graph: Graph,
  feeds: Feeds,
  place: string,
): Promise<void> {
  const { unsupported } = supports(backend, graph);
  if (unsupported.length > 0) return refuses(backend, graph, feeds, place, unsupported[0].diagnostic.code);
  const wanted = reference(graph, feeds as Readonly<Record<string, Tensor>>);
  for (const level of ['none', 'standard'] as const) {
    const got = await evaluate(graph, feeds, { backend, level, fallback: 'never' });
    same(got, wanted, tolerance, `${place}, level ${level}`);
  }
}

/** All outputs are there, of the right type, with the right elements. */
export function same(
  got: Readonly<Record<string, Tensor>>,
  wanted: ReadonlyMap<string, Tensor>,
  tolerance: number,
  place: string,
): void {
  const names = [...wanted.keys()].join(', ');
  if (Object.keys(got).join(', ') !== names)
    throw failed(place, 'outputs come in the order of the graph', names, Object.keys(got).join(', '));
  for (const [name, want] of wanted) {
    const difference = differenceOf(got[name], want, tolerance);
    if (difference !== undefined)
      throw failed(
        `${place}, output "${name}"`,
        'the backend agrees with the definition',
        difference.expected,
        difference.actual,
      );
  }
}

/** The graph cannot be run, every node of it: the error has this code. */
export async function refuses(backend: Backend, graph: Graph, feeds: Feeds, place: string, code: string): Promise<void> {
  const outcome = await evaluate(graph, feeds, { backend, level: 'none', fallback: 'never' }).then(
    () => 'a value',
    (error: unknown) => (error instanceof EinstreamError ? [error.code, error.diagnostic.code] : String(error)),
  );
  if (!outcome.includes(code)) throw failed(place, 'what cannot be run is refused', code, String(outcome));
}
