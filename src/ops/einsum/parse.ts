/**
 * @file The grammar of einsum, NumPy's in full: `'ij,jk->ik'`, `'...ii->...i'`, `'i,->i'`.
 *
 *     spec      = subscript { "," subscript } [ "->" subscript ]
 *     subscript = { letter | " " } [ "..." { letter | " " } ]
 *
 * Letters are a-z and A-Z; spaces are free, tabs and line ends are not. Without an arrow the output is the ellipsis
 * axes, then the letters that occur exactly once, by character code (A-Z before a-z).
 */
import { excerpt, fault } from '../../errors/index.js';
import { MAX_RANK } from '../../tensor/shape.js';
import { specFault, type EinsumPlace, type Span } from './blame.js';

/** One subscript: the letters of an operand or of the output. */
export interface Term {
  /** In order, without the ellipsis. */
  readonly labels: readonly string[];
  /** Position of each letter in the spec. In an implicit output, where the letter stands in its operand. */
  readonly at: readonly number[];
  /** How many letters stand before the ellipsis; -1 without an ellipsis. */
  readonly ellipsis: number;
  /** The whole subscript in the spec. */
  readonly span: Span;
}

export interface ParsedEinsum {
  readonly spec: string;
  readonly inputs: readonly Term[];
  readonly output: Term;
}

/** Longest spec, in UTF-16 units. */
export const MAX_SPEC_LENGTH = 1_000_000;

/** Most operands of a spec: parsing, planning and running them stays a matter of milliseconds. */
export const MAX_OPERANDS = 1_000;

const CACHED_SPECS = 500;
const CACHED_LENGTH = 1_000;
const cache = new Map<string, ParsedEinsum>();

/**
 * Parses a spec, in linear time. The 500 specs last used are remembered (those of at most 1,000 characters).
 *
 * ```ts
 * parseEinsum('bA').output.labels // => ['A', 'b']
 * ```
 *
 * @throws EinstreamError E_PARSE with a caret under the letter, E_LIMIT above 1,000,000 characters, 1,000 operands or 64 letters an operand
 */
export function parseEinsum(spec: string, place?: EinsumPlace): ParsedEinsum {
  const known = cache.get(spec);
  if (known !== undefined) cache.delete(spec); // and set again: the Map's order is that of last use
  const parsed = known ?? parseSpec(spec, place);
  if (spec.length <= CACHED_LENGTH) cache.set(spec, parsed);
  if (cache.size > CACHED_SPECS) cache.delete(cache.keys().next().value!);
  return parsed;
}

interface OpenTerm {
  labels: string[];
  at: number[];
  ellipsis: number;
  span: { at: number; length: number };
}

const openTerm = (at: number): OpenTerm => ({ labels: [], at: [], ellipsis: -1, span: { at, length: 0 } });

function parseSpec(spec: string, place: EinsumPlace | undefined): ParsedEinsum {
  if (spec.length > MAX_SPEC_LENGTH) {
    throw limitFault(spec, 'characters', MAX_SPEC_LENGTH, place);
  }
  const refuse = (span: Span, rule: string, hint: string): never => {
    throw specFault(
      'E_PARSE',
      spec,
      span,
      { rule, actual: JSON.stringify(spec.slice(span.at, span.at + Math.min(span.length, 20))), hint },
      place,
    );
  };
  const inputs: OpenTerm[] = [];
  let output: OpenTerm | undefined;
  let term = openTerm(0);
  const close = (at: number): void => {
    term.span.length = at - term.span.at;
    if (term === output) return;
    inputs.push(term);
    if (inputs.length > MAX_OPERANDS) throw limitFault(spec, 'operands', MAX_OPERANDS, place);
  };

  for (let at = 0; at < spec.length; at++) {
    const char = spec[at];
    if (isLetter(char)) {
      if (term === output && term.labels.includes(char)) {
        refuse(
          { at, length: 1 },
          `the output may hold letter ${char} once`,
          'an output axis is one index; a diagonal can only be read',
        );
      }
      if (term.labels.length === MAX_RANK) throw limitFault(spec, 'letters in a subscript', MAX_RANK, place);
      term.labels.push(char);
      term.at.push(at);
    } else if (char === ',') {
      if (output !== undefined)
        refuse({ at, length: 1 }, 'the output is one subscript: no comma may follow the arrow', 'an einsum has one output');
      close(at);
      term = openTerm(at + 1);
    } else if (char === '.') {
      const dots = runOf('.', spec, at);
      if (dots !== 3) refuse({ at, length: dots }, 'an ellipsis is exactly three dots', 'write "..."');
      if (term.ellipsis >= 0)
        refuse({ at, length: 3 }, 'a subscript may hold one ellipsis', 'name the further axes with letters');
      term.ellipsis = term.labels.length;
      at += 2;
    } else if (char === '-' || char === '>') {
      if (char === '>' || spec[at + 1] !== '>')
        refuse({ at, length: 1 }, 'an arrow is written "->"', 'write "->" between operands and output');
      if (output !== undefined)
        refuse({ at, length: 2 }, 'a spec has at most one arrow', 'write a chain of two einsums as two calls');
      close(at);
      term = output = openTerm(at + 2);
      at++;
    } else if (char !== ' ') {
      const length = spec.codePointAt(at)! > 0xffff ? 2 : 1;
      refuse(
        { at, length },
        'a spec is made of the letters a-z and A-Z, spaces, commas, "..." and one "->"',
        'rename the index to a letter',
      );
    }
  }
  close(spec.length);
  return { spec, inputs, output: output ?? implicitOutput(inputs, spec.length) };
}

const limitFault = (spec: string, what: string, limit: number, place: EinsumPlace | undefined) =>
  fault('E_LIMIT', {
    place: place?.place,
    nodeId: place?.nodeId,
    op: `einsum "${excerpt(spec, 40)}"`,
    rule: `a spec has a bounded number of ${what}`,
    expected: `at most ${limit}`,
    hint: 'split it into several einsums',
  });

const isLetter = (char: string): boolean => (char >= 'a' && char <= 'z') || (char >= 'A' && char <= 'Z');

function runOf(char: string, text: string, from: number): number {
  let end = from;
  while (text[end] === char) end++;
  return end - from;
}

/** The ellipsis axes, then the letters that occur exactly once, by character code. */
function implicitOutput(inputs: readonly OpenTerm[], end: number): Term {
  const places = new Map<string, number>();
  for (const { labels, at } of inputs) labels.forEach((label, i) => places.set(label, places.has(label) ? -1 : at[i]));
  const once = [...places].filter(([, at]) => at >= 0).sort(([a], [b]) => (a < b ? -1 : 1));
  return {
    labels: once.map(([label]) => label),
    at: once.map(([, at]) => at),
    ellipsis: inputs.some((term) => term.ellipsis >= 0) ? 0 : -1,
    span: { at: end, length: 0 },
  };
}
