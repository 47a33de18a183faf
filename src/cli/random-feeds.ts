/**
 * @file Feeds for a graph out of nothing: numbers drawn from a seed, the same on every machine.
 */
import { fault, quoted } from '../errors/index.js';
import { bindInputs } from '../graph/bind.js';
import { findNode, nameOf, type Graph } from '../graph/graph.js';
import { givenShapes } from '../graph/shapes.js';
import { isStatic, type Dims } from '../ops/dims.js';
import { tensor } from '../tensor/create.js';
import type { ComputedDType } from '../tensor/dtype.js';
import { formatShape, numElements } from '../tensor/shape.js';
import type { Tensor } from '../tensor/tensor.js';
import { streamOf } from '../train/permutation.js';

/** From a draw of 32 bits: reals in −1 to 1, whole numbers from 0 to 9, truths. */
const ELEMENT: Readonly<Record<ComputedDType, (drawn: number) => number>> = {
  float32: (drawn) => drawn / 2 ** 31 - 1,
  float64: (drawn) => drawn / 2 ** 31 - 1,
  int32: (drawn) => drawn % 10,
  bool: (drawn) => drawn & 1,
};

/**
 * A feed for each input; params keep their values.
 *
 * @param shapes of inputs whose sizes the graph leaves open
 * @throws EinstreamError E_ARGUMENT for an input whose size nobody says, E_SHAPE for shapes that do not fit the graph
 */
export function randomFeeds(graph: Graph, shapes: ReadonlyMap<string, Dims>, seed: number): Readonly<Record<string, Tensor>> {
  const feeds = Object.create(null) as Record<string, Tensor>;
  let draw = 0;
  for (const [id, { dims, dtype = 'float32' }] of bindInputs(graph, givenShapes(graph, shapes))) {
    const node = findNode(graph, id)!;
    if (node.op !== 'input') continue;
    const name = nameOf(node);
    if (dims === undefined || !isStatic(dims))
      throw fault('E_ARGUMENT', {
        place: '--shapes',
        rule: `random feeds need all sizes of ${quoted(name)}`,
        actual: dims === undefined ? 'none' : formatShape(dims),
        hint: `such as --shapes ${name}=${(dims ?? [null]).map((dim) => (typeof dim === 'number' ? dim : 64)).join()}`,
      });
    const next = streamOf(seed, draw++);
    const element = ELEMENT[dtype];
    const data = Float64Array.from({ length: numElements(dims) }, () => element(next()));
    feeds[name] = tensor(data, { shape: dims, dtype: dtype });
  }
  return feeds;
}
