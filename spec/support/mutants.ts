/**
 * @file Mutants of graph texts: sound graphs with a few edits that know the structure, and now and then a broken byte.
 *
 * Mutant `index` of a seed is always the same text, so a failure is replayed by its two numbers.
 */
import { HOSTILE_NAMES } from './hostileNames.js';

type Tree = null | boolean | number | string | Tree[] | { [key: string]: Tree };

/** mulberry32: a small generator of numbers in [0, 1). */
export function random(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t ^= t + Math.imul(t ^ (t >>> 7), 61 | t);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

const deep = (levels: number): Tree => Array.from({ length: levels }).reduce<Tree>((inner) => [inner], 0);

const NUMBERS = [-1, -2, 0, -0, 1, 2, 3, 5, 64, 1.5, 2 ** 31 - 1, 2 ** 31, 2 ** 32, 2 ** 53, 2 ** 53 - 1, 1e300, -1e300, 5e-324];
const NAMES = HOSTILE_NAMES.filter((name) => name.length < 100);
const WORDS = [
  'relu',
  'sum',
  'einsum',
  'softmax',
  'transpose',
  'concat',
  'where',
  'input',
  'constant',
  'param',
  'identity',
  'float32',
  'int8',
  'bool',
  'nope',
  'Einsum',
  'Reduce',
  'ElemUnary',
  'const_1',
  'const_nan',
  'NaN',
  'x',
  'y',
  'n',
];
const SPECS = [
  'ij,jk->ik',
  'a->ab',
  '...i->...',
  'ii->i',
  'i,i',
  ',->',
  '->',
  'a->b->c',
  'ab->aa',
  'sum(ab->a)',
  'subtract(a,->a)',
  'foo(a->a)',
  'a'.repeat(200),
  'a,'.repeat(100),
  '....',
  'é->é',
  'sum(',
  '(a->a)',
  ' a b -> b a ',
];
const KEYS = [
  'op',
  'inputs',
  'outputs',
  'params',
  'axis',
  'axes',
  'spec',
  'perm',
  'shape',
  'dims',
  'dtype',
  'value',
  'data',
  'base64',
  'id',
  'name',
  'metadata',
  'tensors',
  'nodes',
  'size',
  'keepdims',
  '__proto__',
  'constructor',
  '$',
  'graph',
  'version',
  'einstream',
  'sizes',
  'alias',
];

/** Makes mutants of the given sound texts. */
export function mutants(bases: readonly string[], seed: number): (index: number) => string {
  return (index) => {
    const next = random(seed ^ Math.imul(index + 1, 0x9e3779b1));
    const pick = <T>(list: readonly T[]): T => list[Math.floor(next() * list.length)];
    const tree = JSON.parse(pick(bases)) as Tree;
    const edits = 1 + Math.floor(next() ** 2 * 4);
    for (let k = 0; k < edits; k++) edit(tree, next, pick);
    const text = JSON.stringify(tree);
    return next() < 0.1 ? garble(text, next) : text;
  };
}

const hostile = (next: () => number, pick: <T>(list: readonly T[]) => T): Tree => {
  const kind = next();
  if (kind < 0.35) return pick(NUMBERS);
  if (kind < 0.5) return pick(NAMES);
  if (kind < 0.65) return pick(WORDS);
  if (kind < 0.8) return pick(SPECS);
  return pick<Tree>([
    null,
    true,
    false,
    [],
    {},
    [[]],
    [0],
    [0, 0],
    [-1],
    [2, 3],
    [1e9, 1e9],
    { op: 'relu' },
    { Einsum: { spec: 'a->a' } },
    { $: 'NaN' },
    { __proto__: 1 },
    deep(10),
    deep(70),
    Array.from({ length: 70 }, () => 1),
  ]);
};

const copy = (tree: Tree): Tree => JSON.parse(JSON.stringify(tree)) as Tree;

/** One edit at a random place: an item is replaced, removed, doubled, moved, shifted or joined by another. */
function edit(root: Tree, next: () => number, pick: <T>(list: readonly T[]) => T): void {
  const containers: (Tree[] | { [key: string]: Tree })[] = [];
  const collect = (tree: Tree): void => {
    if (typeof tree !== 'object' || tree === null || containers.length > 500) return;
    containers.push(tree);
    for (const child of Object.values(tree)) collect(child);
  };
  collect(root);
  if (containers.length === 0) return;
  const container = pick(containers);
  const keys = Object.keys(container);
  const key = keys.length === 0 ? undefined : pick(keys);
  const record = container as Record<string, Tree>;
  const put = (at: string, value: Tree): void =>
    void Object.defineProperty(record, at, { value, enumerable: true, configurable: true, writable: true });
  const choice = next();
  if (key === undefined || choice < 0.1) {
    if (Array.isArray(container)) container.splice(Math.floor(next() * (container.length + 1)), 0, hostile(next, pick));
    else put(pick(KEYS), hostile(next, pick));
  } else if (choice < 0.4) put(key, hostile(next, pick));
  else if (choice < 0.5) {
    if (Array.isArray(container)) container.splice(Number(key), 1);
    else delete record[key];
  } else if (choice < 0.6 && Array.isArray(container)) container.splice(Number(key), 0, copy(container[Number(key)]));
  else if (choice < 0.7 && Array.isArray(container)) container.reverse();
  else if (typeof record[key] === 'number') put(key, record[key] + pick([-1, 1, 2, -record[key], 7]));
  else {
    const other = pick(containers);
    const otherKeys = Object.keys(other);
    if (otherKeys.length > 0) put(key, copy((other as Record<string, Tree>)[pick(otherKeys)]));
  }
}

/** Cuts, doubles or changes bytes of the text. */
function garble(text: string, next: () => number): string {
  const at = Math.floor(next() * text.length);
  const to = at + Math.floor(next() * 8);
  const choice = next();
  if (choice < 0.3) return text.slice(0, at);
  if (choice < 0.6) return text.slice(0, at) + text.slice(to);
  if (choice < 0.8) return text.slice(0, to) + text.slice(at);
  return text.slice(0, at) + '{}[],:"\\0e-. \u0000\n/*'[Math.floor(next() * 19)] + text.slice(at + 1);
}
