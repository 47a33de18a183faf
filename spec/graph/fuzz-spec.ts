/** @file Any text is a graph or a typed error: structure-aware mutants (G10). */
import { expect } from 'chai';
import fc from 'fast-check';
import { EinstreamError } from '../../src/errors/index.js';
import { equivalent } from '../../src/graph/canonical.js';
import { parseGraph } from '../../src/graph/formats/parse.js';
import { serializeGraph, type GraphFormat } from '../../src/graph/formats/serialize.js';
import { findNode, type Graph, type InputNode } from '../../src/graph/graph.js';
import { inferTypes } from '../../src/graph/shapes.js';
import { throwIfBroken, validate } from '../../src/graph/validate/validate.js';
import { numElements, type Shape } from '../../src/tensor/shape.js';
import { full } from '../../src/tensor/fill.js';
import type { Tensor } from '../../src/tensor/tensor.js';
import { nameOf } from '../../src/graph/graph.js';
import { binary, einsumNode, interchange, reduce, unary } from '../support/interchange.js';
import { mutants } from '../support/mutants.js';
import { propertyRuns, propertySeed } from '../support/property.js';
import { randomGraph } from '../support/random-graph.js';
import { walkGraph } from '../support/walkGraph.js';

const SLOW_MS = 100;

const handmade = interchange({
  tensors: ['x', 'w', 'const_0.5', 'h', 's', 'y', 'again', 'z', 'p'],
  nodes: [
    einsumNode('ij,jk->ik', [0, 1], 3),
    reduce('mean', [-1], 3, 4),
    binary('subtract', 4, 2, 5),
    unary('exp', 5, 6, 7),
    einsumNode('sum(ab->a)', [3], 8),
  ],
  inputs: [0, 1],
  outputs: [5, 6, 7, 8],
  tensor_metadata: { '3': { name: 'hidden', span: { start: { file: 'f', line: 1, column: 2 } } } },
});
const enveloped = JSON.stringify({ version: '1.0.0', created_at: 'now', metadata: {}, graph: JSON.parse(handmade) as unknown });
const written = fc
  .sample(randomGraph({ maxMoves: 6 }), { seed: 20240501, numRuns: 40 })
  .map(({ graph }) => serializeGraph(graph));
const bases = [...Array.from({ length: 20 }, () => handmade), enveloped, ...written];

/** Runs the whole way of a text; gives what became of it. Throws what is neither a result nor a typed error. */
function live(text: string): 'refused' | 'broken' | 'sound' {
  let graph: Graph;
  try {
    graph = parseGraph(text);
  } catch (error) {
    if (error instanceof EinstreamError && (error.code === 'E_PARSE' || error.code === 'E_LIMIT')) return 'refused';
    throw error;
  }
  const errors = validate(graph).filter(({ severity }) => severity === 'error');
  for (const format of ['einstream', 'interchange', 'dot', 'graphml', 'ascii'] as const)
    roundTrip(graph, format, errors.length === 0);
  if (errors.length > 0) {
    expectTyped(() => throwIfBroken(graph));
    return 'broken';
  }
  compute(graph);
  return 'sound';
}

function roundTrip(graph: Graph, format: GraphFormat, isSound: boolean): void {
  let text: string;
  try {
    text = serializeGraph(graph, format);
  } catch (error) {
    // The interchange form has no words for some nodes; metadata may be nested too deep to be written.
    if (error instanceof EinstreamError && (format === 'interchange' || error.code === 'E_LIMIT')) return;
    throw error;
  }
  if (
    format === 'einstream' &&
    !(isSound ? equivalent(parseGraph(text), graph) : parseGraph(text).faults.length === graph.faults.length)
  )
    throw new Error('a graph differs from what was written');
  if (format === 'interchange') parseGraph(text);
}

/** Computes it on small feeds, unless some value would be large. */
function compute(graph: Graph): void {
  try {
    const feeds: Record<string, Tensor> = Object.create(null) as Record<string, Tensor>;
    const given = new Map<number, { dims: Shape; dtype?: 'float32' }>();
    for (const id of graph.inputs) {
      const node = findNode(graph, id) as InputNode;
      if (node.op !== 'input') continue;
      const dims = (node.dims ?? [2, 2]).map((dim) => (typeof dim === 'number' ? dim : 2));
      if (numElements(dims) > 1e4) return;
      given.set(id, { dims });
      feeds[nameOf(node)] = full(dims, 0.5, { dtype: node.dtype ?? 'float32' });
    }
    if (inferTypes(graph, given).some((type) => type?.dims !== undefined && numElements(type.dims as Shape) > 1e4)) return;
    for (const value of walkGraph(graph, feeds).values()) void value.data;
  } catch (error) {
    if (!(error instanceof EinstreamError)) throw error;
  }
}

function expectTyped(act: () => void): void {
  try {
    act();
  } catch (error) {
    if (error instanceof EinstreamError) return;
    throw error;
  }
  throw new Error('a broken graph passed throwIfBroken');
}

const elapsed = (text: string): number => {
  const start = performance.now();
  live(text);
  return performance.now() - start;
};

describe('mutants of graphs (G10)', () => {
  it('give a typed error or a sound graph: no crash, no hang, no pollution', function () {
    const runs = propertyRuns(800, 200_000, 10_000_000);
    this.timeout(0);
    const seed = propertySeed();
    const mutantAt = mutants(bases, seed);
    const prototypeBefore = Reflect.ownKeys(Object.prototype).join();
    const counts = { refused: 0, broken: 0, sound: 0 };
    const slow: number[] = [];
    const start = performance.now();
    for (let index = 0; index < runs; index++) {
      const text = mutantAt(index);
      const before = performance.now();
      try {
        counts[live(text)]++;
      } catch (error) {
        throw new Error(`mutant ${index} of seed ${seed}: ${text.slice(0, 2000)}`, { cause: error });
      }
      // The machine may pause at any time; what is slow is slow again.
      if (performance.now() - before > SLOW_MS && Math.min(elapsed(text), elapsed(text), elapsed(text)) > SLOW_MS)
        slow.push(index);
    }
    console.log(
      `      ${runs} mutants in ${((performance.now() - start) / 1000).toFixed(1)} s: ${counts.refused} refused, ${counts.broken} broken, ${counts.sound} sound`,
    );
    expect(slow, 'mutants that take longer than 100 ms').to.deep.equal([]);
    expect(Reflect.ownKeys(Object.prototype).join()).to.equal(prototypeBefore);
    expect(Math.min(counts.refused, counts.broken, counts.sound), 'each outcome occurs').to.be.greaterThan(runs / 50);
  });
});
