/**
 * @file Bytes that a graph needs beside its feeds: intermediate values and outputs, as they are planned.
 */
import type { Graph } from '../../graph/graph.js';
import { readFeeds } from '../../run/admit.js';
import type { Feeds } from '../../run/feeds.js';
import { readSettings, type RunOptions } from '../../run/options.js';
import { preparedFor } from '../../run/run.js';
import { specialize } from '../../run/specialize.js';
import { byteSize, type DType } from '../../tensor/dtype.js';
import { numElements } from '../../tensor/shape.js';

/** @throws EinstreamError E_FEED and what is wrong with the graph, as `run` would */
export function workspaceOf(graph: Graph, feeds: Feeds, options: RunOptions = {}): number {
  const settings = readSettings(options);
  const prepared = preparedFor(graph, options, settings, settings.use.length > 0);
  const { arenas, types } = specialize(prepared, readFeeds(prepared, feeds));
  const outputs = prepared.outputs.map(({ slot }) => types[slot]);
  return outputs.reduce((sum, { shape, dtype }) => sum + numElements(shape) * byteSize(dtype as DType), arenas.bytes);
}
