/**
 * @file Contractions as JavaScript: tiles of 4 × 4 sums in registers, straight from strides.
 *
 * Every sum runs over the folded axes in the same order as a plain loop, in float64, so a tile changes no bit.
 */
import { literal } from '../emitted.js';
import type { NestIR } from '../ir.js';
import { loopsOf, nested, walksOf, type Walk } from './js-loops.js';
import { renderScalar, stored } from './js-scalar.js';

/** Rows and columns of a tile. 16 sums fit the registers that V8 hands out. */
const TILE = 4;
/** Multiplications below which a plain loop costs less than the tile's set-up. */
const WORTH = 64;

interface Axes {
  /** Written axes along which only the left, only the right operand moves; undefined where there is none. */
  readonly row: number | undefined;
  readonly column: number | undefined;
  readonly others: readonly number[];
}

/** A sum of products of operands 0 and 1 with something to reuse in a tile; undefined for every other nest. */
function contractionAxes(ir: NestIR): Axes | undefined {
  const [fold] = ir.folds;
  const isProduct =
    ir.folds.length === 1 &&
    fold.monoid === 'sum' &&
    fold.value.kind === 'binary' &&
    fold.value.fn === 'mul' &&
    fold.value.x.kind === 'operand' &&
    fold.value.x.index === 0 &&
    fold.value.y.kind === 'operand' &&
    fold.value.y.index === 1;
  if (!isProduct || ir.emits !== 'group' || ir.output.dtype === 'int32' || ir.inputs.length < 2) return undefined;
  if (ir.extents.reduce((product, extent) => product * extent, 1) < WORTH) return undefined;
  const [left, right] = ir.inputs as [NestIR['inputs'][0], NestIR['inputs'][0]];
  const outer = ir.extents.slice(0, ir.outer).map((_, axis) => axis);
  const row = outer.findLast((axis) => left.strides[axis] !== 0 && right.strides[axis] === 0);
  const column = outer.findLast((axis) => left.strides[axis] === 0 && right.strides[axis] !== 0);
  if (row === undefined && column === undefined) return undefined;
  return { row, column, others: outer.filter((axis) => axis !== row && axis !== column) };
}

export function renderContraction(ir: NestIR): string[] | undefined {
  const axes = contractionAxes(ir);
  if (axes === undefined) return undefined;
  const walks = walksOf(ir);
  const loops = loopsOf(ir, 0, ir.outer);
  return nested(
    axes.others.map((axis) => loops[axis]),
    walks,
    '',
    (starts) =>
      renderTiles(
        ir,
        axes,
        walks.map((walk, k) => ({ ...walk, start: starts[k] })),
      ),
  );
}

/** Whole tiles first, then the edges: columns outside, so that the right operand's panel stays near. */
function renderTiles(ir: NestIR, { row, column }: Axes, walks: readonly Walk[]): string[] {
  const steps = (axis: number | undefined, name: string, body: (width: number) => readonly string[]): readonly string[] => {
    if (axis === undefined) return body(1);
    const extent = ir.extents[axis];
    const whole = extent - (extent % TILE);
    const run = (from: number, to: number, width: number): readonly string[] =>
      from === to ? [] : [`for (let ${name} = ${from}; ${name} < ${literal(to)}; ${name} += ${width}) {`, ...body(width), '}'];
    return [...run(0, whole, TILE), ...run(whole, extent, 1)];
  };
  return [...steps(column, 'c', (columns) => steps(row, 'r', (rows) => renderTile(ir, { row, column }, walks, rows, columns)))];
}

function renderTile(
  ir: NestIR,
  { row, column }: Pick<Axes, 'row' | 'column'>,
  walks: readonly Walk[],
  rows: number,
  columns: number,
): readonly string[] {
  const along = (walk: Walk, axis: number | undefined, name: string): string => {
    const stride = axis === undefined ? 0 : walk.strides[axis];
    return stride === 0 ? '' : ` + ${name} * ${literal(stride)}`;
  };
  const shifted = walks.map((walk, k) => ({ ...walk, start: `q${k}` }));
  const opening = walks.map((walk, k) => `const q${k} = ${walk.start}${along(walk, row, 'r')}${along(walk, column, 'c')};`);
  const cells = Array.from({ length: rows * columns }, (_, at) => ({
    r: Math.floor(at / columns),
    c: at % columns,
    name: `m${Math.floor(at / columns)}_${at % columns}`,
  }));
  const away = (walk: Walk, r: number, c: number): string => {
    const offset = (row === undefined ? 0 : walk.strides[row] * r) + (column === undefined ? 0 : walk.strides[column] * c);
    return offset === 0 ? '' : ` + ${literal(offset)}`;
  };
  const [left, right] = shifted as [Walk, Walk];
  const sums = nested(loopsOf(ir, ir.outer, ir.extents.length), [left, right], 'k', ([x, y]) => [
    ...Array.from({ length: rows }, (_, r) => `const x${r} = a0[${x}${away(left, r, 0)}];`),
    ...Array.from({ length: columns }, (_, c) => `const y${c} = a1[${y}${away(right, 0, c)}];`),
    ...cells.map(({ r, c, name }) => `${name} += x${r} * y${c};`),
  ]);
  const writes = cells.flatMap(({ r, c, name }) => {
    const { statements, value, truth } = renderScalar(ir.result, ir.output.dtype, {
      operand: (index) => `a${index}[q${index}${away(shifted[index], r, c)}]`,
      fold: () => name,
      position: '0',
      prefix: `v${r}_${c}_`,
      count: 1,
      dtypes: ir.inputs.map(({ dtype }) => dtype),
    });
    return [...statements, `az[q${walks.length - 1}${away(shifted.at(-1)!, r, c)}] = ${stored(value, ir.output.dtype, truth)};`];
  });
  return [...opening, `let ${cells.map(({ name }) => `${name} = 0`).join(', ')};`, ...sums, ...writes];
}
