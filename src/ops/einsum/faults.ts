/**
 * @file What can be wrong between a spec and its operands, said in full: index, operands, axes, both sizes, a way out.
 */
import type { EinstreamError } from '../../errors/index.js';
import { formatShape } from '../../tensor/shape.js';
import type { Dims } from '../dims.js';
import { specFault, type EinsumPlace, type Span } from './blame.js';
import type { Sized } from './join.js';
import type { ParsedEinsum, Term } from './parse.js';

/** A size that the caller gave for a letter. */
interface Given {
  readonly dim: number;
  readonly letter: string;
}

type Inputs = readonly (Dims | undefined)[];

const nameOf = (operand: number, place: EinsumPlace | undefined): string => {
  const name = place?.inputs?.[operand];
  return name === undefined ? `operand ${operand}` : `"${name}"`;
};

const textOf = (parsed: ParsedEinsum, term: Term): string =>
  parsed.spec.slice(term.span.at, term.span.at + term.span.length).trim();

const operands = (n: number): string => `${n} operand${n === 1 ? '' : 's'}`;
const axes = (n: number): string => `${n} ${n === 1 ? 'axis' : 'axes'}`;

/** The letter of an axis and where it stands; axes of the ellipsis have the dots. */
function subscriptOf(
  parsed: ParsedEinsum,
  { operand, axis }: Sized,
  rank: number,
): { readonly letter?: string; readonly span: Span } {
  const term = parsed.inputs[operand];
  const under = rank - term.labels.length;
  const inside = term.ellipsis >= 0 && axis >= term.ellipsis && axis < term.ellipsis + under;
  if (inside) return { span: { at: parsed.spec.indexOf('...', term.span.at), length: 3 } };
  const i = term.ellipsis >= 0 && axis >= term.ellipsis ? axis - under : axis;
  return { letter: term.labels[i], span: { at: term.at[i], length: 1 } };
}

/** Two sizes of one label clash: across operands, within one (a diagonal), under the ellipsis, or with a size given. */
export function sizeFault(
  parsed: ParsedEinsum,
  inputs: Inputs,
  before: Sized,
  next: Sized | Given,
  place?: EinsumPlace,
): EinstreamError {
  const blamed = 'letter' in next ? before : next;
  const { letter, span } = subscriptOf(parsed, blamed, inputs[blamed.operand]!.length);
  const label = letter ?? 'size';
  const show = (at: Sized): string =>
    `${label} = ${at.dim} (axis ${at.axis} of ${nameOf(at.operand, place)}, shape ${formatShape(inputs[at.operand]!)})`;
  const diagonal = !('letter' in next) && before.operand === next.operand;
  const rule =
    letter === undefined
      ? 'the axes under "..." must broadcast from the right: equal sizes, or one of them 1'
      : diagonal
        ? `index ${letter} stands twice in ${nameOf(blamed.operand, place)}, so both axes must have one size`
        : `index ${letter} must have one size`;
  const hint = diagonal
    ? 'a diagonal needs a square: nothing stretches within an operand'
    : letter === undefined
      ? 'reshape an operand, or name the axes with letters'
      : `give the axes different letters if they are not the same index, or transpose ${nameOf(blamed.operand, place)}`;
  const actual = 'letter' in next ? `${next.letter} = ${next.dim} (option sizes)` : show(next);
  return specFault('E_SHAPE', parsed.spec, span, { rule, expected: show(before), actual, hint }, place);
}

/** An operand has more or fewer axes than its subscript has letters. */
export function rankFault(parsed: ParsedEinsum, operand: number, dims: Dims, place?: EinsumPlace): EinstreamError {
  const term = parsed.inputs[operand];
  const letters = term.labels.length;
  const text = textOf(parsed, term);
  return specFault(
    'E_SHAPE',
    parsed.spec,
    { at: term.span.at, length: Math.max(1, term.span.length) },
    {
      rule: `${nameOf(operand, place)} must have an axis for each letter of its subscript "${text.length > 80 ? `${text.slice(0, 80)}…` : text}"`,
      expected: `${term.ellipsis < 0 ? '' : 'at least '}${axes(letters)}`,
      actual: `${dims.length} (shape ${formatShape(dims)})`,
      hint:
        dims.length > letters
          ? 'add letters, or "..." for the axes that are only carried along'
          : 'remove letters, or reshape the operand',
    },
    place,
  );
}

export const countFault = (parsed: ParsedEinsum, given: number, place?: EinsumPlace): EinstreamError =>
  specFault(
    'E_ARGUMENT',
    parsed.spec,
    parsed.inputs[Math.min(given, parsed.inputs.length - 1)].span,
    {
      rule: 'there must be one operand for each subscript',
      expected: operands(parsed.inputs.length),
      actual: String(given),
      hint:
        given > parsed.inputs.length
          ? 'add a subscript, separated by a comma'
          : 'pass the missing operand, or remove its subscript',
    },
    place,
  );

export const unknownLetterFault = (parsed: ParsedEinsum, letter: string, at: number, place?: EinsumPlace): EinstreamError =>
  specFault(
    'E_PARSE',
    parsed.spec,
    { at, length: 1 },
    {
      rule: `output letter ${letter} occurs in no operand, so its size is unknown`,
      hint: `pass { sizes: { ${letter}: … } } to repeat along it, or remove it`,
    },
    place,
  );

export const unusedSizeFault = (parsed: ParsedEinsum, letter: string, place?: EinsumPlace): EinstreamError =>
  specFault(
    'E_ARGUMENT',
    parsed.spec,
    { at: 0, length: parsed.spec.length },
    {
      rule: 'sizes may name letters of the spec alone',
      actual: JSON.stringify(letter.slice(0, 20)),
      hint: 'remove the entry, or correct the letter',
    },
    place,
  );
