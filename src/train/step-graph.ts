/**
 * @file Steps of training as ordinary graphs: forward, backward and the optimizer's rule, optimised and fused as one.
 */
import { differentiate } from '../autodiff/differentiate.js';
import { extend, type Extension } from '../autodiff/extend.js';
import { reach } from '../autodiff/reach.js';
import { filledLike } from '../autodiff/seed.js';
import { describeValue, fault } from '../errors/index.js';
import { requireFloating, targetsOf } from '../autodiff/targets.js';
import { graph, input, type Declaration, type GraphSymbol } from '../graph/builder.js';
import type { Graph } from '../graph/graph.js';
import type { ValueType } from '../graph/infer.js';
import { throwIfBroken } from '../graph/validate/validate.js';
import { add, mul } from '../ops/binary/index.js';
import { isTraced } from '../ops/interpreter.js';
import type { ComputedDType } from '../tensor/dtype.js';
import { formatShape } from '../tensor/shape.js';
import type { Tensor } from '../tensor/tensor.js';
import { clipByValue, globalNorm, scaledTo } from './clipping.js';
import type { Learned } from './learned.js';
import type { Optimizer } from './optimizer.js';
import { NORM, scalarName, slotName, sumName } from './names.js';
import type { TrainOptions } from './options.js';

type Symbols = Record<string, GraphSymbol>;
type Plan = Pick<TrainOptions, 'loss' | 'prediction' | 'optimizer' | 'clip'>;
type Scalar = (name: string, dtype: ComputedDType) => GraphSymbol;

/** Feeds: the model's, params and slots by name, and the step's scalars. Outputs: loss, prediction, norm, next params and slots. */
export const stepGraph = (model: Graph, plan: Plan, learned: readonly Learned[]): Graph =>
  withGradients(model, plan, learned, (extension, gradients) => {
    const slots: Symbols = {};
    for (const { name, value } of learned)
      for (const slot of plan.optimizer.slots) {
        const type = { dims: value.shape, dtype: value.dtype as ComputedDType };
        slots[slotName(name, slot)] = extension.input(slotName(name, slot), type);
      }
    const params = Object.fromEntries(targetsOf(model, 'wrt', learned.map(({ name }) => name)).map(({ name, id }) => [name, extension.symbolAt(id)])); // prettier-ignore
    return updates(plan, learned, { params, gradients, slots }, scalarInputs(extension.input));
  });

/** The same without an update: to each gradient what the batches before gave is added. */
export const sumGraph = (model: Graph, plan: Plan, learned: readonly Learned[]): Graph =>
  withGradients(model, plan, learned, ({ input: declare }, gradients) =>
    Object.fromEntries(
      learned.map(({ name, value }) => {
        const before = declare(sumName(name), { dims: value.shape, dtype: value.dtype as ComputedDType });
        return [sumName(name), add(before, gradients[name])];
      }),
    ),
  );

/** From sums of gradients to next params and slots. */
export function updateGraph(plan: Plan, learned: readonly Learned[]): Graph {
  const declared: Record<string, Declaration<'input'>> = {};
  for (const { name, value } of learned)
    for (const key of [name, sumName(name), ...plan.optimizer.slots.map((slot) => slotName(name, slot))])
      declared[key] = input(value.shape, { dtype: value.dtype as ComputedDType });
  for (const name of scalarsOf(plan))
    for (const { value } of learned) declared[scalarName(name, value.dtype)] = input([], { dtype: value.dtype as ComputedDType });
  return graph(declared, (symbols: Symbols) => {
    const gradients = Object.fromEntries(learned.map(({ name }) => [name, symbols[sumName(name)]]));
    return updates(
      plan,
      learned,
      { params: symbols, gradients, slots: symbols },
      (name, dtype) => symbols[scalarName(name, dtype)],
    );
  });
}

/** Names of a step's scalars: the optimizer's, and what the gradients are scaled back by. */
const scalarsOf = ({ optimizer }: Plan): readonly string[] => [...Object.keys(optimizer.scalars(1)), 'share'];

