/**
 * @file The register block: rows × vectors sums over packed panels, the loop that decides a matrix product's speed.
 */
import type { Code } from '../bytes.js';
import { f32x4, i32, v128, when } from '../instructions.js';
import type { FunctionSource, Local, Scope } from '../module.js';
import type { BlockShape, Target } from '../kernel.js';
import { advance, countdown } from './control.js';

/** sum + x·y, with one rounding where the target may. */
export const multiplyAdd = ({ isRelaxed }: Target, x: Code, y: Code, sum: Code): Code =>
  isRelaxed ? f32x4.relaxed_madd(x, y, sum) : f32x4.add(sum, f32x4.mul(x, y));

/** One local for each vector of a block, row by row. */
export const sumsOf = (scope: Scope, { rows, vectors }: Pick<BlockShape, 'rows' | 'vectors'>): readonly (readonly Local[])[] =>
  Array.from({ length: rows }, () => Array.from({ length: vectors }, () => scope.local('v128')));

/**
 * `tile(left, right, count, to, lines, adds)`: the block's rows go to `to` + each of `lines`; `adds` to what is there.
 *
 * `packingTile` fills the panel `right` on the way, with vectors from `source` + each of the `count` offsets at `steps`, its
 * last two parameters: stores are free beside so much arithmetic.
 */
export const tileFunction = (name: 'tile' | 'packingTile', shape: BlockShape, target: Target): FunctionSource => ({
  name,
  params: Array.from({ length: name === 'tile' ? 6 : 8 }, () => 'i32' as const),
  body: (scope) => {
    const [left, right, count, to, lines, adds, source, steps] = [0, 1, 2, 3, 4, 5, 6, 7].map(scope.param);
    const { rows, vectors, unroll } = shape;
    const sums = sumsOf(scope, shape);
    const columns = Array.from({ length: vectors }, () => scope.local('v128'));
    const factor = scope.local('v128');
    const [turns, at] = [scope.local('i32'), scope.local('i32')];
    const panel = (step: number, v: number) => ({ offset: 16 * (step * vectors + v), align: 2 });
    const read = (step: number): Code =>
      name === 'tile'
        ? columns.map((column, v) => column.set(v128.load(right.get, panel(step, v))))
        : [
            at.set(i32.add(source.get, i32.load(steps.get, { offset: 4 * step, align: 2 }))),
            columns.map((column, v) => column.set(v128.load(at.get, { offset: 16 * v, align: 2 }))),
            columns.map((column, v) => v128.store(right.get, column.get, panel(step, v))),
          ];
    const multiply = (times: number): Code => [
      Array.from({ length: times }, (_, step) => [
        read(step),
        sums.map((row, r) => [
          factor.set(v128.load32_splat(left.get, { offset: 4 * (step * rows + r), align: 2 })),
          row.map((sum, v) => sum.set(multiplyAdd(target, factor.get, columns[v].get, sum.get))),
        ]),
      ]),
      advance(left, i32.const(4 * rows * times)),
      advance(right, i32.const(16 * vectors * times)),
      name === 'tile' ? [] : advance(steps, i32.const(4 * times)),
    ];
    const place = (v: number) => ({ offset: 16 * v, align: 2 });
    const write = (value: (sum: Local, v: number) => Code): Code =>
      sums.map((row, r) => [
        at.set(i32.add(to.get, i32.load(lines.get, { offset: 4 * r, align: 2 }))),
        row.map((sum, v) => v128.store(at.get, value(sum, v), place(v))),
      ]);
    const whole =
      unroll === 1
        ? []
        : [
            turns.set(i32.and(count.get, i32.const(-unroll))),
            when(turns.get, [count.set(i32.sub(count.get, turns.get)), countdown(turns, unroll, multiply(unroll))]),
          ];
    return [
      sums.map((row) => row.map((sum) => sum.set(scope.splat('f32', 0)))),
      whole,
      when(count.get, countdown(count, 1, multiply(1))),
      when(
        adds.get,
        write((sum, v) => f32x4.add(v128.load(at.get, place(v)), sum.get)),
        write((sum) => sum.get),
      ),
    ];
  },
});
