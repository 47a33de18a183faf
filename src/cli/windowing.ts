/**
 * @file Whether a graph can be fed with windows as they are asked for.
 */
import { fault, quoted } from '../errors/index.js';
import { findNode, isValueNode, nameOf, type Graph, type InputNode } from '../graph/graph.js';
import { outputKeys } from '../run/output-keys.js';
import type { RunSettings } from './run-options.js';
import { WINDOW_KEY } from './telling.js';

/** @throws EinstreamError E_ARGUMENT */
export function checkWindowing(graph: Graph, { window, keep }: Pick<RunSettings, 'window' | 'keep'>): void {
  if (window === undefined) return;
  const keys = [...outputKeys(graph.outputs).map(({ key }) => key), ...keep];
  if (keys.includes(WINDOW_KEY))
    throw fault('E_ARGUMENT', {
      place: '--window',
      rule: `outputs of a window begin with ${quoted(WINDOW_KEY)}, which says which one it is`,
      actual: 'an output of that name',
      hint: 'give the output another name',
    });
  const input = graph.inputs.map((id) => findNode(graph, id)).find((node) => node !== undefined && nameOf(node) === window.time);
  const dtype = input === undefined ? undefined : isValueNode(input) ? input.value.dtype : (input as InputNode).dtype;
  if (input !== undefined && dtype !== 'float64')
    throw fault('E_ARGUMENT', {
      place: '--time',
      rule: 'an input that is the time of a line holds milliseconds',
      expected: 'float64',
      actual: `${dtype ?? 'float32'}, which is too coarse`,
      hint: 'declare the input as float64, or give the time under another key',
    });
}
