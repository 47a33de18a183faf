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
import { parseEinsum, type ParsedEinsum } from '../../ops/einsum/parse.js';
import { dotLabels, matmulLabels } from '../../ops/einsum/product-labels.js';
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

/** What is known of the operands, and of them whatever params are fed; and of the result. */
interface Known {
  readonly dims: readonly Dims[];
  readonly sure: () => readonly Dims[];
  readonly output: Dims;
}

type Rule = (known: Known, params: Params) => Labelled | undefined;

/** Types of values by id, as declared, and as they are whatever params are fed. */
export interface KnownTypes {
  readonly types: readonly (ValueType | undefined)[];
  readonly sure: () => readonly (ValueType | undefined)[];
}

const upTo = (count: number): readonly number[] => Array.from({ length: count }, (_, k) => k);

/** Known to be one size, also where there is only one. */
const isOneSize = (dims: readonly Dim[]): boolean => dims.length < 2 || dims.every((dim) => dim !== null && dim === dims[0]);

const RULES: Readonly<Record<string, Rule>> = {
  einsum: ({ dims }, { spec, sizes = {} }) => {
    const parsed = parseEinsum(spec as string);
    const labels = labelsOf(parsed, dims);
    const names = namesOf(parsed, labels);
    const claims = Object.entries(sizes as LetterSizes).map(([letter, dim]): Claim => {
      const label = names.indexOf(letter);
      return { label, dim, kind: labels.operands.some((own) => own.includes(label)) ? 'stated' : 'shown' };
    });
    // A reader may stretch what is 1 here, so that nothing could be said of the label then.
    const isStretchable = claims.some(({ label, dim, kind }) => kind === 'stated' && dim === 1 && labels.output.includes(label));
    return isStretchable ? undefined : { ...labels, claims, names };
  },
  matmul: (known) => unstretched(known, matmulLabels(known.dims[0], known.dims[1])),
  dot: (known) => unstretched(known, dotLabels(known.dims[0], known.dims[1])),
  outer: () => ({ operands: [[0], [1]], output: [0, 1] }),
  mul: ({ dims, output }) => {
    const labels = upTo(output.length);
    return { operands: dims.map((own) => labels.slice(output.length - own.length)), output: labels };
  },
  sum: ({ dims: [x] }, { axis, keepdims }) => {
    const labels = upTo(x.length);
    const folded = foldAxes(axis as number | readonly number[] | null, x.length, 'sum');
    // It adds 0 to each element, which makes 0 of −0: no view.
    if (folded.length === 0) return undefined;
    if (keepdims !== true) return { operands: [labels], output: labels.filter((label) => !folded.includes(label)) };
    const output = labels.map((label) => (folded.includes(label) ? x.length + label : label));
    return { operands: [labels], output, claims: folded.map((at) => ({ label: x.length + at, dim: 1, kind: 'shown' })) };
  },
  transpose: ({ dims: [x] }, { perm }) => {
    const labels = upTo(x.length);
    return { operands: [labels], output: perm === undefined ? [...labels].reverse() : normalizeAxes(perm as number[], x.length, 'transpose') }; // prettier-ignore
  },
  unsqueeze: ({ output }, { axis }) => {
    const places = normalizeAxes(axis as number | readonly number[], output.length, 'unsqueeze');
    const labels = upTo(output.length);
    return {
      operands: [labels.filter((label) => !places.includes(label))],
      output: labels,
      claims: places.map((label) => ({ label, dim: 1, kind: 'shown' })),
    };
  },
  squeeze: ({ dims: [x], output }, { axis }) => {
    const dropped = axis == null ? upTo(x.length).filter((at) => x[at] === 1) : normalizeAxes(axis as number | readonly number[], x.length, 'squeeze'); // prettier-ignore
    if (dropped.some((at) => x[at] !== 1) || x.length - dropped.length !== output.length) return undefined;
    const labels = upTo(x.length);
    return {
      operands: [labels],
      output: labels.filter((label) => !dropped.includes(label)),
      claims: dropped.map((label) => ({ label, dim: 1, kind: 'stated' })),
    };
  },
  broadcastTo: (known, { shape }) => stretched(known, shape as Dims),
  broadcastLike: (known) =>
    stretched(
      known,
      known.output.map(() => 0),
    ),
};

/** The node as a term, where its op is one; undefined where ranks or sizes are not known. */
export function termOf({ op: name, inputs, params, id }: OpNode, { types, sure }: KnownTypes): Term | undefined {
  const dims: Dims[] = [];
  const output = types[id]?.dims;
  for (const input of inputs) {
    const own = types[input]?.dims;
    // Of nothing there is nothing to gain, and Infinity times an early sum of nothing would be NaN.
    if (own === undefined || own.includes(0)) return undefined;
    dims.push(own);
  }
  if (output === undefined) return undefined;
  const known: Known = { dims, output, sure: () => inputs.map((input, k) => sure()[input]?.dims ?? dims[k].map(() => null)) };
  const labelled = Object.hasOwn(RULES, name) ? RULES[name](known, params) : contracted(name, known, params);
  if (labelled === undefined || !isSureDiagonal(known, labelled)) return undefined;
  return {
    operands: labelled.operands.map((labels, k) => ({ id: inputs[k], labels })),
    output: labelled.output,
    claims: labelled.claims ?? [],
    names: labelled.names ?? upTo(1 + Math.max(-1, ...labelled.operands.flat(), ...labelled.output)).map(() => undefined),
  };
}

/** Contractions of other names, whose labels may depend on sizes. */
function contracted(name: string, known: Known, params: Params): Labelled | undefined {
  const op = knownOp(name);
  if (!isContraction(op)) return undefined;
  const shapes = known.sure();
  if (!shapes.every(isStatic)) return undefined;
  const { operands, output, sizes } = op.contract!(params, shapes);
  const absent = output.filter((label) => !operands.some((own) => own.includes(label)));
  const claims = absent.map((label): Claim => ({ label, dim: sizes[label], kind: 'shown' }));
  return unstretched(known, { operands, output, claims });
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

/** For ops that refuse what einsum stretches: a summed label is sure to have one size. */
function unstretched({ sure }: Known, labelled: Labelled): Labelled | undefined {
  const { operands, output } = labelled;
  const dims = sure();
  for (const label of new Set(operands.flat())) {
    if (output.includes(label)) continue;
    if (!isOneSize(operands.flatMap((labels, k) => dims[k].filter((_, axis) => labels[axis] === label)))) return undefined;
  }
  return labelled;
}

/** A label twice in one operand: both axes are sure to have one size, so that they are not stretched apart. */
function isSureDiagonal({ sure }: Known, { operands }: Labelled): boolean {
  return operands.every((labels, k) => {
    if (new Set(labels).size === labels.length) return true;
    const dims = sure()[k];
    return labels.every((label) => isOneSize(dims.filter((_, axis) => labels[axis] === label)));
  });
}

/** Aligned at the right; `asked` are the sizes that were asked for, null or −1 where there is nothing to stretch. */
function stretched({ sure, output }: Known, asked: Dims): Labelled | undefined {
  const labels = upTo(output.length);
  const [x] = sure();
  const lead = output.length - x.length;
  const claims: Claim[] = [];
  for (const [axis, dim] of output.entries()) {
    const isKept = axis >= lead && (asked[axis] === null || asked[axis] === -1);
    if (isKept || (axis >= lead && x[axis - lead] === dim && dim !== null)) continue;
    if (dim === null) return undefined;
    claims.push({ label: axis, dim, kind: 'shown' });
  }
  return { operands: [labels.slice(lead)], output: labels, claims };
}
