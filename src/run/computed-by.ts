/**
 * @file Which backend is to compute a graph when none is named, asked before there are feeds.
 */
import { EinstreamError } from '../errors/index.js';
import type { Graph } from '../graph/graph.js';
import type { ValueType } from '../graph/infer.js';
import { readSettings } from './options.js';
import { preparedFor } from './run.js';
import { isLarge } from './specialize.js';
import { standIn } from './stand-in.js';
import { typed } from './typed.js';

/**
 * The name of the backend; undefined where the types of the inputs leave it open, or none can compute the graph.
 *
 * @param types by id
 */
export function computedBy(graph: Graph, types: readonly (ValueType | undefined)[]): 'js' | 'wasm' | undefined {
  const prepared = preparedFor(graph, {}, readSettings({}), false);
  const tensors = prepared.inputs.map(({ node, value }) => value ?? standIn(types[node.id]));
  if (!tensors.every((tensor) => tensor !== undefined)) return undefined;
  try {
    return isLarge(typed(prepared, prepared, tensors), tensors) ? 'wasm' : 'js';
  } catch (error) {
    if (error instanceof EinstreamError) return undefined; // a run would say why
    throw error;
  }
}
