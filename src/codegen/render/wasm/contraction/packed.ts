/**
 * @file The packed matrix product: any strides, any number of axes, any size.
 *
 * Columns by NC, k by KC, rows by MC: both operands' blocks are packed into panels that a register block reads in order,
 * a panel of columns staying in the first cache while all panels of rows pass. Source: Goto and van de Geijn, Anatomy of
 * High-Performance Matrix Multiplication (2008), for the order of the loops.
 */
import type { NestIR } from '../../../ir.js';
import type { Code } from '../bytes.js';
import { call, i32, select, when } from '../instructions.js';
import { DEFAULT_BLOCK, type Target, type WasmKernel } from '../kernel.js';
import type { FunctionSource, Local, Scope } from '../module.js';
import { overBatch } from './batch.js';
import { advance, each, min, wordList } from './control.js';
import { isPlain, type Epilogue } from './epilogue.js';
import { finishFunction, settleFunction } from './finish.js';
import { bytesOf, isAdjacent, lineOf, runOf } from './lines.js';
import { ANY_WAY, LINES_ADJACENT, packFunction, STEPS_ADJACENT } from './pack.js';
import type { Product } from './product.js';
import { extendFunction, table, type Table } from './tables.js';
import { tileFunction } from './tile.js';

/** k to a panel, rows and columns to a block. */
const KC = 384;
const MC = 120;
const NC = 512;
/** Rows up to which packing the right operand is worth saving; beyond, its lines are better read all at once. */
const FEW = 128;

const up = (value: number, step: number): number => Math.ceil(value / step) * step;

