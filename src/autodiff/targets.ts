/**
 * @file What is differentiated by what, read from names.
 */
import { describeValue, excerpt, fault } from '../errors/index.js';
import type { Declaration } from '../graph/builder.js';
import { findNode, type Graph, type NodeId } from '../graph/graph.js';
import { idOfKey, keysOf } from '../graph/keys.js';
import type { ValueType } from '../graph/infer.js';
import { isFloating } from '../tensor/dtype.js';

/** What `gradient` is asked for. */
export interface GradientOptions {
  /** The value that is differentiated, an output or any other, or several: their gradients add. */
  readonly of: string | readonly string[];
  /** The values by which, usually inputs and params. */
  readonly wrt: readonly string[];
  /** True: the values of `of` are outputs too, before the gradients. */
  readonly value?: boolean;
  /** What each `of` weighs: `'ones'`, or `'feed'` for an input `<name>.cotangent` of its shape. Needed where it is no scalar. */
  readonly seed?: 'ones' | 'feed';
  /**
   * Values that are kept for the way back; others are computed again when they are needed, which saves memory. `'all'` (the
   * default) computes nothing twice; `'sqrt'` keeps about √n of n ops, `{ interval }` every so many-th, a list those named.
   */
  readonly checkpoints?: 'all' | 'sqrt' | { readonly interval: number } | readonly string[];
}

/** Inputs that are called after values, for the type system: `x.direction`. */
export type Further<What extends string> = Readonly<Record<`${string}.${What}`, Declaration<'input'>>>;

export interface Target {
  readonly name: string;
  readonly id: NodeId;
}

const KNOWN = ['of', 'wrt', 'value', 'seed', 'checkpoints'];
const wrong = (rule: string, actual: unknown) => fault('E_ARGUMENT', { place: 'gradient', rule, actual: describeValue(actual) });

/** @throws EinstreamError E_ARGUMENT for options that are unknown or of the wrong kind */
export function checkOptions(options: GradientOptions): void {
  if (typeof options !== 'object' || options === null) throw wrong('options are one object', options);
  const { value, seed, checkpoints = 'all' } = options;
  const unknown = Object.keys(options).find((key) => !KNOWN.includes(key));
  if (unknown !== undefined) throw wrong(`an option must be known: ${KNOWN.join(', ')}`, unknown);
  if (value !== undefined && typeof value !== 'boolean') throw wrong('value is true or false', value);
  if (seed !== undefined && seed !== 'ones' && seed !== 'feed') throw wrong("seed is 'ones' or 'feed'", seed);
  if (checkpoints !== 'all' && checkpoints !== 'sqrt' && !isNames(checkpoints) && !isInterval(checkpoints))
    throw wrong("checkpoints is 'all', 'sqrt', { interval } with an integer ≥ 1, or a list of names", checkpoints);
}

const isInterval = (checkpoints: unknown): boolean => {
  const interval: unknown = (checkpoints as { readonly interval?: unknown } | null)?.interval;
  return Number.isSafeInteger(interval) && (interval as number) >= 1;
};

const isNames = (names: unknown): names is readonly string[] =>
  Array.isArray(names) && names.every((each) => typeof each === 'string');

/**
 * What is differentiated is looked for among the outputs first: in a graph of gradients, inputs have the same names.
 *
 * @throws EinstreamError E_ARGUMENT for a name that no value has
 */
export function targetsOf(graph: Graph, option: string, names: unknown): readonly Target[] {
  const list = typeof names === 'string' ? [names] : names;
  if (!isNames(list) || list.length === 0) throw wrong(`${option} names at least one value`, names);
  return [...new Set(list)].map((name) => {
    const output = option === 'of' ? graph.outputs.find((each) => each.name === name) : undefined;
    const id = output?.id ?? idOfKey(graph, name);
    if (id !== undefined && findNode(graph, id) !== undefined) return { name, id };
    const some = keysOf(graph).filter((key) => key !== undefined).slice(0, 8); // prettier-ignore
    throw fault('E_ARGUMENT', {
      place: 'gradient',
      rule: `${option} must name a value of the graph`,
      expected: some.map((key) => `"${excerpt(key, 40)}"`).join(', '),
      actual: `"${excerpt(name, 40)}"`,
    });
  });
}

/** @throws EinstreamError E_GRADIENT for integers and truth values, which have no gradient */
export function requireFloating(role: string, { name }: Target, { dtype }: ValueType): void {
  if (dtype === undefined || isFloating(dtype)) return;
  throw fault('E_GRADIENT', {
    place: name,
    rule: `${role} must be floating-point`,
    expected: 'float32 or float64',
    actual: dtype,
    hint: "cast it: cast(x, { dtype: 'float32' })",
  });
}
