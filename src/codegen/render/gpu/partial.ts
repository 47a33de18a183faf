/**
 * @file The first level of a fold in two: each thread folds a stretch of a group.
 */
import { literal } from '../../emitted.js';
import { rowMajorStrides } from '../../../tensor/shape.js';
import { addressOf, count, indicesOf } from './cells.js';
import { NEUTRAL, renderFold } from './fold.js';
import type { GpuPass } from './kernel.js';
import { leavesAt } from './leaves.js';
import type { Stretches } from './levels.js';
import { renderValue } from './scalar.js';
import { foldsRead, operandOf, type Stage } from './stage.js';
import { text, type Text } from './text.js';
import { isContraction, isTiledAlong, TILE } from './tile.js';

/** What a pass left of a fold: `total` results for each group. */
export interface Partial {
  readonly pass: number;
  readonly total: number;
  /** Groups lie side by side; else the results of a group do. */
  readonly isAcross: boolean;
}

const joined = <T>(isAcross: boolean, group: readonly T[], part: readonly T[]): readonly T[] =>
  isAcross ? [...part, ...group] : [...group, ...part];

/** One result for each stretch. Its terms lie apart, so that neighbouring threads read neighbours. */
export function stretchesPass(stage: Stage, at: number, { axis, length, along, total, isAcross }: Stretches): GpuPass {
  const { ir, form } = stage;
  const { monoid, value } = ir.folds[at];
  const m = text();
  const last = ir.outer - 1;
  const tiled = isAcross && isTiledAlong(last, ir, form) ? last : undefined;
  const groups = ir.extents.slice(0, ir.outer);
  const lead = ir.extents.slice(ir.outer, axis);
  const threads = groups.map((extent, each) => (each === tiled ? extent / TILE : extent));
  const found = indicesOf(m, joined(isAcross, threads, [...lead, along]));
  const [outer, [...parts]] = isAcross
    ? [found.slice(lead.length + 1), found.slice(0, lead.length + 1)]
    : [found.slice(0, ir.outer), found.slice(ir.outer)];
  const cells = outer.map((index, each) => (each === tiled ? m.keep(`${index}*${TILE}`) : index));
  const first = parts.pop()!;
  const known = foldsRead(m, stage, value, outer);
  const extent = literal(ir.extents[axis]);
  const isEven = length * along === ir.extents[axis];
  const lanes = Array.from({ length: tiled === undefined ? 1 : TILE }, (_, lane) => lane);
  const terms = ([turn, ...inside]: readonly string[]): readonly string[] => {
    const given = m.keep(`${turn}*${literal(along)}+${first}`);
    const index = isEven ? given : m.keep(`(${given}<${extent}?${given}:0)`);
    const leaves = leavesAt(m, stage, [...cells, ...parts, index, ...inside], tiled);
    const values = lanes.map((lane) => renderValue(m, value, ir.output.dtype, leaves(lane, known)));
    return isEven ? values : values.map((each) => m.keep(`(${given}<${extent}?${each}:${m.f(NEUTRAL[monoid])})`));
  };
  const extents = [length, ...ir.extents.slice(axis + 1)];
  const unroll = isContraction(ir) ? form.unroll : 1;
  return m.pass(count(groups) * total, renderFold(m, { monoid, extents, terms, width: lanes.length, unroll }));
}

/** The element that a pass left for a part of a group. */
export function readPartial(m: Text, stage: Stage, partial: Partial, outer: readonly string[], part: string): string {
  const { ir } = stage;
  const strides = rowMajorStrides(joined(partial.isAcross, ir.extents.slice(0, ir.outer), [partial.total]));
  const array = m.array(operandOf(stage, partial.pass));
  return m.keep(`${array}[${addressOf(joined(partial.isAcross, outer, [part]), strides)}]`);
}

/** Fewer results for each group: each thread folds several. */
export function partsPass(stage: Stage, at: number, partial: Partial, parts: number): GpuPass {
  const { ir } = stage;
  const { monoid } = ir.folds[at];
  const m = text();
  const groups = ir.extents.slice(0, ir.outer);
  const found = indicesOf(m, joined(partial.isAcross, groups, [parts]));
  const [outer, first] = partial.isAcross ? [found.slice(1), found[0]] : [found.slice(0, -1), found.at(-1)!];
  const total = literal(partial.total);
  const terms = ([turn]: readonly string[]): readonly string[] => {
    const given = m.keep(`${turn}*${literal(parts)}+${first}`);
    const safe = m.keep(`(${given}<${total}?${given}:0)`);
    const value = readPartial(m, stage, partial, outer, safe);
    return [m.keep(`(${given}<${total}?${value}:${m.f(NEUTRAL[monoid])})`)];
  };
  return m.pass(count(groups) * parts, renderFold(m, { monoid, extents: [Math.ceil(partial.total / parts)], terms }));
}
