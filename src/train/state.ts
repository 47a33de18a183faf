/**
 * @file The state of a training: an immutable value, from which it goes on bit for bit.
 */
import { describeValue, fault } from '../errors/index.js';
import { formatShape, sameShape } from '../tensor/shape.js';
import { zeros } from '../tensor/index.js';
import type { ComputedDType } from '../tensor/dtype.js';
import { Tensor } from '../tensor/tensor.js';
import type { Learned } from './learned.js';
import { slotName } from './names.js';
import type { Optimizer } from './optimizer.js';

/** All that a training is, between two steps. */
export interface TrainState {
  /** Steps taken: where a schedule stands. */
  readonly step: number;
  /** Batches read, those of steps that were left out too: where the stream of batches goes on. */
  readonly batches: number;
  /** The optimizer's name: slots mean something to it alone. */
  readonly optimizer: string;
  readonly params: Readonly<Record<string, Tensor>>;
  /** What the optimizer remembers, by `<param> <slot>`. */
  readonly slots: Readonly<Record<string, Tensor>>;
  readonly lossScale: number;
  /** Steps taken since the loss scale changed. */
  readonly steady: number;
  /** What else a program wants to find again, such as its seeds: plain values. Kept and saved, never read. */
  readonly notes?: Readonly<Record<string, unknown>>;
}

/** Step 0: the model's own params, and nothing remembered. */
export const initialState = (learned: readonly Learned[], { name, slots }: Optimizer, lossScale: number): TrainState =>
  Object.freeze({
    step: 0,
    batches: 0,
    optimizer: name,
    params: Object.freeze(Object.fromEntries(learned.map((each) => [each.name, each.value]))),
    slots: Object.freeze(
      Object.fromEntries(
        learned.flatMap((each) =>
          slots.map((slot) => [slotName(each.name, slot), zeros(each.value.shape, { dtype: each.value.dtype as ComputedDType })]),
        ),
      ),
    ),
    lossScale,
    steady: 0,
  });

const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) >= 0;
const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === 'object' && value !== null;
const hasTensors = (value: unknown): boolean => isRecord(value) && Object.values(value).every((each) => each instanceof Tensor);

const RULES: readonly (readonly [keyof TrainState, (value: unknown) => boolean, string])[] = [
  ['step', isCount, 'counts steps'],
  ['batches', isCount, 'counts batches'],
  ['steady', isCount, 'counts steps'],
  ['optimizer', (value) => typeof value === 'string', "is an optimizer's name"],
  ['lossScale', (value) => typeof value === 'number' && value > 0 && value < Infinity, 'is a number above 0'],
  ['params', hasTensors, 'are tensors by name'],
  ['slots', hasTensors, 'are tensors by name'],
  ['notes', (value) => value === undefined || isRecord(value), 'is one object'],
];

/** @throws EinstreamError E_ARGUMENT for what is no state */
export function requireState(state: unknown, place: string): asserts state is TrainState {
  if (!isRecord(state)) throw fault('E_ARGUMENT', { place, rule: 'a state is one object', actual: describeValue(state) });
  const broken = RULES.find(([name, isRight]) => !isRight(state[name]));
  if (broken === undefined) return;
  const [name, , rule] = broken;
  throw fault('E_ARGUMENT', {
    place,
    rule: `"${name}" of a state ${rule}`,
    actual: describeValue(state[name]),
    hint: 'go on from the state of a step, or from parseState',
  });
}

/** @throws EinstreamError E_ARGUMENT for what is no state, or one of another optimizer or of other params than the model's */
export function checkState(state: TrainState, fresh: TrainState): void {
  requireState(state, 'state');
  const wrong = (rule: string, expected: string, actual: string) =>
    fault('E_ARGUMENT', { place: 'state', rule, expected, actual, hint: 'resume with the model and the optimizer that made it' });
  if (state.optimizer !== fresh.optimizer)
    throw wrong('a state goes on with its own optimizer', fresh.optimizer, state.optimizer);
  for (const kind of ['params', 'slots'] as const) {
    const [own, wanted] = [new Map(Object.entries(state[kind])), Object.entries(fresh[kind])];
    for (const [name, { dtype, shape }] of wanted) {
      const found = own.get(name);
      own.delete(name);
      if (found?.dtype === dtype && sameShape(found.shape, shape)) continue;
      throw wrong(
        `${kind} must be those of the model: "${name}"`,
        `${dtype} ${formatShape(shape)}`,
        found === undefined ? 'none' : `${found.dtype} ${formatShape(found.shape)}`,
      );
    }
    const [further] = own.keys();
    if (further !== undefined)
      throw wrong(`${kind} must be those of the model`, wanted.map(([name]) => `"${name}"`).join(', ') || 'none', `"${further}"`); // prettier-ignore
  }
}
