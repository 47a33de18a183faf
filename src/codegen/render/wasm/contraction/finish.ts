/**
 * @file What a tile cannot store by itself: edges, columns that lie apart, and the epilogue of the last step.
 */
import type { Code } from '../bytes.js';
import { f32x4, i32, v128, when } from '../instructions.js';
import type { BlockShape } from '../kernel.js';
import type { FunctionSource, Local, Scope } from '../module.js';
import { advance, each } from './control.js';
import { applyEpilogue, type Epilogue } from './epilogue.js';
import { bytesOf, loadVector, storeVector, type Line, type Places } from './lines.js';

/** Three addresses for each tensor: its base, and tables of offsets for its rows and its columns. */
const PARAMS = 3;

/** What the epilogue reads beside the sum, by index of the nest's inputs. */
export type Further = readonly { readonly index: number; readonly line: Line }[];

/**
 * `finish(tile, height, width, adds, ends, base, rows, columns, …)`: the block at `tile`, of which `height` rows and `width`
 * columns count, goes to the output, added to what is there where `adds`, through the epilogue where `ends`. The last
 * three parameters repeat for each further operand.
 */
export const finishFunction = (vectors: number, epilogue: Epilogue, output: Line, further: Further): FunctionSource => ({
  name: 'finish',
  params: Array.from({ length: 5 + PARAMS * (1 + further.length) }, () => 'i32' as const),
  body: (scope) => {
    const [tile, height, width, adds, ends] = [0, 1, 2, 3, 4].map(scope.param);
    const row = scope.local('i32');
    const value = scope.local('v128');
    const to = walk(scope, output, 5);
    const operands = new Map(further.map(({ index, line }, k) => [index, { line, ...walk(scope, line, 5 + PARAMS * (k + 1)) }]));
    const vector = (v: number): Code => [
      value.set(v128.load(tile.get, { offset: 16 * v, align: 2 })),
      when(adds.get, value.set(f32x4.add(value.get, loadVector(output, to, v)))),
      when(
        ends.get,
        applyEpilogue(scope, epilogue, value, (index) => {
          const { line, ...places } = operands.get(index)!;
          return loadVector(line, places, v);
        }),
      ),
      [1, 2, 3, 4].reduce<Code>((fewer, count) => {
        const store = storeVector(output, to, v, value, count);
        return count === 1 ? store : when(i32.ge_s(width.get, i32.const(4 * v + count)), store, fewer);
      }, []),
    ];
    const walks = [to, ...operands.values()];
    return each(
      row,
      i32.const(0),
      height.get,
      i32.const(1),
      walks.map(({ open }) => open),
      Array.from({ length: vectors }, (_, v) => (v === 0 ? vector(v) : when(i32.gt_s(width.get, i32.const(4 * v)), vector(v)))),
      advance(tile, i32.const(16 * vectors)),
    );
  },
});

/**
 * `settle(base, rows, columns, …)`: the epilogue over a whole block that lies in the output, of `height` rows; the parameters
 * repeat for each further operand.
 */
export const settleFunction = (
  { rows: height, vectors }: Pick<BlockShape, 'rows' | 'vectors'>,
  epilogue: Epilogue,
  output: Line,
  further: Further,
): FunctionSource => ({
  name: 'settle',
  params: Array.from({ length: PARAMS * (1 + further.length) }, () => 'i32' as const),
  body: (scope) => {
    const [row, value] = [scope.local('i32'), scope.local('v128')];
    const to = walk(scope, output, 0);
    const operands = new Map(further.map(({ index, line }, k) => [index, { line, ...walk(scope, line, PARAMS * (k + 1)) }]));
    return each(
      row,
      i32.const(0),
      i32.const(height),
      i32.const(1),
      [to, ...operands.values()].map(({ open }) => open),
      Array.from({ length: vectors }, (_, v) => [
        value.set(loadVector(output, to, v)),
        applyEpilogue(scope, epilogue, value, (index) => {
          const { line, ...places } = operands.get(index)!;
          return loadVector(line, places, v);
        }),
        storeVector(output, to, v, value, 4),
      ]),
    );
  },
});

/** A tensor followed row by row: `open` goes to the next. */
function walk(scope: Scope, { dtype, way }: Line, first: number): Places & { readonly open: Code } {
  const [base, rows, columns] = [0, 1, 2].map((k) => scope.param(first + k));
  const at = scope.local('i32');
  const entry = (table: Local, index: number): Code => i32.load(table.get, { offset: 4 * index, align: 2 });
  const start = i32.add(base.get, entry(rows, 0));
  return {
    at,
    place: (column) =>
      way === 'adjacent' ? i32.add(at.get, i32.const(column * bytesOf(dtype))) : i32.add(at.get, entry(columns, column)),
    open: [at.set(way === 'adjacent' ? i32.add(start, entry(columns, 0)) : start), advance(rows, i32.const(4))],
  };
}
