/**
 * @file JSON text for exporters: what `jsonReader` reads back to the same value.
 */

/** A string in quotes, well-formed: halves of surrogate pairs and control characters are escaped. */
export const jsonString = (text: string): string => JSON.stringify(text);

/**
 * The shortest text that reads back as the same float64. −0 keeps its sign; NaN and the infinities, which JSON lacks,
 * are the strings that `numbers({ specials: 'strings' })` takes.
 *
 * ```ts
 * [-0, 0.1, -Infinity].map(jsonNumber).join(' ') // => '-0 0.1 "-Infinity"'
 * ```
 */
export function jsonNumber(value: number): string {
  if (Object.is(value, -0)) return '-0';
  return Number.isFinite(value) ? String(value) : `"${value}"`;
}

/**
 * Row-major elements as nested arrays of `shape`; a scalar is written alone.
 *
 * ```ts
 * jsonNumbers([1, 2, 3, NaN], [2, 2]) // => '[[1,2],[3,"NaN"]]'
 * ```
 */
export function jsonNumbers(
  data: ArrayLike<number>,
  shape: readonly number[],
  print: (value: number) => string = jsonNumber,
): string {
  let next = 0;
  const nested = (axis: number): string =>
    axis === shape.length ? print(data[next++]) : `[${Array.from({ length: shape[axis] }, () => nested(axis + 1)).join(',')}]`;
  return nested(0);
}
