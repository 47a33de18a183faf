/**
 * @file A graph as text, in one of five forms.
 */
import { describeValue, fault } from '../../errors/index.js';
import type { Graph } from '../graph.js';
import { writeAscii } from './ascii.js';
import { writeDot } from './dot.js';
import { writeGraphml } from './graphml.js';
import { writeInterchange } from './interchange/write.js';
import { checkGraph } from '../check-graph.js';
import { writeOwn } from './own/write.js';

/** The forms in which `serializeGraph` writes; `parseGraph` reads the first two. */
export type GraphFormat = 'einstream' | 'interchange' | 'dot' | 'graphml' | 'ascii';

const WRITERS: ReadonlyMap<string, (graph: Graph) => string> = new Map([
  ['einstream', writeOwn],
  ['interchange', writeInterchange],
  ['dot', writeDot],
  ['graphml', writeGraphml],
  ['ascii', writeAscii],
]);

/**
 * Writes a graph. Linear in nodes and edges; names are escaped by each form's rules, so they stay names.
 *
 * `'einstream'`, our own versioned JSON, keeps everything: `parseGraph` gives an equal graph back, to the last bit.
 * `'interchange'` is the EinsumGraph JSON, which has names and four kinds of node, but no dims, dtypes and tensors.
 * `'dot'` and `'graphml'` are for drawing, `'ascii'` for a terminal.
 *
 * ```ts
 * const g = graph({ x: input([2]) }, ({ x }) => ({ y: relu(x) }));
 * serializeGraph(g, 'ascii') // => 'x   input [2] float32\ny * = relu(x)\n'
 * equivalent(parseGraph(serializeGraph(g)), g) // => true
 * ```
 *
 * @throws EinstreamError E_GRAPH or E_NAME naming the node that the interchange form cannot say; E_LIMIT for metadata nested
 *   deeper than 48; E_ARGUMENT for another format
 */
export function serializeGraph(graph: Graph, format: GraphFormat = 'einstream'): string {
  checkGraph(graph);
  const write = WRITERS.get(format);
  if (write === undefined)
    throw fault('E_ARGUMENT', {
      place: 'format',
      rule: 'the format must be known',
      expected: [...WRITERS.keys()].join(', '),
      actual: describeValue(format),
    });
  return write(graph);
}
