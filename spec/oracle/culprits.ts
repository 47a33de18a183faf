/**
 * @file What a message must name for each kind of error of the corpus.
 */
import type { Case } from './corpus.js';
import { viewsOf } from './views.js';

const EINSUM: Readonly<Record<string, RegExp>> = {
  rank: /(?:operand \d|"x\d") must have an axis for each letter of its subscript "[^"]*"; expected .*\d ax[ei]s, got \d \(shape \[/,
  'operand-count': /one operand for each subscript; expected \d operands?, got \d/,
  'bad-ellipsis': /exactly three dots|one ellipsis/,
  'invalid-char': /made of the letters a-z and A-Z|no comma may follow the arrow/,
  'bad-arrow': /an arrow is written "->"|at most one arrow/,
  'output-unknown': /output letter \w occurs in no operand/,
  'output-repeated': /the output may hold letter \w once/,
  'dim-mismatch':
    /index (\w) .*; expected \1 = \d \(axis \d of (?:operand \d|"x\d"), shape .*got \1 = \d \(axis \d of (?:operand \d|"x\d"), shape/,
  'ellipsis-broadcast':
    /the axes under "\.\.\." must broadcast .*expected size = \d \(axis \d of (?:operand \d|"x\d").*got size = \d/,
};

const REDUCE: Readonly<Record<string, RegExp>> = {
  empty: /axis \d has no elements/,
  axis: /axis -?\d must (exist|be named once).* of a tensor of rank 2/,
};

const BINARY: Readonly<Record<string, RegExp>> = {
  shape: /shapes must broadcast: at axis -\d the sizes must be equal, or one of them 1; expected \d, got \d/,
};

/** From the case itself: the last view, or the first, is the wrong one. */
const VIEW: Readonly<Record<string, (c: Case) => RegExp>> = {
  index: (c) => new RegExp(`index ${(viewsOf(c).at(-1) as readonly number[])[0]} must lie in axis 0`),
  step: () => /step for axis 0 .* got 0/,
  rank: (c) => new RegExp(`no more specs than axes.* got ${(viewsOf(c)[0] as readonly unknown[]).length} specs`),
  ellipsis: () => /ellipsis may stand once; got 2 ellipses/,
  axes: () => /axis 0 must be named once; got axes \[0, 0\] of a tensor of rank 2/,
};

/** What the error of this case must say. */
export function culpritOf(family: 'binary' | 'einsum' | 'reduce' | 'view', c: Case): RegExp {
  const kind = c.expected.error!;
  const found = family === 'view' ? VIEW[kind]?.(c) : { einsum: EINSUM, reduce: REDUCE, binary: BINARY }[family][kind];
  if (found === undefined) throw new Error(`nothing is known of the ${family} error "${kind}"`);
  return found;
}
