/**
 * @file Rows of feeds: stacked into one, taken apart, put together again. Each element is copied once.
 */
import { describeValue, fault, quoted, type EinstreamError } from '../../errors/index.js';
import type { Feed, Feeds, Outputs } from '../../run/feeds.js';
import { formatShape, sameShape } from '../../tensor/shape.js';
import { slice } from '../../ops/movement/index.js';
import { range } from '../../tensor/index.js';
import { wrap } from '../../tensor/create.js';
import { typedArrayKind, type TypedArray } from '../../tensor/dtype.js';
import type { NestedArray } from '../../tensor/nested.js';
import { allocateTensor, copyElements, Tensor } from '../../tensor/tensor.js';

const asTensor = (feed: Feed): Feed => (typedArrayKind(feed) === undefined ? feed : wrap(feed as TypedArray));

/** Feeds of one row each as feeds of all of them: each value gets an axis in front. Nested numbers stay nested, so they take the graph's dtype. */
export function stackRows(rows: readonly Feeds[]): Feeds {
  const stacked: Record<string, Feed> = Object.create(null) as Record<string, Feed>;
  for (const name of Object.keys(rows[0])) {
    const values = rows.map((row, index) => asTensor(valueOf(row, name, index)));
    stacked[name] = values.every((value) => value instanceof Tensor)
      ? joined(name, values, (shape) => [values.length, ...shape], (shape) => shape) // prettier-ignore
      : [...nestedOf(name, values, 0)];
  }
  return stacked;
}

/**
 * Feeds as parts of at most `size` rows along axis 0. Tensors are sliced without a copy. `mergeResults` puts them together again.
 *
 * ```ts
 * splitBatch({ x: [[1, 2], [3, 4], [5, 6]] }, 2) // => [{ x: [[1, 2], [3, 4]] }, { x: [[5, 6]] }]
 * ```
 *
 * @throws EinstreamError E_ARGUMENT for a size that is no integer ≥ 1, E_SHAPE for values that have no axis 0, or not the same number of rows
 */
export function splitBatch<F extends Feeds>(feeds: F, size: number): readonly F[] {
  if (!Number.isSafeInteger(size) || size < 1)
    throw fault('E_ARGUMENT', { place: 'splitBatch', rule: 'size must be an integer ≥ 1', actual: describeValue(size) });
  const entries = Object.entries(feeds as Feeds).map(([name, feed]) => [name, asTensor(feed)] as const);
  const count = rowsIn(entries);
  return Array.from({ length: Math.ceil(count / size) }, (_, part) =>
    Object.fromEntries(
      entries.map(([name, feed]) => {
        const [from, to] = [part * size, Math.min(count, (part + 1) * size)];
        return [name, feed instanceof Tensor ? slice(feed, range(from, to)) : (feed as NestedArray[]).slice(from, to)];
      }),
    ),
  ) as unknown as readonly F[];
}

/** Rows of feeds along axis 0. @throws EinstreamError E_SHAPE */
export function rowsIn(entries: readonly (readonly [string, Feed])[]): number {
  let count: number | undefined;
  for (const [name, feed] of entries) {
    const rows = feed instanceof Tensor ? feed.shape[0] : Array.isArray(feed) ? feed.length : undefined;
    if (rows === undefined) throw noRows(name);
    if (count !== undefined && rows !== count)
      throw fault('E_SHAPE', { place: name, rule: 'all values must have the same number of rows', expected: String(count), actual: String(rows) }); // prettier-ignore
    count = rows;
  }
  return count ?? 0;
}

/**
 * Outputs (or feeds) of parts as those of the whole: joined along axis 0, one copy.
 *
 * ```ts
 * mergeResults([{ y: tensor([1, 2]) }, { y: tensor([3]) }]).y.toArray() // => [1, 2, 3]
 * ```
 *
 * @throws EinstreamError E_SHAPE for values without an axis 0 or with other sizes behind it, E_DTYPE for other dtypes, E_ARGUMENT for no parts
 */
export function mergeResults<R extends Feeds | Outputs>(parts: readonly R[]): R {
  if (parts.length === 0)
    throw fault('E_ARGUMENT', { place: 'mergeResults', rule: 'there must be a part: shapes are not known otherwise' });
  const whole = Object.create(null) as Record<string, Feed>;
  for (const name of Object.keys(parts[0])) {
    const values = parts.map((part, index) => asTensor(valueOf(part as Feeds, name, index)));
    if (values.every((value) => value instanceof Tensor)) {
      const rows = values.reduce((sum, { shape }) => sum + (shape[0] ?? 0), 0);
      whole[name] = joined(name, values, ([, ...rest]) => [rows, ...rest], ([, ...rest]) => rest, 1); // prettier-ignore
    } else whole[name] = nestedOf(name, values, 1).flat(1);
  }
  return whole as unknown as R;
}

/** Sizes of nested numbers, by their first elements. */
function sizesOf(nested: NestedArray): readonly number[] {
  const sizes: number[] = [];
  for (let part: unknown = nested; Array.isArray(part); part = part[0] as unknown) sizes.push(part.length);
  return sizes;
}

/** Nested numbers that are alike from axis `from` on. */
function nestedOf(name: string, values: readonly Feed[], from: number): readonly NestedArray[] {
  const nested = values.map((value) => (value instanceof Tensor ? value.toArray() : (value as NestedArray)));
  const [first, ...others] = nested.map((value) => sizesOf(value).slice(from));
  others.forEach((sizes, index) => {
    if (!sameShape(sizes, first)) throw differs('E_SHAPE', name, index + 1, formatShape(first), formatShape(sizes));
  });
  return nested;
}

/** All elements one behind the other. `part` is what must be the same of every shape. */
function joined(
  name: string,
  tensors: readonly Tensor[],
  whole: (shape: readonly number[]) => readonly number[],
  part: (shape: readonly number[]) => readonly number[],
  leastRank = 0,
): Tensor {
  const [first] = tensors;
  if (first.rank < leastRank) throw noRows(name);
  const result = allocateTensor(whole(first.shape), first.dtype);
  let at = 0;
  tensors.forEach((each, index) => {
    if (each.dtype !== first.dtype) throw differs('E_DTYPE', name, index, first.dtype, each.dtype);
    if (each.rank !== first.rank || !sameShape(part(each.shape), part(first.shape)))
      throw differs('E_SHAPE', name, index, formatShape(first.shape), formatShape(each.shape));
    copyElements(each, result.buffer.array.subarray(at, at + each.size));
    at += each.size;
  });
  return result;
}

function valueOf(row: Feeds, name: string, index: number): Feed {
  if (Object.hasOwn(row, name)) return row[name];
  throw fault('E_FEED', {
    place: name,
    rule: 'every row must have the same values',
    actual: `row ${index} has no ${quoted(name)}`,
  });
}

const noRows = (name: string): EinstreamError =>
  fault('E_SHAPE', {
    place: name,
    rule: 'rows lie along axis 0',
    actual: 'a value without axes',
    hint: 'give it an axis, or keep it apart',
  });

const differs = (code: 'E_SHAPE' | 'E_DTYPE', name: string, index: number, expected: string, actual: string): EinstreamError =>
  fault(code, {
    place: name,
    rule: 'rows of a chunk must be alike',
    expected: `${expected}, as the first`,
    actual: `${actual} at ${index}`,
  });
