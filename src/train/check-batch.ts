/**
 * @file What a batch must be before a step runs on it, told in the words of the model: of a step's own inputs nobody knows.
 */
import { describeValue, fault, quoted } from '../errors/index.js';
import { findNode, nameOf, placeOf, type Graph } from '../graph/graph.js';
import { formatShape } from '../tensor/shape.js';
import type { Tensor } from '../tensor/tensor.js';
import type { Learned } from './learned.js';

/** @throws EinstreamError E_FEED for what is no record, for a missing feed, and for one of what learns */
export function checkBatch(model: Graph, learned: readonly Learned[], batch: unknown): void {
  if (typeof batch !== 'object' || batch === null)
    throw fault('E_FEED', { place: 'batch', rule: 'a batch is an object of values by input name', actual: describeValue(batch) });
  const nodes = model.inputs.map((id) => findNode(model, id)!).filter(({ op }) => op === 'input');
  const has = (name: string): boolean => Object.hasOwn(batch, name) && (batch as Record<string, unknown>)[name] !== undefined;
  const missing = nodes.find((node) => !has(nameOf(node)));
  if (missing !== undefined)
    throw fault('E_FEED', {
      ...placeOf(missing),
      rule: 'every input needs a feed',
      expected: nodes.map((node) => quoted(nameOf(node))).join(', '),
      actual: `no ${quoted(nameOf(missing))}`,
    });
  const fed = learned.find(({ name }) => has(name));
  if (fed !== undefined)
    throw fault('E_FEED', {
      place: fed.name,
      rule: 'a batch does not feed a param that learns',
      actual: `a feed for ${quoted(fed.name)}`,
      hint: 'leave it out of the batch, or out of what learns: { wrt: […] }',
    });
}

/** @throws EinstreamError E_GRADIENT for a loss whose rank was not known before, and that is no scalar */
export function scalarIn(name: string, loss: Tensor): Tensor {
  if (loss.size === 1) return loss;
  throw fault('E_GRADIENT', {
    place: name,
    rule: 'a loss must be one number',
    expected: 'shape []',
    actual: `shape ${formatShape(loss.shape)}`,
    hint: 'take its mean: mean(loss)',
  });
}
