/**
 * @file A product without packing: the right operand's columns lie side by side, and all of it is near.
 *
 * For small matrices, and for a single row (vector times matrix), where every number of the matrix is read only once.
 */
import type { NestIR } from '../../../ir.js';
import type { Code } from '../bytes.js';
import { i32, v128, when } from '../instructions.js';
import { DEFAULT_BLOCK, type Target, type WasmKernel } from '../kernel.js';
import type { Scope } from '../module.js';
import { overBatch } from './batch.js';
import { advance, countdown, wordList } from './control.js';
import type { Epilogue } from './epilogue.js';
import type { Product } from './product.js';
import { blockWriter, bytesAlong, covering } from './strided.js';
import { multiplyAdd, sumsOf } from './tile.js';

/** Steps of k an iteration where one row leaves registers free, on every engine. */
const ROW_UNROLL = 4;

export const isDirect = (ir: NestIR, { right, rows, columns, summed }: Product): boolean =>
  rows.length <= 1 && columns.length === 1 && summed.length <= 1 && ir.inputs[right].strides[columns[0]] === 1;

export function direct(ir: NestIR, product: Product, epilogue: Epilogue, target: Target): WasmKernel {
  const { left, right } = product;
  const size = ([axis]: readonly number[]): number => (axis === undefined ? 1 : ir.extents[axis]);
  const [m, n, k] = [size(product.rows), size(product.columns), size(product.summed)];
  const block = target.block ?? DEFAULT_BLOCK;
  const height = Math.min(m, block.rows);
  const width = n >= 16 && height === 1 ? 16 : n >= 8 ? 8 : Math.min(n, 4);
  const shape = { rows: height, vectors: Math.ceil(width / 4) };
  const unroll = height === 1 ? ROW_UNROLL : block.unroll;

  const words = wordList(ir.inputs.length);
  const extents = { m: words.put(m), n: words.put(n), k: words.put(k) };
  const steps = {
    row: words.put(bytesAlong(ir.inputs[left], product.rows)),
    leftStep: words.put(bytesAlong(ir.inputs[left], product.summed)),
    rightStep: words.put(bytesAlong(ir.inputs[right], product.summed)),
  };
  const batch = overBatch(ir, product.batch, words);
  const writer = blockWriter(ir, product, epilogue, words);

  const body = (scope: Scope): Code => {
    const names = ['rows', 'columns', 'depth', 'count', 'row', 'leftStep', 'rightStep', 'i', 'j', 'b'] as const;
    const { rows, columns, depth, count, row, leftStep, rightStep, i, j, b } = Object.fromEntries(
      names.map((name) => [name, scope.local('i32')]),
    ) as Record<(typeof names)[number], ReturnType<Scope['local']>>;
    const lines = Array.from({ length: height }, () => scope.local('i32'));
    const sums = sumsOf(scope, shape);
    const vectors = Array.from({ length: shape.vectors }, () => scope.local('v128'));
    const factor = scope.local('v128');
    const { init, write } = writer.open(scope);
    const step: Code = [
      vectors.map((vector, v) => vector.set(v128.load(b.get, { offset: 16 * v, align: 2 }))),
      sums.map((line, r) => [
        factor.set(v128.load32_splat(lines[r].get, { align: 2 })),
        line.map((sum, v) => sum.set(multiplyAdd(target, factor.get, vectors[v].get, sum.get))),
      ]),
      lines.map((line) => advance(line, leftStep.get)),
      advance(b, rightStep.get),
    ];
    const unrolled: Code = [
      count.set(i32.and(depth.get, i32.const(-unroll))),
      when(
        count.get,
        countdown(
          count,
          unroll,
          Array.from({ length: unroll }, () => step),
        ),
      ),
      count.set(i32.and(depth.get, i32.const(unroll - 1))),
      when(count.get, countdown(count, 1, step)),
    ];
    return [
      [rows.set(extents.m), columns.set(extents.n), depth.set(extents.k)],
      [row.set(steps.row), leftStep.set(steps.leftStep), rightStep.set(steps.rightStep)],
      init,
      batch(scope, (bases) =>
        covering(j, columns, width, [
          covering(i, rows, height, [
            lines.map((line, r) =>
              line.set(r === 0 ? i32.add(bases[left].get, i32.mul(i.get, row.get)) : i32.add(lines[r - 1].get, row.get)),
            ),
            b.set(i32.add(bases[right].get, i32.shl(j.get, i32.const(2)))),
            sums.map((line) => line.map((sum) => sum.set(scope.splat('f32', 0)))),
            unroll === 1 ? [count.set(depth.get), countdown(count, 1, step)] : unrolled,
            write(bases, { row: i, column: j }, sums, width),
          ]),
        ]),
      ),
    ];
  };
  return {
    key: `direct ${height} ${width} ${unroll} ${writer.key}`,
    source: () => ({ memory: target.memory, functions: [{ name: 'run', params: ['i32'], body }] }),
    words: words.values,
    scratch: 0,
  };
}
