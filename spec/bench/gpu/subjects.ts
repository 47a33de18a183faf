/**
 * @file What is timed on a GPU: kernels as loop IR, their operands, and what they must give.
 */
import { js, type KernelIR, type Tensor } from '../../../src/index.js';
import type { NestIR } from '../../../src/codegen/ir.js';
import { s, type Scalar } from '../../../src/ops/scalar.js';
import { allocateTensor } from '../../../src/tensor/tensor.js';
import { noise, sumOfProducts, tensorOf } from '../../support/products.js';

export interface Subject {
  readonly ir: KernelIR;
  readonly inputs: readonly Tensor[];
  readonly shape: readonly number[];
}

/** `steps` multiplications and additions of each element. `salt` makes a kernel that none is like: compilers remember. */
export function elementwise(count: number, steps: number, salt: number): Subject {
  let result: Scalar = s.add(s.operand(0), salt / 1024);
  for (let step = 1; step < steps; step++) result = step % 2 === 0 ? s.add(result, step / 64) : s.mul(result, 1 - step / 512);
  const access = { dtype: 'float32', strides: [1], offset: 0 } as const;
  const ir: NestIR = { kind: 'nest', extents: [count], outer: 1, inputs: [access], folds: [], result, emits: 'group', output: access }; // prettier-ignore
  return { ir, inputs: [tensorOf([count], noise(1))], shape: [count] };
}

export function product(rows: number, inner: number, columns: number): Subject {
  const inputs = [tensorOf([rows, inner], noise(1)), tensorOf([inner, columns], noise(2))];
  return { ir: sumOfProducts('ij,jk->ik', inputs).ir, inputs, shape: [rows, columns] };
}

/** What the subject gives, and then gives of what it gave, so many times in all; each time in float64, rounded. */
export function expected({ ir, inputs, shape }: Subject, times = 1): Float32Array {
  const kernel = js().compile(ir);
  let given = inputs;
  for (let time = 0; time < times; time++) {
    const output = allocateTensor(shape, 'float32');
    void kernel.run(given, [output]);
    given = [output];
  }
  return given[0].data as Float32Array;
}

/** @throws Error where a result is wrong */
export function requireSame(name: string, got: Tensor, want: Float32Array): void {
  const elements = got.data as Float32Array;
  const wrong = want.findIndex((value, at) => !(Math.abs(elements[at] - value) <= 1e-4 * Math.max(1, Math.abs(value))));
  if (elements.length === want.length && wrong < 0) return;
  throw new Error(`${name}: element ${wrong} is ${elements[wrong]}, not ${want[wrong]}`);
}
