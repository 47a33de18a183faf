/**
 * @file Squares of elements in registers, turned: rows become columns.
 */
import type { Code } from './bytes.js';
import { shuffle } from './instructions.js';
import type { Scope } from './module.js';

/** Chosen lanes of two vectors as indices of bytes. */
const lanes = (bytes: number, chosen: readonly number[]): readonly number[] =>
  chosen.flatMap((lane) => Array.from({ length: bytes }, (_, byte) => bytes * lane + byte));

/** Two rows of two elements, or four of four. `column` is given each column once all rows are read. */
export function turnSquare(rows: readonly Code[], scope: Scope, column: (k: number, raw: Code) => Code): Code {
  const kept = (code: Code): { readonly set: Code; readonly get: Code } => {
    const local = scope.local('v128');
    return { set: local.set(code), get: local.get };
  };
  const r = rows.map(kept);
  const pick = (x: Code, y: Code, ...chosen: readonly number[]): Code => shuffle(x, y, lanes(16 / rows.length, chosen));
  const read = r.map(({ set }) => set);
  if (rows.length === 2) return [read, column(0, pick(r[0].get, r[1].get, 0, 2)), column(1, pick(r[0].get, r[1].get, 1, 3))];
  const low01 = kept(pick(r[0].get, r[1].get, 0, 4, 1, 5));
  const high01 = kept(pick(r[0].get, r[1].get, 2, 6, 3, 7));
  const low23 = kept(pick(r[2].get, r[3].get, 0, 4, 1, 5));
  const high23 = kept(pick(r[2].get, r[3].get, 2, 6, 3, 7));
  return [
    read,
    [low01, high01, low23, high23].map(({ set }) => set),
    column(0, pick(low01.get, low23.get, 0, 1, 4, 5)),
    column(1, pick(low01.get, low23.get, 2, 3, 6, 7)),
    column(2, pick(high01.get, high23.get, 0, 1, 4, 5)),
    column(3, pick(high01.get, high23.get, 2, 3, 6, 7)),
  ];
}
