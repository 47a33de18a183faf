/**
 * @file The state of a training: an immutable value, from which it goes on bit for bit.
 */
import { fault } from '../errors/index.js';
import { formatShape, sameShape } from '../tensor/shape.js';
import { zeros } from '../tensor/index.js';
import type { ComputedDType } from '../tensor/dtype.js';
import type { Tensor } from '../tensor/tensor.js';
import type { Learned } from './learned.js';
import { slotName } from './names.js';
import type { Optimizer } from './optimizer.js';

/** All that a training is, between two steps. */
export interface TrainState {
  /** Steps taken. */
  readonly step: number;
  /** The optimizer's name: slots mean something to it alone. */
  readonly optimizer: string;
  readonly params: Readonly<Record<string, Tensor>>;
  /** What the optimizer remembers, by `<param> <slot>`. */
  readonly slots: Readonly<Record<string, Tensor>>;
  readonly lossScale: number;
}

/** Step 0: the model's own params, and nothing remembered. */
export const initialState = (learned: readonly Learned[], { name, slots }: Optimizer, lossScale: number): TrainState =>
  Object.freeze({
    step: 0,
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
  });

/** @throws EinstreamError E_ARGUMENT for a state of another optimizer or other params than the model's */
export function checkState(state: TrainState, fresh: TrainState): void {
  const wrong = (rule: string, expected: string, actual: string) =>
    fault('E_ARGUMENT', { place: 'state', rule, expected, actual, hint: 'resume with the model and the optimizer that made it' });
  if (state.optimizer !== fresh.optimizer)
    throw wrong('a state goes on with its own optimizer', fresh.optimizer, String(state.optimizer));
  for (const kind of ['params', 'slots'] as const) {
    for (const [name, { dtype, shape }] of Object.entries(fresh[kind])) {
      const own = Object.hasOwn(state[kind], name) ? state[kind][name] : undefined;
      if (own?.dtype === dtype && sameShape(own.shape, shape)) continue;
      throw wrong(
        `${kind} must be those of the model: "${name}"`,
        `${dtype} ${formatShape(shape)}`,
        own === undefined ? 'none' : `${own.dtype} ${formatShape(own.shape)}`,
      );
    }
  }
}
