/**
 * @file Which ops are sums of products, and which: one rule an op, in labels, from the ranks of the operands and what is known of
 * their sizes.
 *
 * A rule gives nothing where a size that matters is not known: an op that would refuse a size must not become one that stretches it.
 */
import type { OpNode } from '../../graph/graph.js';
import type { ValueType } from '../../graph/infer.js';
import type { Dim, Dims } from '../../ops/dims.js';
import { isStatic } from '../../ops/dims.js';
import { dotLabels } from '../../ops/einsum/dot.js';
import { matmulLabels } from '../../ops/einsum/matmul.js';
import { parseEinsum, type ParsedEinsum } from '../../ops/einsum/parse.js';
import { labelsOf, type Labels, type LetterSizes } from '../../ops/einsum/resolve.js';
import { foldAxes } from '../../ops/foldAxes.js';
import { isContraction } from '../../ops/fusedSteps.js';
import { knownOp } from '../../ops/known.js';
import type { Params } from '../../ops/op.js';
import { normalizeAxes } from '../../tensor/axis.js';
import type { Claim, Term } from './term.js';

/** Labels, and what is claimed of them. */
interface Labelled extends Labels {
  readonly claims?: readonly Claim[];
  readonly names?: readonly (string | undefined)[];
}

type Rule = (dims: readonly Dims[], output: Dims, params: Params) => Labelled | undefined;

const upTo = (count: number): readonly number[] => Array.from({ length: count }, (_, k) => k);

/** Known to be one size. */
const isOneSize = (dims: readonly Dim[]): boolean => dims.every((dim) => dim !== null && dim === dims[0]);

const RULES: Readonly<Record<string, Rule>> = {
  einsum: (dims, _output, { spec, sizes = {} }) => {
    const parsed = parseEinsum(spec as string);
    const labels = labelsOf(parsed, dims);
    const names = namesOf(parsed, labels);
    const claims = Object.entries(sizes as LetterSizes).map(([letter, dim]): Claim => {
      const label = names.indexOf(letter);
      return { label, dim, kind: labels.operands.some((own) => own.includes(label)) ? 'exact' : 'shown' };
    });
    return { ...labels, claims, names };
  },
  matmul: ([x, y]) => unstretched([x, y], matmulLabels(x, y)),
  dot: ([x, y]) => unstretched([x, y], dotLabels(x, y)),
  outer: () => ({ operands: [[0], [1]], output: [0, 1] }),
  mul: (dims, output) => {
    const labels = upTo(output.length);
    return { operands: dims.map((own) => labels.slice(output.length - own.length)), output: labels };
  },
  sum: ([x], _output, { axis, keepdims }) => {
    const labels = upTo(x.length);
    const folded = foldAxes(axis as number | readonly number[] | null, x.length, 'sum');
    if (keepdims !== true) return { operands: [labels], output: labels.filter((label) => !folded.includes(label)) };
    const output = labels.map((label) => (folded.includes(label) ? x.length + label : label));
    return { operands: [labels], output, claims: folded.map((at) => ({ label: x.length + at, dim: 1, kind: 'shown' })) };
  },
  transpose: ([x], _output, { perm }) => {
    const labels = upTo(x.length);
    return { operands: [labels], output: perm === undefined ? [...labels].reverse() : normalizeAxes(perm as number[], x.length, 'transpose') }; // prettier-ignore
  },
  unsqueeze: ([x], output, { axis }) => {
    const places = normalizeAxes(axis as number | readonly number[], output.length, 'unsqueeze');
    const labels = upTo(output.length);
    return {
      operands: [labels.filter((label) => !places.includes(label))],
      output: labels,
      claims: places.map((label) => ({ label, dim: 1, kind: 'shown' })),
    };
  },
  squeeze: ([x], output, { axis }) => {
    const dropped = axis == null ? upTo(x.length).filter((at) => x[at] === 1) : normalizeAxes(axis as number | readonly number[], x.length, 'squeeze'); // prettier-ignore
    if (dropped.some((at) => x[at] !== 1) || x.length - dropped.length !== output.length) return undefined;
    const labels = upTo(x.length);
    return {
      operands: [labels],
      output: labels.filter((label) => !dropped.includes(label)),
      claims: dropped.map((label) => ({ label, dim: 1, kind: 'exact' })),
    };
  },
  broadcastTo: ([x], output, { shape }) => stretched(x, output, shape as Dims),
  broadcastLike: ([x], output) => stretched(x, output, output),
};

