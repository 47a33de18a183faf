/**
 * @file Numbers for keys: equal keys have one number as long as somebody holds it.
 */
import type { Backend } from '../../backends/index.js';
import { sameBits } from '../../graph/same-bits.js';
import type { Graph } from '../../graph/graph.js';
import { plainText } from '../../graph/plainText.js';
import { keyParts, optionsText, type KeyParts } from './key.js';
import { readCompileOptions, type CompileOptions, type CompileSettings } from './options.js';

export interface KeyTable {
  /** The number of this graph and these options; held until it is released. */
  idOf(graph: Graph, options: CompileOptions): number;
  hold(id: number): void;
  /** As often as it was held. */
  release(id: number): void;
}

interface Row extends KeyParts {
  readonly id: number;
  holders: number;
}

const numbers = new WeakMap<Backend, number>();
let backends = 0;

/** A compiled graph runs on the very backend that was asked for: another of the same kind may be closed. */
function numberOf(backend: Backend | undefined): number {
  if (backend === undefined) return 0;
  let number = numbers.get(backend);
  if (number === undefined) numbers.set(backend, (number = ++backends));
  return number;
}

const shortText = (settings: CompileSettings): string =>
  `${numberOf(settings.backend)} ${plainText(settings.keep)} ${optionsText(settings)}`;

export function keyTable(): KeyTable {
  const rows = new Map<string, Row[]>();
  const byId = new Map<number, Row>();
  // The same object again, with the same options: there is nothing to write and compare.
  const met = new WeakMap<Graph, Map<string, number>>();
  let count = 0;
  const rowOf = (graph: Graph, settings: CompileSettings): Row => {
    const parts = keyParts(graph, settings);
    const text = `${numberOf(settings.backend)} ${parts.text}`;
    let list = rows.get(text);
    if (list === undefined) rows.set(text, (list = []));
    let row = list.find(({ tensors }) => tensors.every((tensor, at) => sameBits(tensor, parts.tensors[at])));
    if (row === undefined) {
      row = { text, tensors: parts.tensors, id: count++, holders: 0 };
      list.push(row);
      byId.set(row.id, row);
    }
    return row;
  };
  return {
    idOf(graph, options) {
      const settings = readCompileOptions(options);
      const short = settings.use.length > 0 ? undefined : shortText(settings);
      let byText = met.get(graph);
      const known = short === undefined ? undefined : byText?.get(short);
      const row = (known === undefined ? undefined : byId.get(known)) ?? rowOf(graph, settings);
      if (short !== undefined && row.id !== known) {
        if (byText === undefined) met.set(graph, (byText = new Map()));
        byText.set(short, row.id);
      }
      row.holders++;
      return row.id;
    },
    hold(id) {
      byId.get(id)!.holders++;
    },
    release(id) {
      const row = byId.get(id)!;
      if (--row.holders > 0) return;
      byId.delete(id);
      const list = rows.get(row.text)!;
      list.splice(list.indexOf(row), 1);
      if (list.length === 0) rows.delete(row.text);
    },
  };
}
