/**
 * @file The names of the graph interchange format, as data: which op each stands for.
 *
 * The format's own soft formulas are other ops than its boolean relatives: `xor` is x + y − 2xy, `not` is boolean.
 * Lookup ignores case and is by `Map`, so that a name such as `__proto__` is merely unknown.
 */

/** Kinds of the format's nodes that name an op. */
export type InterchangeKind = 'unary' | 'binary' | 'reduce';

/** Op name → the format's names for it, in lower case. */
type NameTable = Readonly<Record<string, readonly string[]>>;

const UNARY: NameTable = {
  relu: ['relu'],
  sigmoid: ['sigmoid'],
  oneMinus: ['oneminus', 'one_minus'],
  neg: ['negate', 'neg'],
  abs: ['abs'],
  sign: ['sign'],
  floor: ['floor'],
  ceil: ['ceil'],
  round: ['round'],
  trunc: ['trunc'],
  sqrt: ['sqrt'],
  rsqrt: ['rsqrt'],
  square: ['square'],
  reciprocal: ['reciprocal'],
  exp: ['exp'],
  expm1: ['expm1'],
  log: ['log'],
  log1p: ['log1p'],
  log2: ['log2'],
  sin: ['sin'],
  cos: ['cos'],
  tan: ['tan'],
  asin: ['asin'],
  acos: ['acos'],
  atan: ['atan'],
  sinh: ['sinh'],
  cosh: ['cosh'],
  tanh: ['tanh'],
  erf: ['erf'],
  gelu: ['gelu'],
  geluTanh: ['gelu_tanh'],
  silu: ['silu'],
  softplus: ['softplus'],
  identity: ['identity'],
  logicalNot: ['not'],
  isnan: ['isnan'],
};

const BINARY: NameTable = {
  add: ['add'],
  sub: ['subtract', 'sub'],
  mul: ['multiply', 'mul'],
  div: ['divide', 'div'],
  minimum: ['min', 'minimum'],
  maximum: ['max', 'maximum'],
  pow: ['pow', 'power'],
  mod: ['mod', 'modulo'],
  fmod: ['fmod'],
  equal: ['eq', 'equal'],
  notEqual: ['ne', 'not_equal', 'notequal'],
  less: ['lt', 'less', 'lessthan', 'less_than'],
  greater: ['gt', 'greater', 'greaterthan', 'greater_than'],
  lessEqual: ['lte', 'le', 'lessthanorequal', 'less_than_equal'],
  greaterEqual: ['gte', 'ge', 'greaterthanorequal', 'greater_than_equal'],
  orMax: ['or_max', 'ormax'],
  orProbSum: ['or_prob_sum', 'orprobsum', 'or_probabilistic'],
  nand: ['nand'],
  nor: ['nor'],
  xor: ['xor'],
  logicalAnd: ['logical_and'],
  logicalOr: ['logical_or'],
  logicalXor: ['logical_xor'],
  logicalNand: ['logical_nand'],
  logicalNor: ['logical_nor'],
};

const REDUCE: NameTable = {
  sum: ['sum'],
  mean: ['mean'],
  max: ['max'],
  min: ['min'],
  prod: ['product', 'prod'],
  count: ['count'],
  any: ['any'],
  all: ['all'],
  argmax: ['argmax'],
  logsumexp: ['logsumexp'],
  var: ['var'],
  std: ['std'],
};

const byName = (table: NameTable): ReadonlyMap<string, string> =>
  new Map(Object.entries(table).flatMap(([op, names]) => names.map((name) => [name, op] as const)));

/** The format's names by kind, each with the op it stands for: what a reader looks up and a writer inverts. */
export const INTERCHANGE: Readonly<Record<InterchangeKind, ReadonlyMap<string, string>>> = {
  unary: byName(UNARY),
  binary: byName(BINARY),
  reduce: byName(REDUCE),
};

/** Longest name worth lowering: a name from a file may have any length. */
const LONGEST = 32;

/** The op that the format's name stands for, or undefined. Case does not matter. */
export const interchangeOp = (kind: InterchangeKind, name: string): string | undefined =>
  name.length > LONGEST ? undefined : INTERCHANGE[kind].get(name.toLowerCase());

/** The format's name for an op, the first of its names: what a writer writes. */
export function interchangeName(kind: InterchangeKind, op: string): string | undefined {
  const table = { unary: UNARY, binary: BINARY, reduce: REDUCE }[kind];
  return Object.hasOwn(table, op) ? table[op][0] : undefined;
}

/**
 * What a wrapper around an einsum spec stands for, by its name and the number of operands inside: `sum(ab->a)` is a
 * reduction, `sigmoid(a->a)` a unary op, `subtract(a,->a)` a binary one. Undefined where the name is unknown.
 */
export function wrapperOp(name: string, operands: number): { readonly kind: InterchangeKind; readonly op: string } | undefined {
  const kinds: readonly InterchangeKind[] = operands === 1 ? ['reduce', 'unary'] : operands === 2 ? ['binary'] : [];
  for (const kind of kinds) {
    const op = interchangeOp(kind, name);
    if (op !== undefined) return { kind, op };
  }
  return undefined;
}