export function packed(ir: NestIR, product: Product, epilogue: Epilogue, target: Target): WasmKernel {
  const shape = target.block ?? DEFAULT_BLOCK;
  const [height, width] = [shape.rows, 4 * shape.vectors];
  const { rows, columns, summed } = product;
  const size = (axes: readonly number[]): number => axes.reduce((total, axis) => total * ir.extents[axis], 1);
  const [m, n, k] = [size(rows), size(columns), size(summed)];
  // Steps of even length, so that the last one is not a sliver; all of k at once where the output cannot hold sums.
  const turns = ir.output.dtype === 'float32' ? Math.ceil(k / KC) : 1;
  const kc = Math.min(k, up(Math.ceil(k / turns), 4));
  const most = (size: number, step: number, limit: number): number => Math.min(up(size, step), limit - (limit % step));
  const [mc, nc] = [most(m, height, MC), most(n, width, NC)];

  const words = wordList(ir.inputs.length);
  const out = ir.inputs.length;
  const scratch = words.address(out + 1);
  let used = 0;
  const tables: Table[] = [];
  const lay = (axes: readonly number[], index: number, step: number): Code => {
    const access = index === out ? ir.output : ir.inputs[index];
    const lengths = axes.map((axis) => ({ extent: ir.extents[axis], stride: access.strides[axis] * bytesOf(access.dtype) }));
    const made = table(words, scratch, used, lengths, up(size(axes), step));
    used += made.bytes;
    tables.push(made);
    return made.base;
  };
  const take = (bytes: number): Code => {
    const at = i32.add(scratch, words.put(used));
    used += up(bytes, 64);
    return at;
  };
  const places = [out, ...product.further].map((index) => ({
    index,
    rows: lay(rows, index, height),
    columns: lay(columns, index, width),
  }));
  const operand = (index: number, lines: readonly number[], step: number) => ({
    index,
    lines: lay(lines, index, step),
    steps: lay(summed, index, 1),
    way: words.put(wayOf(ir, index, lines, summed, step)),
  });
  const left = operand(product.left, rows, height);
  const right = operand(product.right, columns, width);
  const tileRows = take(4 * height);
  const tile = take(4 * height * width);
  const panels = { left: take(4 * mc * kc), right: take(4 * nc * kc) };
  const limits = { m: words.put(m), n: words.put(n), k: words.put(k), mc: words.put(mc), nc: words.put(nc), kc: words.put(kc) };
  const batch = overBatch(ir, product.batch, words);
  const output = lineOf(ir.extents, ir.output, columns, width);
  // Whole blocks go straight to the output where its columns lie side by side, and are finished there.
  const isDirect = output.way === 'adjacent' && output.dtype === 'float32';
  const further = product.further.map((index) => ({ index, line: lineOf(ir.extents, ir.inputs[index], columns, width) }));

  const body = (scope: Scope): Code => {
    const variable = (value: Code): Local & { readonly init: Code } => {
      const local = scope.local('i32');
      return { ...local, init: local.set(value) };
    };
    const to = (name: string, ...args: readonly Code[]): Code => call(scope.functionIndex(name), ...args);
    const fixed = {
      m: variable(limits.m), n: variable(limits.n), k: variable(limits.k),
      a: variable(panels.left), b: variable(panels.right),
      leftLines: variable(left.lines), leftSteps: variable(left.steps), leftWay: variable(left.way),
      rightLines: variable(right.lines), rightSteps: variable(right.steps), rightWay: variable(right.way),
      tile: variable(tile), tileRows: variable(tileRows),
    }; // prettier-ignore
    const spots = places.map(({ index, rows: r, columns: c }) => ({ index, rows: variable(r), columns: variable(c) }));
    const [n0, n1, k0, kn, m0, m1, i, j, pa, pb, tall, wide] = Array.from({ length: 12 }, () => scope.local('i32'));
    const entry = (base: Local, index: Code): Code => i32.add(base.get, i32.shl(index, i32.const(2)));
    const bytes = (lines: number): Code => i32.mul(kn.get, i32.const(4 * lines));
    const rest = (limit: Local, at: Local, most: number, into: Local): Code => [
      into.set(i32.sub(limit.get, at.get)),
      when(i32.gt_s(into.get, i32.const(most)), into.set(i32.const(most))),
    ];
    const upTo = (into: Local, from: Local, step: Code, limit: Local): Code => [
      into.set(i32.add(from.get, step)),
      into.set(min(into, limit)),
    ];
    // Lines that lie side by side are read together only where none of them is past the edge.
    const way = (chosen: Local, present: Local, all: number): Code =>
      select(
        chosen.get,
        i32.const(ANY_WAY),
        i32.or(i32.ne(chosen.get, i32.const(LINES_ADJACENT)), i32.eq(present.get, i32.const(all))),
      );
    return [
      [...Object.values(fixed), ...spots.flatMap((spot) => [spot.rows, spot.columns])].map(({ init }) => init),
      tables.map(({ fill }) => fill(scope)),
      Array.from({ length: height }, (_, r) =>
        i32.store(fixed.tileRows.get, i32.const(4 * width * r), { offset: 4 * r, align: 2 }),
      ),
      batch(scope, (base) => {
        const address = (index: number): Code => base[index].get;
        const isLast = i32.eq(i32.add(k0.get, kn.get), fixed.k.get);
        const later = i32.ne(k0.get, i32.const(0));
        const first = spots[0];
        const ends = spots.map(({ index, rows: r, columns: c }) => [address(index), entry(r, i.get), entry(c, j.get)]);
        const goal = [
          pa.get,
          pb.get,
          kn.get,
          i32.add(address(out), i32.load(entry(first.columns, j.get), { align: 2 })),
          entry(first.rows, i.get),
          later,
        ];
        const lines = i32.add(address(right.index), i32.load(entry(fixed.rightLines, j.get), { align: 2 }));
        // Of few rows the first fill a panel while they are multiplied with it, where its lines lie side by side.
        const fills = isDirect
          ? i32.and(
              i32.and(i32.eq(fixed.rightWay.get, i32.const(LINES_ADJACENT)), i32.eq(wide.get, i32.const(width))),
              i32.and(i32.ge_s(fixed.m.get, i32.const(height)), i32.le_s(fixed.m.get, i32.const(FEW))),
            )
          : i32.const(0);
        const whole: Code = [
          when(
            i32.and(i32.eqz(i.get), fills),
            to('packingTile', ...goal, lines, entry(fixed.rightSteps, k0.get)),
            to('tile', ...goal),
          ),
          isPlain(epilogue) ? [] : when(isLast, to('settle', ...ends)),
        ];
        const edge: Code = [
          to('tile', pa.get, pb.get, kn.get, fixed.tile.get, fixed.tileRows.get, i32.const(0)),
          to('finish', fixed.tile.get, tall.get, wide.get, later, isLast, ...ends),
        ];
        const isWhole = i32.and(i32.eq(tall.get, i32.const(height)), i32.eq(wide.get, i32.const(width)));
        const block = isDirect ? when(isWhole, whole, edge) : edge;
        return each(n0, i32.const(0), fixed.n.get, limits.nc, [
          upTo(n1, n0, limits.nc, fixed.n),
          each(k0, i32.const(0), fixed.k.get, limits.kc, [
            kn.set(i32.sub(fixed.k.get, k0.get)),
            when(i32.gt_s(kn.get, limits.kc), kn.set(limits.kc)),
            pb.set(fixed.b.get),
            each(j, n0.get, n1.get, i32.const(width), [
              rest(n1, j, width, wide),
              when(
                i32.eqz(fills),
                to(
                  'packRight',
                  address(right.index),
                  entry(fixed.rightLines, j.get),
                  entry(fixed.rightSteps, k0.get),
                  kn.get,
                  way(fixed.rightWay, wide, width),
                  pb.get,
                ),
              ),
              advance(pb, bytes(width)),
            ]),
            each(m0, i32.const(0), fixed.m.get, limits.mc, [
              upTo(m1, m0, limits.mc, fixed.m),
              pa.set(fixed.a.get),
              each(i, m0.get, m1.get, i32.const(height), [
                rest(m1, i, height, tall),
                to(
                  'packLeft',
                  address(left.index),
                  entry(fixed.leftLines, i.get),
                  entry(fixed.leftSteps, k0.get),
                  kn.get,
                  way(fixed.leftWay, tall, height),
                  pa.get,
                ),
                advance(pa, bytes(height)),
              ]),
              pb.set(fixed.b.get),
              each(j, n0.get, n1.get, i32.const(width), [
                rest(n1, j, width, wide),
                pa.set(fixed.a.get),
                each(i, m0.get, m1.get, i32.const(height), [rest(m1, i, height, tall), block, advance(pa, bytes(height))]),
                advance(pb, bytes(width)),
              ]),
            ]),
          ]),
        ]);
      }),
    ];
  };
  const functions = (): readonly FunctionSource[] => [
    extendFunction,
    packFunction('packLeft', height),
    packFunction('packRight', width),
    tileFunction('tile', shape, target),
    ...(isDirect ? [tileFunction('packingTile', shape, target)] : []),
    finishFunction(shape.vectors, epilogue, output, further),
    ...(isDirect && !isPlain(epilogue) ? [settleFunction(shape, epilogue, output, further)] : []),
    { name: 'run', params: ['i32'], body },
  ];
  return {
    key: `packed ${height} ${width} ${shape.unroll} ${output.way} ${further.map(({ line }) => line.way).join()}`,
    source: () => ({ memory: target.memory, functions: functions() }),
    words: words.values,
    scratch: used,
  };
}

/** What lets a panel be filled by vectors. */
function wayOf(
  { extents, inputs }: NestIR,
  index: number,
  lines: readonly number[],
  summed: readonly number[],
  width: number,
): number {
  const { strides } = inputs[index];
  if (isAdjacent(extents, strides, lines, width)) return LINES_ADJACENT;
  return runOf(extents, strides, summed) === summed.reduce((total, axis) => total * extents[axis], 1) ? STEPS_ADJACENT : ANY_WAY;
}
