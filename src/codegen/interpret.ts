/**
 * @file The loop IR carried out without generated code: for pages that forbid it. Same order, same bits, slower.
 */
import { SCALAR_FUNCTIONS, INTEGER_FUNCTIONS } from '../ops/math.js';
import { combining, NEUTRAL } from '../ops/evaluate/fold.js';
import { roundTo } from '../ops/evaluate/store.js';
import { walk } from '../ops/evaluate/walk.js';
import type { ComputedDType } from '../tensor/dtype.js';
import type { Tensor } from '../tensor/tensor.js';
import type { Scalar } from '../ops/scalar.js';
import { linearize, type Instruction } from './linear.js';
import { outOfRange } from './gather.js';
import type { GatherIR, KernelIR, NestIR } from './ir.js';

export type KernelFunction = (inputs: readonly Tensor[], outputs: readonly Tensor[]) => void;

export const interpret = (ir: KernelIR): KernelFunction => (ir.kind === 'gather' ? interpretGather(ir) : interpretNest(ir));

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

function interpretNest(ir: NestIR): KernelFunction {
  const inner = ir.extents.slice(ir.outer);
  const count = inner.reduce((product, extent) => product * extent, 1);
  const strides = [...ir.inputs, ir.output].map((access) => access.strides);
  const outerStrides = strides.map((all) => all.slice(0, ir.outer));
  const innerStrides = strides.map((all) => all.slice(ir.outer));
  const { dtype } = ir.output;
  const folds = ir.folds.map(({ monoid, value, finish }) => ({
    neutral: NEUTRAL[monoid],
    combine: combining(monoid, dtype),
    value: evaluator(value, dtype, count),
    finish: finish && evaluator(finish, dtype, count),
  }));
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
    walk(ir.extents.slice(0, ir.outer), outerStrides, starts, (outer) => {
      scope.folds.length = 0;
      for (const { neutral, combine, value, finish } of folds) {
        let total = neutral;
        walk(inner, innerStrides, outer, (addresses, position) => {
          load(addresses, position);
          total = combine(total, value(scope));
        });
        scope.folds.push(total);
        if (finish !== undefined) scope.folds[scope.folds.length - 1] = finish(scope);
      }
      if (ir.emits === 'group') write(outer, 0);
      else walk(inner, innerStrides, outer, write);
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
    walk(ir.extents, strides, starts, ([at, i, z]) => {
      const given = Number(chosen[i]);
      if (!(given >= -ir.size && given < ir.size)) outOfRange(given, ir.size);
      to[z] = from[at + (given < 0 ? given + ir.size : given) * ir.step]!;
    });
  };
}