/** The node as a term, where its op is one; undefined where ranks or sizes are not known. */
export function termOf(
  { op: name, inputs, params }: OpNode,
  types: readonly (ValueType | undefined)[],
  output: Dims,
): Term | undefined {
  const dims: Dims[] = [];
  for (const id of inputs) {
    const own = types[id]?.dims;
    // Of nothing there is nothing to gain, and Infinity times an early sum of nothing would be NaN.
    if (own === undefined || own.includes(0)) return undefined;
    dims.push(own);
  }
  const labelled = Object.hasOwn(RULES, name) ? RULES[name](dims, output, params) : contracted(name, dims, params);
  if (labelled === undefined) return undefined;
  const diagonals = diagonalsOf(labelled, dims);
  if (diagonals === undefined) return undefined;
  return {
    operands: labelled.operands.map((labels, k) => ({ id: inputs[k], labels })),
    output: labelled.output,
    claims: [...(labelled.claims ?? []), ...diagonals],
    names: labelled.names ?? upTo(1 + Math.max(-1, ...labelled.operands.flat(), ...labelled.output)).map(() => undefined),
  };
}

/** Contractions of other names, whose labels may depend on sizes. */
function contracted(name: string, dims: readonly Dims[], params: Params): Labelled | undefined {
  const op = knownOp(name);
  if (!isContraction(op) || !dims.every(isStatic)) return undefined;
  const { operands, output, sizes } = op.contract!(params, dims);
  const absent = output.filter((label) => !operands.some((own) => own.includes(label)));
  return unstretched(dims, { operands, output, claims: absent.map((label) => ({ label, dim: sizes[label], kind: 'shown' })) });
}

/** The letters as they are written; axes of an ellipsis have none. */
function namesOf({ inputs, output }: ParsedEinsum, labels: Labels): readonly (string | undefined)[] {
  const names: (string | undefined)[] = [];
  for (const label of [...labels.operands.flat(), ...labels.output]) names[label] = undefined;
  [...inputs, output].forEach((term, k) => {
    const own = k < inputs.length ? labels.operands[k] : labels.output;
    const before = term.ellipsis < 0 ? term.labels.length : term.ellipsis;
    term.labels.forEach((letter, at) => (names[own[at < before ? at : own.length - term.labels.length + at]] = letter));
  });
  return names;
}

/** For ops that refuse what einsum stretches: a summed label has one size. */
function unstretched(dims: readonly Dims[], labelled: Labelled): Labelled | undefined {
  const { operands, output, claims = [] } = labelled;
  const more: Claim[] = [];
  for (const label of new Set(operands.flat())) {
    if (output.includes(label)) continue;
    const own = operands.flatMap((labels, k) => labels.flatMap((each, axis) => (each === label ? [dims[k][axis]] : [])));
    if (own.length === 1) continue;
    if (!isOneSize(own)) return undefined;
    if (typeof own[0] === 'number') more.push({ label, dim: own[0], kind: 'exact' });
  }
  return { ...labelled, claims: [...claims, ...more] };
}

/** A label twice in one operand: both axes have one size, and are never stretched apart. Undefined where that is not known. */
function diagonalsOf({ operands }: Labelled, dims: readonly Dims[]): readonly Claim[] | undefined {
  const claims: Claim[] = [];
  for (const [k, labels] of operands.entries()) {
    if (new Set(labels).size === labels.length) continue;
    for (const label of new Set(labels)) {
      const own = dims[k].filter((_, axis) => labels[axis] === label);
      if (own.length === 1) continue;
      if (!isOneSize(own)) return undefined;
      if (typeof own[0] === 'number') claims.push({ label, dim: own[0], kind: 'exact' });
    }
  }
  return claims;
}

/** Aligned at the right; `asked` are the sizes as they were asked for, null or −1 where there is nothing to stretch. */
function stretched(x: Dims, output: Dims, asked: Dims): Labelled | undefined {
  const labels = upTo(output.length);
  const lead = output.length - x.length;
  const claims: Claim[] = [];
  for (const [axis, dim] of output.entries()) {
    const own = axis < lead ? 1 : x[axis - lead];
    if (axis >= lead && ((own === dim && own !== null) || (asked !== output && (asked[axis] === null || asked[axis] === -1)))) continue; // prettier-ignore
    if (dim === null) return undefined;
    claims.push({ label: axis, dim, kind: 'shown' });
  }
  return { operands: [labels.slice(lead)], output: labels, claims };
}
