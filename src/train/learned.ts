/**
 * @file The params of a model that learn.
 */
import { describeValue, fault } from '../errors/index.js';
import { findNode, nameOf, type Graph, type ParamNode } from '../graph/graph.js';
import { isFloating } from '../tensor/dtype.js';
import type { Tensor } from '../tensor/tensor.js';

/** A parameter that learns, and what it starts with. */
export interface Learned {
  readonly name: string;
  readonly value: Tensor;
}

/** @throws EinstreamError E_ARGUMENT where a name is no floating-point param, or there is nothing to learn */
export function learnedParams(model: Graph, wrt: readonly string[] | undefined): readonly Learned[] {
  if (wrt !== undefined && !(Array.isArray(wrt) && wrt.every((name) => typeof name === 'string')))
    throw fault('E_ARGUMENT', { place: 'train', rule: 'wrt is a list of names', actual: describeValue(wrt) });
  const params = model.inputs
    .map((id) => findNode(model, id)!)
    .filter((node): node is ParamNode => node.op === 'param' && isFloating((node as ParamNode).value.dtype))
    .map((node): Learned => ({ name: nameOf(node), value: node.value }));
  const learned = wrt === undefined ? params : params.filter(({ name }) => wrt.includes(name));
  const missing = wrt?.find((name) => !params.some((each) => each.name === name));
  if (missing === undefined && learned.length > 0) return learned;
  throw fault('E_ARGUMENT', {
    place: 'train',
    rule: 'what learns must be a floating-point param of the model',
    expected: params.map(({ name }) => JSON.stringify(name)).join(', ') || 'a model with params: param(tensor(…))',
    actual: missing === undefined ? 'none' : JSON.stringify(missing),
  });
}
