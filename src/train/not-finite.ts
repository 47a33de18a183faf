/**
 * @file Where a number first went wrong: the first value of a step that is not finite although all that it is made of is.
 */
import { fault, type EinstreamError } from '../errors/index.js';
import { freezeGraph } from '../graph/builder.js';
import { findNode, placeOf, type Graph, type NodeId } from '../graph/graph.js';
import { topology } from '../graph/topology.js';
import { js } from '../backends/index.js';
import { evaluateSync, type Feeds } from '../run/index.js';
import type { Tensor } from '../tensor/tensor.js';

/** Computes the step once more, every value an output. By ids: the next params are called as those before. */
export function firstNotFinite(step: Graph, feeds: Feeds, loss: number): EinstreamError {
  const { order } = topology(step);
  const outputs = order.map((id) => ({ name: `#${id}`, id }));
  const values = evaluateSync(freezeGraph({ ...step, outputs }), feeds, { backend: js(), level: 'none' });
  const valueOf = (id: NodeId): Tensor => values[`#${id}`];
  const bad = order.find((id) => !isFinite(valueOf(id)));
  const node = bad === undefined ? undefined : findNode(step, bad);
  return fault('E_NUMERIC', {
    ...(node === undefined ? { place: 'train' } : placeOf(node)),
    rule: 'losses and gradients must be finite',
    expected: 'finite numbers',
    actual: node === undefined ? `a loss of ${loss}` : `${firstBad(valueOf(node.id))}, the first such value of the step`,
    hint: "lower the rate, clip the gradients, or pass { onNaN: 'skip' }",
  });
}

const isFinite = ({ data, dtype }: Tensor): boolean =>
  (dtype !== 'float32' && dtype !== 'float64') || (data as Float64Array).every(Number.isFinite);

const firstBad = ({ data }: Tensor): number => (data as Float64Array).find((value) => !Number.isFinite(value))!;