function withGradients(
  model: Graph,
  { loss, prediction }: Plan,
  learned: readonly Learned[],
  finish: (extension: Extension, gradients: Symbols) => Symbols,
): Graph {
  throwIfBroken(model);
  const [target] = targetsOf(model, 'loss', loss);
  const wrt = targetsOf(model, 'wrt', learned.map(({ name }) => name)); // prettier-ignore
  const shown = prediction === undefined ? [] : targetsOf(model, 'prediction', prediction);
  return extend(model, (extension) => {
    const { symbolAt, typeOf, input: declare } = extension;
    const type: ValueType = typeOf(target.id);
    requireFloating('the loss', target, type);
    requireScalar(target.name, type);
    const weight = declare('step weight', { dims: [], dtype: type.dtype });
    const way = reach(model, [target.id], wrt.map(({ id }) => id)); // prettier-ignore
    const found = differentiate(model, way, [{ id: target.id, weight }], wrt, symbolAt);
    const gradients = Object.fromEntries(
      wrt.map(({ name, id }) => [name, (found.get(id) ?? filledLike(symbolAt(id), 0)) as GraphSymbol]),
    );
    const values = [target, ...shown].map(({ name, id }) => [name, symbolAt(id)] as const);
    return { ...Object.fromEntries(values), ...finish(extension, gradients) };
  });
}

interface Current {
  readonly params: Symbols;
  readonly gradients: Symbols;
  readonly slots: Symbols;
}

function updates({ optimizer, clip = {} }: Plan, learned: readonly Learned[], current: Current, scalar: Scalar): Symbols {
  const { value: bound, norm: most } = clip;
  const own = Object.fromEntries(
    learned.map(({ name, value }) => [name, mul(current.gradients[name], scalar('share', value.dtype as ComputedDType))]),
  );
  const norm = globalNorm(own) as GraphSymbol;
  const within = bound === undefined ? own : clipByValue(own, { value: bound });
  const ready = most === undefined ? within : scaledTo(within, within === own ? norm : globalNorm(within), most);
  const outputs: Symbols = { [NORM]: norm };
  for (const { name, value } of learned) {
    const dtype = value.dtype as ComputedDType;
    const slots = Object.fromEntries(optimizer.slots.map((slot) => [slot, current.slots[slotName(name, slot)]]));
    const scalars = Object.fromEntries(Object.keys(optimizer.scalars(1)).map((each) => [each, scalar(each, dtype)]));
    const next = optimizer.update({ param: current.params[name], gradient: ready[name], slots, scalars });
    outputs[name] = updated(optimizer, name, 'param', value, next?.param);
    for (const slot of optimizer.slots) outputs[slotName(name, slot)] = updated(optimizer, name, slot, value, next.slots?.[slot]);
  }
  return outputs;
}

/** What an optimizer gives for a param: a value of the param's type and shape. */
function updated({ name }: Optimizer, param: string, slot: string, { dtype, shape }: Tensor, given: unknown): GraphSymbol {
  const { dims, dtype: own } = (isTraced(given) ? given : {}) as Partial<GraphSymbol>;
  if (own === dtype && dims?.length === shape.length && dims.every((dim, axis) => dim === shape[axis]))
    return given as GraphSymbol;
  throw fault('E_ARGUMENT', {
    place: `optimizer "${name}"`,
    rule: `update gives "${slot}" of "${param}", made of ops, in the param's type and shape`,
    expected: `${dtype} ${formatShape(shape)}`,
    actual: own === undefined || dims === undefined ? describeValue(given) : `${own} ${formatShape(dims)}`,
  });
}

/** Where the rank is not known, the first step tells. */
function requireScalar(name: string, { dims }: ValueType): void {
  if (dims === undefined || dims.every((dim) => dim === 1)) return;
  throw fault('E_GRADIENT', {
    place: name,
    rule: 'a loss must be one number',
    expected: 'shape []',
    actual: `shape ${formatShape(dims)}`,
    hint: 'take its mean: mean(loss)',
  });
}

/** Each scalar is declared when it is first asked for, once for each dtype. */
function scalarInputs(declare: Extension['input']): Scalar {
  const known: Symbols = {};
  return (name, dtype) => (known[scalarName(name, dtype)] ??= declare(scalarName(name, dtype), { dims: [], dtype }));
}
