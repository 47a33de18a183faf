/**
 * @file The way back from a variable, over what was recorded: values are at hand, nothing forward is computed again.
 */
import { describeValue, fault } from '../errors/index.js';
import type { Operand } from '../ops/interpreter.js';
import { add } from '../ops/binary/index.js';
import { formatShape, sameShape } from '../tensor/shape.js';
import { full, Tensor } from '../tensor/index.js';
import type { ComputedDType } from '../tensor/dtype.js';
import { backward as walkBack, type Applied } from '../ops/backward.js';
import { gradientOps } from './gradient-ops.js';
import type { Origin, TapeNode } from './tape.js';
import { isVariable, nodeOfVariable, variableOf, type Variable } from './variable.js';

/** How the way back is taken. */
export interface BackwardOptions {
  /** True: the tape stays, so that it can be gone back over again. By default its values are let go. */
  readonly persistent?: boolean;
  /** True: the gradients are variables, made of the values; `backward` of what is made from them gives second order. Keeps the tape. */
  readonly differentiable?: boolean;
  /** Variables whose gradients are wanted beside those that were made by `variable`. */
  readonly wrt?: readonly Variable[];
}

/** Gradients by variable. */
export interface Gradients<T = Tensor> {
  /** That of `x`: zeros where nothing depends on it. @throws EinstreamError E_GRADIENT for a variable that was not asked for */
  of(x: Variable): T;
}

/**
 * The gradients of `y` by every variable that it was made of; each adds to its variable's `grad`.
 *
 * The tape is let go behind it, unless `persistent` says otherwise. Functions of a variable that were computed inside `noGrad`,
 * detached values and constants pass nothing back.
 *
 * ```ts
 * const [w, x] = [variable(tensor([1, 2])), tensor([3, 4])];
 * backward(sum(mul(w, x))).of(w).toArray() // => [3, 4]
 * w.grad.toArray() // => [3, 4]
 * ```
 *
 * @param seed what each element of y weighs, of its shape; needed where y has more than one
 * @throws EinstreamError E_GRADIENT for a y of several elements without a seed, for an op without a rule, and for a tape that was
 *   let go; E_SHAPE for a seed of another shape
 */
export function backward(y: Variable, seed?: Tensor, options?: BackwardOptions & { readonly differentiable?: false }): Gradients;
export function backward(
  y: Variable,
  seed: Tensor | undefined,
  options: BackwardOptions & { readonly differentiable: true },
): Gradients<Variable>;
export function backward(y: Variable, seed?: Tensor, options: BackwardOptions = {}): Gradients<Tensor | Variable> {
  if (!isVariable(y))
    throw fault('E_ARGUMENT', { place: 'backward', rule: 'the way back starts at a variable', actual: describeValue(y) });
  const { differentiable = false, persistent = differentiable, wrt = [] } = options;
  const start = seedFor(y, seed);
  const root = nodeOfVariable(y);
  const reached = reachedFrom(root);
  const asked = new Set(wrt.map(nodeOfVariable));
  const isKept = (node: TapeNode): boolean => node.origin === undefined || asked.has(node);
  const kept = new Set(reached.filter(isKept).map(({ id }) => id));
  const gradients = new Map<number, Operand>([[root.id, start]]);
  const steps = reached.flatMap((node): Step[] => {
    if (node.origin === undefined) return [];
    if (node.origin === 'freed') throw freed();
    const { op, params, inputs, values } = node.origin;
    return [{ id: node.id, op, params, inputs: inputs.map((input) => input?.id ?? 0), origin: { inputs, values }, node }];
  });
  const way = {
    g: gradientOps,
    valuesOf: ({ origin, node }: Step) => (differentiable ? asVariables(origin, node) : origin.values),
    isWanted: (id: number) => id !== 0,
    nameOf: (id: number) => `variable ${id}`,
  };
  walkBack(steps, gradients, way, (id) => kept.has(id));
  for (const node of reached) {
    const own = gradients.get(node.id);
    if (node.origin === undefined && own !== undefined) node.grad = accumulated(node.grad, plainOf(own));
    const isPersistent = persistent || node.tapes.some((tape) => tape.isPersistent);
    if (node.origin !== undefined && !isPersistent) node.origin = 'freed';
  }
  return { of: (x) => gradientOf(x, gradients, kept, reached) as Tensor };
}

interface Step extends Applied {
  readonly origin: Pick<Origin, 'inputs' | 'values'>;
  readonly node: TapeNode;
}

const plainOf = (value: Operand): Tensor => (isVariable(value) ? value.value : (value as Tensor));
const accumulated = (before: Tensor | undefined, own: Tensor): Tensor => (before === undefined ? own : add(before, own));

/** Everything that `root` was made of, itself first, results before operands: ids grow as values are made. */
function reachedFrom(root: TapeNode): readonly TapeNode[] {
  const seen = new Set<TapeNode>([root]);
  const stack = [root];
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    if (node.origin === undefined || node.origin === 'freed') continue;
    for (const input of node.origin.inputs) {
      if (input === undefined || seen.has(input)) continue;
      seen.add(input);
      stack.push(input);
    }
  }
  return [...seen].sort((a, b) => b.id - a.id);
}

/** The recorded values as variables of the same nodes, so that what is made from them is recorded too. */
const asVariables = ({ inputs, values }: Pick<Origin, 'inputs' | 'values'>, node: TapeNode): readonly Operand[] =>
  values.map((value, k) => {
    const own = k === inputs.length ? node : inputs[k];
    return own === undefined ? value : variableOf(value, own, true);
  });

function seedFor(y: Variable, seed: Tensor | undefined): Tensor {
  if (seed !== undefined) {
    if (seed instanceof Tensor && sameShape(seed.shape, y.shape)) return seed;
    throw fault('E_SHAPE', {
      place: 'backward',
      rule: 'the seed must have the shape of what is differentiated',
      expected: formatShape(y.shape),
      actual: seed instanceof Tensor ? formatShape(seed.shape) : describeValue(seed),
    });
  }
  if (y.value.size === 1) return full(y.shape, 1, { dtype: y.dtype as ComputedDType });
  throw fault('E_GRADIENT', {
    place: 'backward',
    rule: 'several elements need a seed: what each of them weighs',
    actual: `shape ${formatShape(y.shape)}`,
    hint: 'sum it, or give a seed of its shape',
  });
}

function gradientOf(
  x: Variable,
  gradients: ReadonlyMap<number, Operand>,
  kept: ReadonlySet<number>,
  reached: readonly TapeNode[],
): Operand {
  const found = gradients.get(x.id);
  if (found !== undefined && kept.has(x.id)) return found;
  if (kept.has(x.id) || !reached.some(({ id }) => id === x.id)) return full(x.shape, 0, { dtype: x.dtype as ComputedDType });
  throw fault('E_GRADIENT', {
    place: `variable ${x.id}`,
    rule: 'gradients of values on the way are not kept unasked',
    hint: 'name it: backward(y, seed, { wrt: [x] })',
  });
}

const freed = () =>
  fault('E_GRADIENT', {
    place: 'backward',
    rule: 'a tape can be gone back over once',
    actual: 'its values were let go',
    hint: 'pass { persistent: true } the first time, or compute the value again',
  });
