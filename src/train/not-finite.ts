/**
 * @file Where a number first went wrong: the first value of a step that is not finite, and from which the loss or the norm of the
 * gradients became so.
 */
import { fault, type EinstreamError } from '../errors/index.js';
import { freezeGraph } from '../graph/builder.js';
import { findNode, nameOf, placeOf, type Graph, type NodeId } from '../graph/graph.js';
import { topology } from '../graph/topology.js';
import { js } from '../backends/index.js';
import { evaluateSync, type Feeds } from '../run/index.js';
import { formatShape } from '../tensor/shape.js';
import type { Tensor } from '../tensor/tensor.js';
import { NORM } from './names.js';

/** Computes the step again, for one batch after the other, until the culprit is found. */
export function firstNotFinite(step: Graph, loss: string, batches: readonly Feeds[], found: number): EinstreamError {
  for (const feeds of batches) {
    const error = culprit(step, loss, feeds);
    if (error !== undefined) return error;
  }
  // Each batch alone is finite: their sum is not.
  return notFinite({ place: 'train' }, `a loss of ${found}, or gradients that overflow where they add`);
}

/** Values are outputs by their ids: the next params are called as those before. */
function culprit(step: Graph, loss: string, feeds: Feeds): EinstreamError | undefined {
  const { order } = topology(step);
  const outputs = order.map((id) => ({ name: `#${id}`, id }));
  const values = evaluateSync(freezeGraph({ ...step, outputs }), feeds, { backend: js(), level: 'none' });
  const valueOf = (id: NodeId): Tensor => values[`#${id}`];
  const isBad = (id: NodeId): boolean => !isFinite(valueOf(id));

  // Infinities that went no further, such as those of a mask before a softmax, are nobody's fault.
  const spoilt = new Set<NodeId>();
  const walk = [loss, NORM].map((name) => step.outputs.find((output) => output.name === name)!.id).filter(isBad);
  for (let id = walk.pop(); id !== undefined; id = walk.pop()) {
    if (spoilt.has(id)) continue;
    spoilt.add(id);
    walk.push(...findNode(step, id)!.inputs.filter(isBad));
  }
  const first = order.find((id) => spoilt.has(id));
  if (first === undefined) return undefined;
  const empty = step.inputs.find((id) => valueOf(id).size === 0);
  if (empty !== undefined)
    return fault('E_FEED', {
      ...placeOf(findNode(step, empty)!),
      rule: 'a batch must have at least one row, or its mean is no number',
      expected: `a feed for "${nameOf(findNode(step, empty)!)}" with elements`,
      actual: `shape ${formatShape(valueOf(empty).shape)}`,
      hint: "leave empty batches out of the stream, or pass { onNaN: 'skip' }",
    });
  return notFinite(placeOf(findNode(step, first)!), `${firstBad(valueOf(first))}, the first such value of the step`);
}

const notFinite = (place: { readonly place: string }, actual: string) =>
  fault('E_NUMERIC', {
    ...place,
    rule: 'losses and gradients must be finite',
    expected: 'finite numbers',
    actual,
    hint: "lower the rate, clip the gradients, or pass { onNaN: 'skip' }",
  });

const isFinite = ({ data, dtype }: Tensor): boolean =>
  (dtype !== 'float32' && dtype !== 'float64') || (data as Float64Array).every(Number.isFinite);

const firstBad = ({ data }: Tensor): number => (data as Float64Array).find((value) => !Number.isFinite(value))!;
