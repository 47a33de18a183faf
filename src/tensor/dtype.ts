/**
 * @file Element types, by NumPy's names, and the typed array that stores each.
 *
 * Four are computed with. The others only store: they convert to a computed type first.
 */

/** bool < int32 < float32 < float64: an operation's result is the higher of its operands'. */
export const COMPUTED_DTYPES = ['bool', 'int32', 'float32', 'float64'] as const;

/** Stored only. int4, uint4, int2 and binary are packed by later formats; here one element takes one byte. */
export const STORAGE_DTYPES = ['int8', 'uint8', 'int16', 'uint16', 'uint32', 'int64', 'float16', 'bfloat16', 'float8_e4m3fn', 'float8_e5m2', 'int4', 'uint4', 'int2'] as const;

export type ComputedDType = (typeof COMPUTED_DTYPES)[number];
export type DType = ComputedDType | (typeof STORAGE_DTYPES)[number];

/** The arrays that hold elements. bool is one byte, 0 or 1. */
export type TypedArray =
  | Float32Array
  | Float64Array
  | Int32Array
  | Uint8Array
  | Int8Array
  | Int16Array
  | Uint16Array
  | Uint32Array
  | BigInt64Array;

type TypedArrayConstructor = {
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

/** The constructor of the array that stores `dtype`. */
export const arrayOf = (dtype: DType): TypedArrayConstructor => ARRAYS[dtype];

/** Bytes of one element. */
export const byteSize = (dtype: DType): number => ARRAYS[dtype].BYTES_PER_ELEMENT;

export const isDType = (value: unknown): value is DType => typeof value === 'string' && Object.hasOwn(ARRAYS, value);

export const isComputed = (dtype: DType): dtype is ComputedDType => (COMPUTED_DTYPES as readonly string[]).includes(dtype);

export const isFloating = (dtype: DType): boolean => dtype === 'float32' || dtype === 'float64';

/** The result type of an operation: the highest of its operands' (int32 with float32 is float32). */
export const promote = (...dtypes: readonly ComputedDType[]): ComputedDType =>
  COMPUTED_DTYPES[Math.max(...dtypes.map((dtype) => COMPUTED_DTYPES.indexOf(dtype)))] ?? 'float32';
