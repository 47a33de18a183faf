/**
 * @file Which axes a map turns: it reads operands along one, and writes along another.
 */
import type { Access, NestIR } from '../../ir.js';
import { LANES, LOG_BYTES, type LaneKind } from './lanes.js';

/** Elements of both axes from which on a map that computes something is worth its larger code. */
const WORTH = 1024;
/** Bytes of a vector. */
const VECTOR = 16;

export interface TurnedAxes {
  /** Along which elements of the turned operands lie together. */
  readonly read: number;
  /** Along which the output's do. */
  readonly write: number;
}

/** The two axes of a map that turns an operand of whole lanes; undefined for every other nest. */
export function turnedAxes(ir: NestIR, kind: LaneKind): TurnedAxes | undefined {
  if (ir.folds.length > 0) return undefined;
  const along = ({ strides }: Access): number =>
    strides.findIndex((stride, axis) => stride === 1 && ir.extents[axis] >= LANES[kind]);
  const write = along(ir.output);
  if (write < 0) return undefined;
  const isCopy = ir.inputs.length === 1 && ir.result.kind === 'operand' && ir.inputs[0].dtype === ir.output.dtype;
  for (const input of ir.inputs) {
    const axes = { read: along(input), write };
    if (axes.read < 0 || ir.output.strides[axes.read] === 1 || !isTurned(input, axes, kind)) continue;
    if (isCopy || ir.extents[axes.read] * ir.extents[write] >= WORTH) return axes;
  }
  return undefined;
}

/** An input that is read along the one axis, and written along the other. */
export const isTurned = ({ dtype, strides }: Access, { read, write }: TurnedAxes, kind: LaneKind): boolean =>
  LANES[kind] << LOG_BYTES[dtype] === VECTOR && strides[read] === 1 && strides[write] !== 0 && strides[write] !== 1;
