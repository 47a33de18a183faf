/**
 * @file Tables of byte offsets: where line m of an operand lies, however many axes m counts through.
 */
import type { Code } from '../bytes.js';
import { call, i32, type Memory } from '../instructions.js';
import type { FunctionSource, Scope } from '../module.js';
import { each, type WordList } from './control.js';

/** A table in scratch memory: its code reads it at `base`, and fills it with `fill`. */
export interface Table {
  /** The address of entry 0. */
  readonly base: Code;
  readonly fill: (scope: Scope) => Code;
  readonly bytes: number;
}

const ENTRY: Memory = { align: 2 };

/** `extend(table, length, limit, step)`: entry i is entry i − length, moved by step, for i from length up to limit. */
export const extendFunction: FunctionSource = {
  name: 'extend',
  params: ['i32', 'i32', 'i32', 'i32'],
  body: (scope) => {
    const [table, length, limit, step] = [0, 1, 2, 3].map(scope.param);
    const [to, from, end] = [scope.local('i32'), scope.local('i32'), scope.local('i32')];
    const entry = (index: Code): Code => i32.add(table.get, i32.shl(index, i32.const(2)));
    return [
      end.set(entry(limit.get)),
      from.set(table.get),
      each(to, entry(length.get), end.get, i32.const(4), [
        i32.store(to.get, i32.add(i32.load(from.get, ENTRY), step.get), ENTRY),
        from.set(i32.add(from.get, i32.const(4))),
      ]),
    ];
  },
};

/**
 * A table over axes in row-major order, padded to `padded` entries by repeating the last.
 *
 * @param at bytes from the start of scratch memory
 */
export function table(
  words: WordList,
  scratch: Code,
  at: number,
  axes: readonly { readonly extent: number; readonly stride: number }[],
  padded: number,
): Table {
  const place = words.put(at);
  const steps: { readonly length: Code; readonly limit: Code; readonly stride: Code }[] = [];
  let length = 1;
  for (const { extent, stride } of axes.toReversed()) {
    steps.push({ length: words.put(length), limit: words.put(length * extent), stride: words.put(stride) });
    length *= extent;
  }
  const total = words.put(length);
  const filled = words.put(padded);
  const base = i32.add(scratch, place);
  return {
    base,
    bytes: Math.ceil(Math.max(1, padded) / 16) * 64,
    fill: (scope) => {
      const extend = (from: Code, limit: Code, step: Code): Code => call(scope.functionIndex('extend'), base, from, limit, step);
      const last = scope.local('i32');
      return [
        i32.store(base, i32.const(0), ENTRY),
        steps.map(({ length: from, limit, stride }) => extend(from, limit, stride)),
        last.set(i32.sub(i32.add(base, i32.shl(total, i32.const(2))), i32.const(4))),
        // From the last entry on, each is the one before it.
        call(scope.functionIndex('extend'), last.get, i32.const(1), i32.add(i32.sub(filled, total), i32.const(1)), i32.const(0)),
      ];
    },
  };
}
