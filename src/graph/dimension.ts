/**
 * @file Dimensions by the names that a user thinks in: a size, a symbol, or anything.
 */
import { describeValue, fault } from '../errors/index.js';
import { isCompatible, type Dim, type Dims } from '../ops/dims.js';
import { MAX_RANK, numElements } from '../tensor/shape.js';

/**
 * A known size.
 *
 * ```ts
 * compatibleWith([dim(2), dynamic], [2, 5]) // => true
 * ```
 *
 * @throws EinstreamError E_SHAPE for what is no integer ≥ 0
 */
export function dim(size: number): Dim {
  numElements([size], undefined, 'dim');
  return size;
}

/**
 * Any size, decided when a feed arrives.
 *
 * ```ts
 * const g = graph({ x: input([dynamic]) }, ({ x }) => ({ y: sum(x) }));
 * evaluateSync(g, { x: [1, 2, 3] }).y.toArray() // => 6
 * ```
 */
export const dynamic: Dim = null;

/**
 * A named size: equal names are equal sizes.
 *
 * ```ts
 * inferShapes(graph({ x: input([symbol('n')]) }, ({ x }) => ({ y: relu(x) }))).get('y') // => ['n']
 * ```
 *
 * @throws EinstreamError E_SHAPE for an empty name
 */
export function symbol(name: string): Dim {
  if (typeof name === 'string' && name !== '') return name;
  throw fault('E_SHAPE', { place: 'symbol', rule: 'a symbolic dimension has a name', actual: describeValue(name) });
}

/**
 * Number of axes.
 *
 * ```ts
 * rankOf(['n', 3]) // => 2
 * ```
 */
export const rankOf = (dims: Dims): number => dims.length;

/**
 * True when both could be the same shape: equal rank, and no axis with two different known sizes.
 *
 * ```ts
 * compatibleWith([2, 'n'], [2, 5]) // => true
 * compatibleWith([2, 3], [2, 5]) // => false
 * ```
 */
export const compatibleWith = (a: Dims, b: Dims): boolean =>
  a.length === b.length && a.every((each, axis) => isCompatible(each, b[axis]));

/**
 * Dims from a user, copied once and frozen.
 *
 * @throws EinstreamError E_SHAPE for what is no list of sizes, names and nulls; E_LIMIT for too many axes or elements
 */
export function readDims(value: unknown, place: string): Dims {
  if (!Array.isArray(value)) {
    throw fault('E_SHAPE', {
      place,
      rule: 'dims are a list, one item an axis',
      actual: describeValue(value),
      hint: "write [32, 'n', null]; a scalar is []",
    });
  }
  const { length } = value;
  if (length > MAX_RANK)
    throw fault('E_LIMIT', {
      place,
      rule: 'a tensor has a bounded number of axes',
      expected: `at most ${MAX_RANK}`,
      actual: String(length),
    });
  const dims = Array.from({ length }, (_, axis) => value[axis] as unknown);
  dims.forEach((each, axis) => {
    const fits = each === null || (typeof each === 'string' && each !== '') || typeof each === 'number';
    if (!fits)
      throw fault('E_SHAPE', { place, rule: `axis ${axis} must be a size, a name or null`, actual: describeValue(each) });
  });
  const sizes = dims.filter((each): each is number => typeof each === 'number');
  numElements(sizes, undefined, place);
  return Object.freeze(dims as Dim[]);
}
