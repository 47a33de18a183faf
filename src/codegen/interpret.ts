/**
 * @file The loop IR carried out without generated code: for pages that forbid it. Same order, same bits, slower.
 */
import { SCALAR_FUNCTIONS, INTEGER_FUNCTIONS } from '../ops/math.js';
import { roundTo } from '../ops/evaluate/store.js';
import type { ComputedDType } from '../tensor/dtype.js';
import type { Tensor } from '../tensor/tensor.js';
import type { Scalar } from '../ops/scalar.js';
import type { Monoid } from '../ops/op.js';
import { linearize, type Instruction } from './linear.js';
import { outOfRange } from './gather.js';
import type { GatherIR, KernelIR, NestIR } from './ir.js';

export type KernelFunction = (inputs: readonly Tensor[], outputs: readonly Tensor[]) => void;

export const interpret = (ir: KernelIR): KernelFunction => (ir.kind === 'gather' ? interpretGather(ir) : interpretNest(ir));

/** Calls `visit` for each index of `extents` in row-major order, with the address of each walk. */
function eachIndex(
  extents: readonly number[],
  strides: readonly (readonly number[])[],
  starts: readonly number[],
  visit: (addresses: readonly number[], position: number) => void,
): void {
  const total = extents.reduce((product, extent) => product * extent, 1);
  const addresses = [...starts];
  const index = extents.map(() => 0);
  for (let position = 0; position < total; position++) {
    visit(addresses, position);
    for (let axis = extents.length - 1; axis >= 0; axis--) {
      for (let k = 0; k < addresses.length; k++) addresses[k] += strides[k][axis];
      if (++index[axis] < extents[axis]) break;
      for (let k = 0; k < addresses.length; k++) addresses[k] -= strides[k][axis] * extents[axis];
      index[axis] = 0;
    }
  }
}

interface Scope {
  readonly operands: number[];
  readonly folds: number[];
  position: number;
}

/** A term as a function of the leaves' values. */
function evaluator(term: Scalar, dtype: ComputedDType, count: number): (scope: Scope) => number {
  const list = linearize(term, dtype, count);
  const values = new Float64Array(list.length);
  return (scope) => {
    for (let at = 0; at < list.length; at++) values[at] = valueOf(list[at], values, scope);
    return values[list.length - 1];
  };
}

function valueOf(i: Instruction, values: Float64Array, scope: Scope): number {
  switch (i.kind) {
    case 'constant':
      return i.value;
    case 'operand':
      return scope.operands[i.index];
    case 'fold':
      return scope.folds[i.index];
    case 'position':
      return scope.position;
    case 'unary':
      return SCALAR_FUNCTIONS.unary[i.fn](values[i.x]);
    case 'binary':
      return (i.domain === 'integer' ? INTEGER_FUNCTIONS : SCALAR_FUNCTIONS).binary[i.fn](values[i.x], values[i.y]);
    case 'select':
      return values[i.test] !== 0 ? values[i.x] : values[i.y];
    case 'round':
      return roundTo(i.dtype, values[i.x]);
  }
}

const NEUTRAL: Record<Monoid, number> = { sum: 0, prod: 1, max: -Infinity, min: Infinity };

function combine(monoid: Monoid, wraps: boolean, x: number, y: number): number {
  switch (monoid) {
    case 'sum':
      return wraps ? (x + y) | 0 : x + y;
    case 'prod':
      return wraps ? INTEGER_FUNCTIONS.binary.mul(x, y) : x * y;
    default:
      return Math[monoid](x, y);
  }
}

function interpretNest(ir: NestIR): KernelFunction {
  const inner = ir.extents.slice(ir.outer);
  const count = inner.reduce((product, extent) => product * extent, 1);
  const strides = [...ir.inputs, ir.output].map((access) => access.strides);
  const outerStrides = strides.map((all) => all.slice(0, ir.outer));
  const innerStrides = strides.map((all) => all.slice(ir.outer));
  const { dtype } = ir.output;
  const wraps = dtype === 'int32';
  const folds = ir.folds.map(({ monoid, value }) => ({ monoid, value: evaluator(value, dtype, count) }));
  const result = evaluator(ir.result, dtype, count);
  const last = ir.inputs.length;

  return (inputs, outputs) => {
    const arrays = inputs.map(({ buffer }) => buffer.array as Float64Array);
    const target = outputs[0].buffer.array as Float64Array;
    const starts = [...inputs.map(({ offset }, k) => offset + ir.inputs[k].offset), outputs[0].offset + ir.output.offset];
    const scope: Scope = { operands: new Array<number>(last).fill(0), folds: [], position: 0 };
    const load = (addresses: readonly number[], position: number): void => {
      for (let k = 0; k < last; k++) scope.operands[k] = arrays[k][addresses[k]]!;
      scope.position = position;
    };
    const write = (addresses: readonly number[], position: number): void => {
      load(addresses, position);
      target[addresses[last]] = roundTo(dtype, result(scope));
    };
    eachIndex(ir.extents.slice(0, ir.outer), outerStrides, starts, (outer) => {
      scope.folds.length = 0;
      for (const fold of folds) {
        let sum = NEUTRAL[fold.monoid];
        eachIndex(inner, innerStrides, outer, (addresses, position) => {
          load(addresses, position);
          sum = combine(fold.monoid, wraps, sum, fold.value(scope));
        });
        scope.folds.push(sum);
      }
      if (ir.emits === 'group') write(outer, 0);
      else eachIndex(inner, innerStrides, outer, write);
    });
  };
}

function interpretGather(ir: GatherIR): KernelFunction {
  const strides = [ir.data.strides, ir.index.strides, ir.output.strides];
  return ([data, index], [output]) => {
    const from = data.buffer.array as Float64Array;
    const chosen = index.buffer.array;
    const to = output.buffer.array as Float64Array;
    const starts = [data.offset + ir.data.offset, index.offset + ir.index.offset, output.offset + ir.output.offset];
    eachIndex(ir.extents, strides, starts, ([at, i, z]) => {
      const given = Number(chosen[i]);
      if (!(given >= -ir.size && given < ir.size)) outOfRange(given, ir.size);
      to[z] = from[at + (given < 0 ? given + ir.size : given) * ir.step]!;
    });
  };
}
