/**
 * @file Element types, by NumPy's names, and the typed array that stores each.
 *
 * Four are computed with. The others only store: they convert to a computed type first.
 */
import { describeValue, fault } from '../errors/index.js';

/** bool < int32 < float32 < float64: an operation's result is the higher of its operands'. */
export const COMPUTED_DTYPES = ['bool', 'int32', 'float32', 'float64'] as const;

/** Stored only. int4, uint4 and int2 take one byte an element here; formats may pack them. */
// prettier-ignore
export const STORAGE_DTYPES = [
  'int8', 'uint8', 'int16', 'uint16', 'uint32', 'int64',
  'float16', 'bfloat16', 'float8_e4m3fn', 'float8_e5m2',
  'int4', 'uint4', 'int2',
] as const;

/** The dtypes that ops compute in. */
export type ComputedDType = (typeof COMPUTED_DTYPES)[number];
/** Every element type, by NumPy's name. */
export type DType = ComputedDType | (typeof STORAGE_DTYPES)[number];

/** The arrays that hold elements. bool is one byte, 0 or 1. */
export type TypedArray =
  Float32Array | Float64Array | Int32Array | Uint8Array | Int8Array | Int16Array | Uint16Array | Uint32Array | BigInt64Array;

/** What makes a typed array of zeros. */
export type TypedArrayConstructor = {
  readonly BYTES_PER_ELEMENT: number;
  new (length: number): TypedArray;
};

const ARRAYS: Record<DType, TypedArrayConstructor> = {
  bool: Uint8Array,
  int32: Int32Array,
  float32: Float32Array,
  float64: Float64Array,
  int8: Int8Array,
  uint8: Uint8Array,
  int16: Int16Array,
  uint16: Uint16Array,
  uint32: Uint32Array,
  int64: BigInt64Array,
  float16: Uint16Array,
  bfloat16: Uint16Array,
  float8_e4m3fn: Uint8Array,
  float8_e5m2: Uint8Array,
  int4: Int8Array,
  uint4: Uint8Array,
  int2: Int8Array,
};

/** The dtype that a typed array keeps when nothing else is asked. */
const NATURAL: ReadonlyMap<string, DType> = new Map<string, DType>([
  ['Float32Array', 'float32'],
  ['Float64Array', 'float64'],
  ['Int32Array', 'int32'],
  ['Int8Array', 'int8'],
  ['Uint8Array', 'uint8'],
  ['Uint8ClampedArray', 'uint8'],
  ['Int16Array', 'int16'],
  ['Uint16Array', 'uint16'],
  ['Uint32Array', 'uint32'],
  ['BigInt64Array', 'int64'],
]);

// The getter reads an internal slot: neither a subclass nor an array of another realm deceives it.
const kindOf = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(Uint8Array.prototype), Symbol.toStringTag)!.get!;

/** `'Float32Array'` …, or undefined for a value that is no typed array. */
export const typedArrayKind = (value: unknown): string | undefined => kindOf.call(value) as string | undefined;

/** The dtype of a typed array by its type: Float32Array is float32, Uint8Array is uint8. Undefined where there is none. */
export const naturalDType = (kind: string): DType | undefined => NATURAL.get(kind);

/** The constructor of the array that stores `dtype`. */
export const arrayOf = (dtype: DType): TypedArrayConstructor => ARRAYS[dtype];

/** Bytes of one element. */
export const byteSize = (dtype: DType): number => ARRAYS[dtype].BYTES_PER_ELEMENT;

/** True for the name of a dtype. */
export const isDType = (value: unknown): value is DType => typeof value === 'string' && Object.hasOwn(ARRAYS, value);

/** True for bool, int32, float32 and float64. */
export const isComputed = (dtype: DType): dtype is ComputedDType => (COMPUTED_DTYPES as readonly string[]).includes(dtype);

/** True for float32 and float64. */
export const isFloating = (dtype: DType): boolean => dtype === 'float32' || dtype === 'float64';

/**
 * A dtype from a user.
 *
 * @throws EinstreamError E_DTYPE naming the dtypes that there are
 */
export function readDType(value: unknown, place: string): DType {
  if (isDType(value)) return value;
  throw fault('E_DTYPE', {
    place,
    rule: 'an element type must be known',
    expected: `one of ${Object.keys(ARRAYS).join(', ')}`,
    actual: describeValue(value),
  });
}

/** The result type of an operation: the highest of its operands' (int32 with float32 is float32). */
export function promote(dtypes: readonly ComputedDType[]): ComputedDType {
  // A loop: an op may have more operands than a call may have arguments.
  let highest = -1;
  for (const dtype of dtypes) highest = Math.max(highest, COMPUTED_DTYPES.indexOf(dtype));
  return COMPUTED_DTYPES[highest] ?? 'float32';
}
