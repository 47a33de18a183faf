/**
 * @file Whether a value is a graph at all: asked where something is made of one for the first time.
 */
import { describeValue, fault } from '../errors/index.js';
import { isTraced } from '../ops/interpreter.js';
import { Tensor } from '../tensor/tensor.js';
import type { Graph } from './graph.js';

/** Any value as a few words of a message. */
export function described(value: unknown): string {
  if (value instanceof Tensor) return 'a tensor';
  if (value instanceof Promise) return 'a promise';
  return isTraced(value) ? 'a value of a graph' : describeValue(value);
}

const hintFor = (value: unknown): string | undefined => {
  if (value instanceof Promise) return 'await it';
  return typeof value === 'string' ? 'parse it: parseGraph(text)' : undefined;
};

/** @throws EinstreamError E_ARGUMENT for what is no graph */
export function checkGraph(value: unknown): asserts value is Graph {
  const { chunks, outputs } = (value ?? {}) as Partial<Graph>;
  if (Array.isArray(chunks) && Array.isArray(outputs)) return;
  const hint = hintFor(value);
  throw fault('E_ARGUMENT', {
    place: 'graph',
    rule: 'a graph is what graph, parseGraph or compile gives',
    actual: described(value),
    ...(hint !== undefined && { hint }),
  });
}
