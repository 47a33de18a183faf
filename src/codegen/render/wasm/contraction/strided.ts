/**
 * @file Blocks of a result written straight from strides: one axis of rows, one of columns.
 */
import type { NestIR } from '../../../ir.js';
import type { Code } from '../bytes.js';
import { br, i32, loop, select, when } from '../instructions.js';
import type { Local, Scope } from '../module.js';
import { advance, type WordList } from './control.js';
import { applyEpilogue, type Epilogue } from './epilogue.js';
import { bytesOf, lineOf, loadVector, storeVector, type Line } from './lines.js';
import type { Product } from './product.js';

/** Bytes from one index of an axis to the next; 0 without an axis. */
export const bytesAlong = ({ dtype, strides }: NestIR['output'], [axis]: readonly number[]): number =>
  axis === undefined ? 0 : strides[axis] * bytesOf(dtype);

/** The first index of a block's rows and columns. */
export interface Corner {
  readonly row: Local;
  readonly column: Local;
}

/** Writes blocks of sums through the epilogue: sums[r][v] holds columns 4·v on, `width` of them in all. */
export function blockWriter(ir: NestIR, { rows, columns, further }: Product, epilogue: Epilogue, words: WordList) {
  const out = ir.inputs.length;
  const walks = [out, ...further].map((index) => {
    const access = index === out ? ir.output : ir.inputs[index];
    return {
      index,
      line: lineOf(ir.extents, access, columns, 1),
      row: words.put(bytesAlong(access, rows)),
      column: words.put(bytesAlong(access, columns)),
    };
  });
  const open = (scope: Scope) => {
    const opened = walks.map(({ index, line, row, column }) => {
      const [at, rowStep, columnStep] = [scope.local('i32'), scope.local('i32'), scope.local('i32')];
      return {
        index,
        line,
        at,
        rowStep,
        columnStep,
        init: [rowStep.set(row), columnStep.set(column)],
        place: placeOf(line, at, columnStep),
      };
    });
    const [to] = opened;
    const write = (
      bases: readonly Local[],
      { row, column }: Corner,
      sums: readonly (readonly Local[])[],
      width: number,
    ): Code => [
      opened.map(({ index, at, rowStep, columnStep }) =>
        at.set(i32.add(i32.add(bases[index].get, i32.mul(row.get, rowStep.get)), i32.mul(column.get, columnStep.get))),
      ),
      sums.map((line, r) => [
        line.map((sum, v) => [
          applyEpilogue(scope, epilogue, sum, (index) => {
            const operand = opened.findLast((each) => each.index === index)!;
            return loadVector(operand.line, operand, v);
          }),
          storeVector(to.line, to, v, sum, Math.min(4, width - 4 * v)),
        ]),
        r === sums.length - 1 ? [] : opened.map(({ at, rowStep }) => advance(at, rowStep.get)),
      ]),
    ];
    return { init: opened.map(({ init }) => init), write };
  };
  return { key: walks.map(({ line }) => line.way).join(), open };
}

const placeOf =
  ({ dtype, way }: Line, at: Local, step: Local) =>
  (column: number): Code =>
    column === 0
      ? at.get
      : i32.add(at.get, way === 'adjacent' ? i32.const(column * bytesOf(dtype)) : i32.mul(step.get, i32.const(column)));

/** Blocks of `size` that cover an axis of `extent` ≥ `size`: the last one lies over the end of the one before. */
export function covering(at: Local, extent: Local, size: number, ...body: readonly Code[]): Code {
  const last = i32.sub(extent.get, i32.const(size));
  const next = i32.add(at.get, i32.const(size));
  const step = at.set(select(next, last, i32.lt_s(next, last)));
  return [at.set(i32.const(0)), loop(body, when(i32.lt_s(at.get, last), [step, br(1)]))];
}
