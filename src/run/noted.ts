/**
 * @file What was prepared of a compiled graph, so that whoever kept it can let its programs go.
 */
import type { Graph } from '../graph/graph.js';
import type { CompiledGraph } from './compiled.js';
import type { Prepared } from './prepare.js';

const noted = new WeakMap<Graph, WeakRef<Prepared>[]>();

/** Remembers what was prepared of a compiled graph, as long as somebody has it. */
export function note(compiled: CompiledGraph, prepared: Prepared): void {
  const list = noted.get(compiled);
  if (list === undefined) noted.set(compiled, [new WeakRef(prepared)]);
  else list.push(new WeakRef(prepared));
}

/** Lets the programs of a compiled graph go. Frames on their way finish; whoever runs it again makes new ones. */
export function retire(compiled: CompiledGraph): void {
  for (const each of noted.get(compiled) ?? []) each.deref()?.programs.clear();
}
