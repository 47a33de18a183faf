/**
 * @file Tensors in JSON: `{ dtype, shape, data: [numbers] }` for a few finite numbers, else `{ dtype, shape, base64 }`
 * of the elements' bytes (little-endian), which keeps every bit.
 */
import { excerpt, fault, type Fault } from '../../../errors/index.js';
import { arrayOf, byteSize, readDType, type DType, type TypedArray } from '../../../tensor/dtype.js';
import { numElements, readShape } from '../../../tensor/shape.js';
import { allocateArray, tensorOver, type Tensor } from '../../../tensor/tensor.js';
import { bytesOf, fromBase64, toBase64 } from '../../base64.js';
import { jsonNumber, type JsonReader } from '../../json/index.js';

/** Most elements written as numbers, for people to read. */
const READABLE = 64;

export function encodeTensor({ dtype, shape, data }: Tensor): string {
  const head = `{"dtype":"${dtype}","shape":[${shape.join()}]`;
  const isReadable = data.length <= READABLE && dtype !== 'int64' && (data as Float64Array).every(Number.isFinite);
  return isReadable
    ? `${head},"data":[${Array.from(data as Float64Array, jsonNumber).join()}]}`
    : `${head},"base64":"${toBase64(bytesOf(data))}"}`;
}

/** A tensor as it stands in the text. What it says is checked by `tensorFrom`. */
export interface RawTensor {
  readonly dtype: string;
  readonly shape: readonly number[];
  readonly data: Float64Array | string;
}

/** @throws EinstreamError E_PARSE for a value that is not of the form */
export function readTensor(reader: JsonReader): RawTensor {
  const at = reader.offset();
  let dtype = 'float32';
  let shape: readonly number[] | undefined;
  let data: Float64Array | string | undefined;
  let inferred: readonly number[] = [];
  reader.object((key) => {
    if (key === 'dtype') dtype = reader.string();
    else if (key === 'shape') shape = reader.integers();
    else if (key === 'base64') data = reader.string();
    else if (key === 'data') ({ data, shape: inferred } = reader.numbers({ specials: 'strings' }));
  });
  if (data === undefined) throw reader.fault('E_PARSE', { rule: 'a tensor has "data" or "base64"', actual: 'neither' }, at);
  return { dtype, shape: shape ?? inferred, data };
}

/** Bytes that the elements will take, by what the text holds. */
export const bytesIn = ({ data }: RawTensor): number => (typeof data === 'string' ? (data.length / 4) * 3 : data.length * 8);

/**
 * The tensor, element for element.
 *
 * @throws EinstreamError E_SHAPE, E_LIMIT or E_DTYPE where dtype, shape and elements do not fit together
 */
export function tensorFrom({ dtype: name, shape: sizes, data }: RawTensor, place: Pick<Fault, 'place' | 'nodeId'>): Tensor {
  const where = place.place ?? 'value';
  const dtype = readDType(name, where);
  const shape = readShape(sizes, where);
  const size = numElements(shape);
  const count = typeof data === 'string' ? data.length / 4 : data.length;
  const array =
    typeof data === 'string' ? fromBytes(data, dtype) : data.length === size ? fromNumbers(data, dtype, place) : undefined;
  if (array === undefined || array.length !== size) {
    throw fault('E_SHAPE', {
      ...place,
      rule: 'a tensor has as many elements as its shape says',
      expected: `${size} elements of ${byteSize(dtype)} bytes, shape [${shape.join(', ')}]`,
      actual: typeof data === 'string' ? `"${excerpt(data, 40)}"` : `${count} elements`,
    });
  }
  if (dtype === 'bool' && (array as Uint8Array).some((value) => value > 1))
    throw fault('E_DTYPE', { ...place, rule: 'elements of bool are 0 or 1' });
  return tensorOver(array, dtype, shape);
}

function fromBytes(text: string, dtype: DType): TypedArray | undefined {
  const bytes = fromBase64(text);
  if (bytes === undefined || bytes.length % byteSize(dtype) !== 0) return undefined;
  return new (arrayOf(dtype) as unknown as new (buffer: ArrayBufferLike) => TypedArray)(bytes.buffer);
}

/** Rounds to a floating dtype; a number that another dtype cannot hold is refused. */
function fromNumbers(data: Float64Array, dtype: DType, place: Pick<Fault, 'place' | 'nodeId'>): TypedArray {
  const array = allocateArray(data.length, dtype);
  const isRounded = array instanceof Float32Array;
  for (let i = 0; i < data.length; i++) {
    const value = data[i];
    if (array instanceof BigInt64Array) array[i] = Number.isInteger(value) ? BigInt(value) : 0n;
    else array[i] = value;
    if (!isRounded && !Object.is(Number(array[i]) + 0, value + 0))
      throw fault('E_DTYPE', { ...place, rule: `element ${i} must be a value of ${dtype}`, actual: String(value) });
  }
  return array;
}
