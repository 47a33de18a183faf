/**
 * @file What `wasm` saves beside `js`, in nanoseconds, estimated from the loops alone.
 *
 * The figures are processor time on V8 11.3 (AMD EPYC, 64 to 65,536 elements, least of several tries). They only have to tell
 * the small from the large, so they are rounded down, and do not name single functions.
 */
import type { KernelIR, NestIR } from '../../codegen/ir.js';
import type { Work } from '../../codegen/lower.js';
import type { Instruction } from '../../codegen/linear.js';
import { expressionsOf } from '../../codegen/render/wasm/expressions.js';
import { isNative } from '../../codegen/render/wasm/functions.js';
import { byteSize, type DType } from '../../tensor/dtype.js';
import type { Shape } from '../../tensor/shape.js';

/** Calling a kernel: addresses into its descriptor, and over the border. */
const CALL = 150;
/** A folded element: sums and maxima 0.9 to 1.5. */
const FOLDED = 0.75;
/** A multiplication that is added up: 0.5 in float32 and float64, 1.5 in int32. */
const ADDED_PRODUCT = 0.5;
/** A written element and each step of arithmetic on it, in float32. A ReLU saves 2.1, a chain of five steps 7. */
const WRITTEN = 1;
/** The same in float64 and int32, however many steps: 1.8 to 3. */
const WRITTEN_WIDE = 1.5;
/** A polynomial in float32 lanes: a logarithm 8, tanh 13, a power 60. */
const FUNCTION = 6;
/** In float64 lanes `wasm` calls the function of JavaScript, which costs: an exponential nothing, tanh 12, a power 15. */
const CALLED_FUNCTION = -8;

/** A tensor that is copied in or out: finding its place, and its bytes. */
const CROSSING = 300;
const CROSSING_BYTE = 0.05;

/**
 * What a frame has to save: a new kernel takes up to a millisecond longer to compile, which a hundred frames repay.
 * A product of 28 × 28 matrices saves as much, or 7,000 elements through one operation.
 */
const WORTH = 10_000;

/** Saved on this work where its operands lie in the backend's memory; negative where `js` is quicker. */
export const savingOf = ({ calls }: Work): number => calls.reduce((sum, { ir }) => sum + savingOfKernel(ir) - CALL, 0);

/** Whether so much saved is worth it where these have to be copied, in or out. */
export const repays = (saving: number, moved: readonly { readonly shape: Shape; readonly dtype: DType }[]): boolean =>
  moved.reduce((left, { shape, dtype }) => left - CROSSING - CROSSING_BYTE * count(shape) * byteSize(dtype), saving) >= WORTH;

const count = (sizes: readonly number[]): number => sizes.reduce((product, size) => product * size, 1);

function savingOfKernel(ir: KernelIR): number {
  const points = count(ir.extents);
  if (ir.kind === 'gather') return points * WRITTEN;
  const { values, result } = expressionsOf(ir);
  const isSingle = [...ir.inputs, ir.output].every(({ dtype }) => dtype === 'float32' || dtype === 'bool');
  const folded = values.reduce((sum, list) => sum + (list.length > 1 ? ADDED_PRODUCT : FOLDED) + functions(list, isSingle), 0);
  return points * folded + writtenBy(ir, points) * (written(result, isSingle) + functions(result, isSingle));
}

const writtenBy = ({ emits, extents, outer }: NestIR, points: number): number =>
  emits === 'element' ? points : count(extents.slice(0, outer));

const isOperation = ({ kind }: Instruction): boolean => kind === 'unary' || kind === 'binary' || kind === 'select';

const written = (list: readonly Instruction[], isSingle: boolean): number =>
  isSingle ? WRITTEN * (1 + list.filter((i) => isOperation(i) && isNative('f64', i)).length) : WRITTEN_WIDE;

const functions = (list: readonly Instruction[], isSingle: boolean): number =>
  list.filter((i) => !isNative('f64', i)).length * (isSingle ? FUNCTION : CALLED_FUNCTION);
