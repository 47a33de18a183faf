/**
 * @file Pseudo-specs: an op written around an einsum spec, `sum(ab->a)`, `subtract(a,->a)`, `sigmoid(ba->ab)`.
 *
 * Each becomes ordinary steps. A reduction takes the diagonal of repeated letters, folds what the output lacks and orders
 * the rest. Other ops first bring their operands to the output's letters by einsum (which sums what the output lacks).
 */
import { excerpt, fault, type Fault } from '../../../errors/index.js';
import { parseEinsum, type ParsedEinsum } from '../../../ops/einsum/parse.js';
import { wrapperOp } from '../../../ops/interchange.js';
import type { Params } from '../../../ops/op.js';
import { noParams } from '../params.js';

/** `reads`: k ≥ 0 is operand k of the node, −1 − s the value of step s. The last step's value is the node's. */
export interface Step {
  readonly op: string;
  readonly params: Params;
  readonly reads: readonly number[];
}

type Letters = readonly string[];

const WRAPPED = /^ *([A-Za-z_]\w*) *\(([^()]*)\) *$/;

export const isWrapped = (spec: string): boolean => spec.includes('(') && WRAPPED.test(spec);

/**
 * The steps of a wrapped spec.
 *
 * @throws EinstreamError E_OP for an unknown wrapper or an operand count that does not fit, E_PARSE for a bad spec inside
 */
export function expandWrapper(spec: string, operands: number, place: Pick<Fault, 'place' | 'nodeId'>): readonly Step[] {
  const [, name, inner] = WRAPPED.exec(spec)!;
  const start = spec.indexOf(name);
  const refuse = (code: 'E_OP' | 'E_PARSE', details: Fault) =>
    fault(code, {
      ...place,
      op: `einsum "${excerpt(spec)}"`,
      caret: { text: spec, at: start, length: name.length },
      ...details,
    });
  const parsed = parseEinsum(inner, { ...place, op: excerpt(name, 40) });
  const found = wrapperOp(name, parsed.inputs.length);
  if (found === undefined)
    throw refuse('E_OP', {
      rule: `the wrapper "${excerpt(name, 40)}" must be an op of ${parsed.inputs.length} operand${parsed.inputs.length === 1 ? '' : 's'}`,
      hint: 'wrap a spec with a reduction, an elementwise op of one operand, or one of two',
    });
  if (parsed.inputs.length !== operands)
    throw refuse('E_OP', {
      rule: 'the number of operands must fit the spec',
      expected: String(parsed.inputs.length),
      actual: String(operands),
    });
  if ([...parsed.inputs, parsed.output].some(({ ellipsis }) => ellipsis >= 0))
    throw refuse('E_PARSE', { rule: 'a wrapped spec names each axis by a letter', actual: 'an ellipsis' });
  const letters = new Set(parsed.inputs.flatMap(({ labels }) => labels));
  const unknown = parsed.output.labels.find((letter) => !letters.has(letter));
  if (unknown !== undefined) throw refuse('E_PARSE', { rule: `output letter ${unknown} must occur in an operand` });
  return found.kind === 'reduce' ? reduction(found.op, parsed) : elementwise(found.op, parsed);
}

const einsumStep = (from: Letters, to: Letters, read: number): Step => ({
  op: 'einsum',
  params: { spec: `${from.join('')}->${to.join('')}` },
  reads: [read],
});
const same = (a: Letters, b: Letters): boolean => a.length === b.length && a.every((letter, at) => letter === b[at]);

function reduction(op: string, { inputs: [input], output }: ParsedEinsum): readonly Step[] {
  const steps: Step[] = [];
  const last = (): number => (steps.length === 0 ? 0 : -steps.length);
  const letters = [...new Set(input.labels)];
  if (letters.length < input.labels.length) steps.push(einsumStep(input.labels, letters, 0));
  const axis = letters.flatMap((letter, at) => (output.labels.includes(letter) ? [] : [at]));
  if (axis.length > 0) steps.push({ op, params: { axis }, reads: [last()] });
  const rest = letters.filter((letter) => output.labels.includes(letter));
  if (!same(rest, output.labels))
    steps.push({ op: 'transpose', params: { perm: output.labels.map((letter) => rest.indexOf(letter)) }, reads: [last()] });
  if (steps.length === 0) steps.push({ op: 'identity', params: noParams, reads: [0] });
  return steps;
}

function elementwise(op: string, { inputs, output }: ParsedEinsum): readonly Step[] {
  const steps: Step[] = [];
  const reads = inputs.map(({ labels }, operand) => {
    let read = operand;
    const own = output.labels.filter((letter) => labels.includes(letter));
    if (!same(labels, own)) read = -steps.push(einsumStep(labels, own, read));
    // Axes align at the right, so one that is missing behind the first that is there needs a place of size 1.
    const first = output.labels.findIndex((letter) => own.includes(letter));
    const axis = output.labels.flatMap((letter, at) => (first >= 0 && at > first && !own.includes(letter) ? [at - first] : []));
    if (axis.length > 0) read = -steps.push({ op: 'unsqueeze', params: { axis }, reads: [read] });
    return read;
  });
  return [...steps, { op, params: noParams, reads }];
}
