/**
 * @file Rows times one vector, k after k on both sides: vectors run along k, and are summed across at the end.
 */
import type { NestIR } from '../../../ir.js';
import type { Code } from '../bytes.js';
import { f32x4, i32, i32x4, shuffle, v128, when } from '../instructions.js';
import type { Target, WasmKernel } from '../kernel.js';
import type { Local, Scope } from '../module.js';
import { overBatch } from './batch.js';
import { advance, countdown, wordList } from './control.js';
import type { Epilogue } from './epilogue.js';
import type { Product } from './product.js';
import { blockWriter, bytesAlong, covering } from './strided.js';
import { multiplyAdd, sumsOf } from './tile.js';

/** Sums in registers: rows of the right operand × vectors of k. */
const VECTORS: Readonly<Record<number, number>> = { 1: 8, 2: 4, 3: 2, 4: 2 };

export const isDot = (ir: NestIR, { left, right, rows, columns, summed }: Product): boolean =>
  rows.length === 0 &&
  columns.length <= 1 &&
  summed.length === 1 &&
  ir.inputs[left].strides[summed[0]] === 1 &&
  ir.inputs[right].strides[summed[0]] === 1;

export function dot(ir: NestIR, product: Product, epilogue: Epilogue, target: Target): WasmKernel {
  const { left, right } = product;
  const n = product.columns.length === 0 ? 1 : ir.extents[product.columns[0]];
  const k = ir.extents[product.summed[0]];
  const width = Math.min(n, 4);
  const vectors = VECTORS[width];

  const words = wordList(ir.inputs.length);
  const extents = { n: words.put(n), k: words.put(k) };
  const stride = words.put(bytesAlong(ir.inputs[right], product.columns));
  const batch = overBatch(ir, product.batch, words);
  const writer = blockWriter(ir, product, epilogue, words);

  const body = (scope: Scope): Code => {
    const [columns, depth, rest, count, step, j, zero, x] = Array.from({ length: 8 }, () => scope.local('i32'));
    const lines = Array.from({ length: width }, () => scope.local('i32'));
    const sums = sumsOf(scope, { rows: width, vectors });
    const [factor, tail, total] = [scope.local('v128'), scope.local('v128'), scope.local('v128')];
    const { init, write } = writer.open(scope);
    const along = (times: number, read: (address: Code, v: number) => Code): Code => [
      Array.from({ length: times }, (_, v) => [
        factor.set(read(x.get, v)),
        lines.map((line, r) => sums[r][v].set(multiplyAdd(target, factor.get, read(line.get, v), sums[r][v].get))),
      ]),
      [x, ...lines].map((line) => advance(line, i32.const(16 * times))),
    ];
    const plain = (address: Code, v: number): Code => v128.load(address, { offset: 16 * v, align: 2 });
    // What lies behind the last k may be anything, NaN too, so it is taken out of both factors.
    const masked = (address: Code, v: number): Code => v128.and(plain(address, v), tail.get);
    const turns = 4 * vectors;
    return [
      [columns.set(extents.n), depth.set(extents.k), step.set(stride), rest.set(i32.and(depth.get, i32.const(3)))],
      tail.set(i32x4.lt_s(i32x4.const(0, 1, 2, 3), i32x4.splat(rest.get))),
      init,
      batch(scope, (bases) =>
        covering(j, columns, width, [
          x.set(bases[left].get),
          lines.map((line, r) =>
            line.set(r === 0 ? i32.add(bases[right].get, i32.mul(j.get, step.get)) : i32.add(lines[r - 1].get, step.get)),
          ),
          sums.map((line) => line.map((sum) => sum.set(scope.splat('f32', 0)))),
          count.set(i32.and(depth.get, i32.const(-turns))),
          when(count.get, countdown(count, turns, along(vectors, plain))),
          count.set(i32.and(depth.get, i32.const(turns - 4))),
          when(count.get, countdown(count, 4, along(1, plain))),
          when(rest.get, along(1, masked)),
          total.set(
            across(
              scope,
              sums.map((line) => tree(line.map(({ get }) => get))),
            ),
          ),
          write(bases, { row: zero, column: j }, [[total]], width),
        ]),
      ),
    ];
  };
  return {
    key: `dot ${width} ${writer.key}`,
    source: () => ({ memory: target.memory, functions: [{ name: 'run', params: ['i32'], body }] }),
    words: words.values,
    scratch: 0,
  };
}

/** Neighbours first, so that rounding errors grow with the logarithm of the count. */
const tree = (terms: readonly Code[]): Code =>
  terms.length === 1 ? terms[0] : f32x4.add(tree(terms.slice(0, terms.length / 2)), tree(terms.slice(terms.length / 2)));

const bytes = (...lanes: readonly number[]): readonly number[] =>
  lanes.flatMap((lane) => [0, 1, 2, 3].map((byte) => 4 * lane + byte));

/** A vector whose lane r is the sum of the lanes of vector r. */
function across(scope: Scope, vectors: readonly Code[]): Code {
  const held: readonly Local[] = Array.from({ length: 4 }, () => scope.local('v128'));
  const pairs = (x: Local, y: Local): Code =>
    f32x4.add(shuffle(x.get, y.get, bytes(0, 1, 4, 5)), shuffle(x.get, y.get, bytes(2, 3, 6, 7)));
  const [a, b, c, d] = held;
  return [
    vectors.map((vector, r) => held[r].set(vector)),
    a.set(pairs(a, b)),
    c.set(pairs(c, d)),
    f32x4.add(shuffle(a.get, c.get, bytes(0, 2, 4, 6)), shuffle(a.get, c.get, bytes(1, 3, 5, 7))),
  ];
}
