/**
 * @file A vector times a matrix whose columns lie side by side: the matrix is read as it lies, several rows at a time.
 *
 * Every number of the matrix is read once, so memory decides: whole rows come as fast as it streams, while a few columns of
 * every row come line by line. Sums wait in working memory.
 */
import type { NestIR } from '../../../ir.js';
import type { Code } from '../bytes.js';
import { br, f32x4, i32, loop, memoryFill, v128, when } from '../instructions.js';
import type { Target, WasmKernel } from '../kernel.js';
import type { Scope } from '../module.js';
import { overBatch } from './batch.js';
import { advance, each, min, wordList } from './control.js';
import type { Epilogue } from './epilogue.js';
import type { Product } from './product.js';
import { blockWriter, bytesAlong, covering } from './strided.js';
import { multiplyAdd } from './tile.js';

/** Rows at a time: their factors stay in registers. */
const ROWS = 8;
/** Vectors of columns a step. */
const VECTORS = 4;
/** Columns whose sums stay in the first-level cache. */
const PANEL = 2048;
/** Columns from which on this is worth it. */
const WORTH = 32;

export const isSwept = ({ extents, inputs }: NestIR, { right, rows, columns, summed }: Product): boolean =>
  rows.length === 0 &&
  columns.length === 1 &&
  summed.length === 1 &&
  inputs[right].strides[columns[0]] === 1 &&
  extents[columns[0]] >= WORTH;

export function swept(ir: NestIR, product: Product, epilogue: Epilogue, target: Target): WasmKernel {
  const { left, right, summed } = product;
  const [n, k] = [ir.extents[product.columns[0]], ir.extents[summed[0]]];
  const words = wordList(ir.inputs.length);
  const extents = { n: words.put(n), k: words.put(k) };
  const steps = { left: words.put(bytesAlong(ir.inputs[left], summed)), right: words.put(bytesAlong(ir.inputs[right], summed)) };
  const sums = words.address(ir.inputs.length + 1);
  const batch = overBatch(ir, product.batch, words);
  const writer = blockWriter(ir, product, epilogue, words);

  const body = (scope: Scope): Code => {
    const int = () => scope.local('i32');
    const [columns, depth, leftStep, rightStep, from, to, x, row, done, j, zero, at, end, some] = Array.from({ length: 14 }, int);
    const lines = Array.from({ length: ROWS }, int);
    const factors = lines.map(() => scope.local('v128'));
    const part = scope.local('v128');
    const { init, write } = writer.open(scope);
    const place = (v: number) => ({ offset: 16 * v, align: 2 });
    /** `vectors` vectors of the sums at `at`, from `rows` rows. */
    const step = (rows: number, vectors: number): Code => [
      Array.from({ length: vectors }, (_, v) => [
        lines
          .slice(0, rows)
          .map((line, r) =>
            part.set(
              r === 0
                ? f32x4.mul(factors[r].get, v128.load(line.get, place(v)))
                : multiplyAdd(target, factors[r].get, v128.load(line.get, place(v)), part.get),
            ),
          ),
        v128.store(at.get, f32x4.add(v128.load(at.get, place(v)), part.get), place(v)),
      ]),
      [at, ...lines.slice(0, rows)].map((each) => advance(each, i32.const(16 * vectors))),
    ];
    const whileBefore = (limit: Code, code: Code): Code => loop(when(i32.lt_u(at.get, limit), [code, br(1)]));
    /** Adds `rows` rows from `row` on to the sums of this panel. */
    const add = (rows: number): Code => [
      lines
        .slice(0, rows)
        .map((line, r) => [
          factors[r].set(v128.load32_splat(x.get, { align: 2 })),
          advance(x, leftStep.get),
          line.set(row.get),
          advance(row, rightStep.get),
        ]),
      at.set(i32.add(sums, i32.shl(from.get, i32.const(2)))),
      whileBefore(some.get, step(rows, VECTORS)),
      whileBefore(end.get, step(rows, 1)),
      advance(done, i32.const(rows)),
    ];
    const rowsOf = (rows: number): Code =>
      loop(when(i32.le_s(i32.add(done.get, i32.const(rows)), depth.get), [add(rows), br(1)]));
    return [
      [columns.set(extents.n), depth.set(extents.k), leftStep.set(steps.left), rightStep.set(steps.right)],
      init,
      batch(scope, (bases) => [
        memoryFill(sums, i32.const(0), i32.shl(columns.get, i32.const(2))),
        each(from, i32.const(0), columns.get, i32.const(PANEL), [
          to.set(i32.add(from.get, i32.const(PANEL))),
          to.set(min(to, columns)),
          end.set(i32.add(sums, i32.shl(to.get, i32.const(2)))),
          some.set(i32.sub(end.get, i32.const(16 * VECTORS - 1))),
          x.set(bases[left].get),
          row.set(i32.add(bases[right].get, i32.shl(from.get, i32.const(2)))),
          done.set(i32.const(0)),
          rowsOf(ROWS),
          rowsOf(1),
        ]),
        covering(j, columns, 4, [
          part.set(v128.load(i32.add(sums, i32.shl(j.get, i32.const(2))), { align: 2 })),
          write(bases, { row: zero, column: j }, [[part]], 4),
        ]),
      ]),
    ];
  };
  return {
    key: `swept ${writer.key}`,
    source: () => ({ memory: target.memory, functions: [{ name: 'run', params: ['i32'], body }] }),
    words: words.values,
    scratch: 4 * n + 16,
  };
}
