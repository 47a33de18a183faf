/**
 * @file A call of an op as kernels, and what each of them is given: carried out one by one by the interpreter.
 */
import { interpret } from '../../src/codegen/interpret.js';
import type { KernelIR } from '../../src/codegen/ir.js';
import { lower, type Place } from '../../src/codegen/lower.js';
import type { AnyOp } from '../../src/ops/op.js';
import { readParams } from '../../src/ops/params.js';
import type { ComputedDType } from '../../src/tensor/dtype.js';
import type { Shape } from '../../src/tensor/shape.js';
import { allocateTensor, type Tensor } from '../../src/tensor/tensor.js';
import type { Call } from './anyCall.js';

/** One kernel with its operands, its output before it runs, and the output that the interpreter gives. */
export interface Step {
  readonly ir: KernelIR;
  readonly inputs: readonly Tensor[];
  readonly before: Tensor;
  readonly want: Tensor;
}

const copyOf = (tensor: Tensor): Tensor => {
  const copy = allocateTensor(tensor.shape, tensor.dtype);
  (copy.buffer.array as Float64Array).set(tensor.buffer.array as Float64Array);
  return copy;
};

/**
 * The kernels of a call; none for a view.
 *
 * @throws EinstreamError for calls that have no result
 */
export function stepsOf(op: AnyOp, { operands, params: given }: Call): readonly Step[] {
  const params = readParams(op, given, { op: op.name });
  const shape = op.shape(operands.map((x) => x.shape), params, { op: op.name }) as Shape; // prettier-ignore
  const dtype = op.dtype(operands.map((x) => x.dtype as ComputedDType), params); // prettier-ignore
  const inputs = operands.map((x) => ({ dtype: x.dtype as ComputedDType, shape: x.shape, strides: x.strides }));
  const work = lower({ op, params, inputs, output: { shape, dtype } });
  if (work.kind === 'view') return [];
  const output = allocateTensor(shape, dtype);
  const temporaries = work.temporaries.map((each) => allocateTensor(each.shape, each.dtype));
  const tensorAt = (place: Place): Tensor =>
    place.of === 'input' ? operands[place.index] : place.of === 'temporary' ? temporaries[place.index] : output;
  return work.calls.map(({ ir, inputs: places, output: to }) => {
    const reads = places.map((place) => (place.of === 'input' ? tensorAt(place) : copyOf(tensorAt(place))));
    const [target, before] = [tensorAt(to), copyOf(tensorAt(to))];
    interpret(ir)(reads, [target]);
    return { ir, inputs: reads, before, want: copyOf(target) };
  });
}
