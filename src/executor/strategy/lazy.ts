/**
 * @file Outputs that are computed when they are read, and nothing twice.
 *
 * A read computes what the output needs and no earlier read has computed. What later reads may need of it is kept by the record.
 */
import { map, type OperatorFunction } from 'rxjs';
import { leastRecentlyUsed } from '../../backends/lru.js';
import { findNode, isOpNode, nodesOf, type Graph, type NodeId } from '../../graph/graph.js';
import type { ValueType } from '../../graph/infer.js';
import { inferTypes } from '../../graph/shapes.js';
import { ancestors, topology } from '../../graph/topology.js';
import { throwIfBroken } from '../../graph/validate/validate.js';
import type { Feeds, Outputs, RunOptions } from '../../run/index.js';
import { run } from '../../run/run.js';
import { outputKeys } from '../../run/output-keys.js';
import { planOf } from '../../stream/pool/plan.js';
import { inWhole } from '../../stream/schedule/in-whole.js';
import { partName, partOf, type Part } from '../../stream/schedule/part.js';
import { feedsOfPart, givenValues } from '../../stream/schedule/values.js';
import type { Tensor } from '../../tensor/tensor.js';
import { only } from '../only.js';

interface Reading extends Part {
  readonly operator: OperatorFunction<Feeds, Outputs>;
}

/** Ways to read that are remembered, as each is a graph that is compiled. */
const READINGS = 64;

/**
 * An operator whose outputs are records of getters: reading one computes it, and throws what is wrong with it. Feeds are checked when
 * they come.
 */
export function lazily(graph: Graph, options: RunOptions): OperatorFunction<Feeds, Outputs> {
  throwIfBroken(graph);
  const plan = planOf(graph);
  const types = inferTypes(graph);
  const outputs = outputKeys(graph.outputs);
  // By which outputs were read before, in whatever order, and which is now.
  const known = leastRecentlyUsed<string, Reading>(READINGS, () => undefined);

  return map((feeds) => {
    const values = givenValues(graph, plan.workFor(feeds).feeds);
    const read = new Set<NodeId>();
    const record = Object.create(null) as Outputs;
    for (const { key, id } of outputs)
      Object.defineProperty(record, key, { enumerable: true, get: () => (values.has(id) ? values.get(id)! : computed(id)) });
    return Object.freeze(record);

    function computed(id: NodeId): Tensor {
      const key = `${[...read].sort((a, b) => a - b).join()}:${id}`;
      const reading = known.get(key) ?? known.set(key, readingOf(graph, types, read, id, options));
      const results = only(feedsOfPart(graph, reading, values), reading.operator);
      for (const each of reading.gives) values.set(each, results[partName(each)]);
      read.add(id);
      return values.get(id)!;
    }
  });
}

/** What `id` needs beyond what earlier reads computed. It gives what others may still read of it. */
function readingOf(
  graph: Graph,
  types: readonly (ValueType | undefined)[],
  read: ReadonlySet<NodeId>,
  id: NodeId,
  options: RunOptions,
): Reading {
  const done = ancestors(graph, [...read]);
  const needed = ancestors(graph, [id]);
  const ids = topology(graph).order.filter((each) => needed[each] === 1 && done[each] === 0 && isOpNode(findNode(graph, each)!));
  const wanted = new Set<NodeId>(graph.outputs.map((output) => output.id));
  for (const node of nodesOf(graph))
    if (needed[node.id] === 0 && done[node.id] === 0) for (const input of node.inputs) wanted.add(input);
  const part = partOf(graph, ids, ids.filter((each) => wanted.has(each)), types); // prettier-ignore
  const operator: OperatorFunction<Feeds, Outputs> = (feeds$) => feeds$.pipe(run(part.graph, options), inWhole(graph, part));
  return { ...part, operator };
}
