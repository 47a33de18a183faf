/**
 * @file Tensors in an envelope: a line in the header for each, and their elements one after the other.
 */
import { bytesOf } from '../../../graph/base64.js';
import type { JsonReader } from '../../../graph/json/index.js';
import { byteSize, readDType, type DType } from '../../../tensor/dtype.js';
import { numElements, readShape, type Shape } from '../../../tensor/shape.js';
import { allocateArray, tensorOver, type Tensor } from '../../../tensor/tensor.js';
import { aligned, corrupt, type Kind, type Opened } from './envelope.js';

/** What the header says of a tensor, checked. */
export interface Listed {
  readonly dtype: DType;
  readonly shape: Shape;
  /** Of its elements. */
  readonly bytes: number;
}

/** The line of a tensor in the header. */
export const listed = ({ dtype, shape }: Tensor): string => `{"dtype":"${dtype}","shape":[${shape.join()}]}`;

/** Its elements, row-major: those of a view alone. */
export const elementsOf = (tensor: Tensor): Uint8Array => bytesOf(tensor.data);

/** @throws EinstreamError E_DTYPE, E_SHAPE, E_LIMIT, E_PARSE for what no tensor has */
export function readListed(reader: JsonReader, name: string): Listed {
  let [dtype, shape]: [unknown, unknown] = [undefined, undefined];
  reader.object((key) => {
    if (key === 'dtype') dtype = reader.string();
    else if (key === 'shape') shape = reader.integers();
  });
  const [type, sizes] = [readDType(dtype, name), readShape(shape, name)];
  return { dtype: type, shape: sizes, bytes: numElements(sizes) * byteSize(type) };
}

/**
 * The tensors, in the order of their lines. Nothing is allocated before all of them are known to be there.
 *
 * @throws EinstreamError E_CKPT_CORRUPT when the elements are not as many as the lines say
 */
export function readElements(kind: Kind, { bytes, from }: Opened, lines: readonly Listed[]): readonly Tensor[] {
  let end = from;
  const starts = lines.map((line) => {
    const at = aligned(end);
    end = at + line.bytes;
    return at;
  });
  if (end !== bytes.length)
    throw corrupt(kind, 'elements must be as many as the header says', `${end} bytes`, String(bytes.length));
  return lines.map(({ dtype, shape, bytes: length }, k) => {
    const array = allocateArray(numElements(shape), dtype);
    bytesOf(array).set(bytes.subarray(starts[k], starts[k] + length));
    return tensorOver(array, dtype, shape);
  });
}
