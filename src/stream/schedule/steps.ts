/**
 * @file Stages as operators: each takes the values so far, and adds those of its parts.
 */
import { forkJoin, map, of, throwIfEmpty, type Observable } from 'rxjs';
import { fault, type EinstreamError } from '../../errors/index.js';
import { nodesOf, type Graph, type NodeId } from '../../graph/graph.js';
import { inferTypes } from '../../graph/shapes.js';
import type { RunOptions } from '../../run/options.js';
import { run } from '../../run/run.js';
import type { Runner } from '../batch/parallel.js';
import { inWhole } from './in-whole.js';
import { partName, partOf } from './part.js';
import type { ScheduledStage, Task } from './stages.js';
import { feedsOfPart, type Values } from './values.js';

export function stepsOf(
  graph: Graph,
  stages: readonly ScheduledStage[],
  over: Runner,
  here: RunOptions | undefined,
): readonly ((values: Values) => Observable<Values>)[] {
  const types = inferTypes(graph);
  const readers = readersOf(graph);
  return stages.map(({ at, tasks }) => {
    const parts = tasks.map((ids) => partOf(graph, ids, givenBy(ids, readers), types));
    const operators = parts.map((part) => (at === 'here' ? run(part.graph, here) : over.run(part.graph)));
    return (values) =>
      forkJoin(parts.map((part, k) => of(feedsOfPart(graph, part, values)).pipe(operators[k], throwIfEmpty(noAnswer), inWhole(graph, part)))).pipe(
        map((results) => {
          const all = new Map(values);
          results.forEach((outputs, k) => parts[k].gives.forEach((id) => all.set(id, outputs[partName(id)])));
          return all;
        }),
      ); // prettier-ignore
  });
}

/** For each value the nodes that read it; −1 stands for whoever reads the outputs. */
function readersOf(graph: Graph): ReadonlyMap<NodeId, readonly NodeId[]> {
  const readers = new Map<NodeId, NodeId[]>();
  const add = (id: NodeId, reader: NodeId): void => {
    const list = readers.get(id);
    if (list === undefined) readers.set(id, [reader]);
    else list.push(reader);
  };
  for (const node of nodesOf(graph)) for (const id of node.inputs) add(id, node.id);
  for (const { id } of graph.outputs) add(id, -1);
  return readers;
}

function givenBy(ids: Task, readers: ReadonlyMap<NodeId, readonly NodeId[]>): readonly NodeId[] {
  const inside = new Set(ids);
  const isGiven = (id: NodeId): boolean => readers.get(id)?.some((reader) => !inside.has(reader)) ?? true;
  return ids.filter(isGiven);
}

const noAnswer = (): EinstreamError =>
  fault('E_CONSUMER', { place: 'runScheduled', rule: 'each part gives one answer', actual: 'its run ended without one' });
