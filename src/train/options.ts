/**
 * @file What training can be told.
 */
import { describeValue, fault } from '../errors/index.js';
import { readSettings, type RunOptions } from '../run/options.js';
import type { Optimizer } from './optimizer.js';
import { readLossScale, type LossScale } from './loss-scale.js';
import { requirePositive } from './positive.js';
import type { TrainState } from './state.js';

/** What `train` can be told. */
export interface TrainOptions extends Pick<RunOptions, 'backend' | 'level' | 'fallback' | 'onDiagnostic'> {
  /** The output of the model that is made smaller: a scalar. */
  readonly loss: string;
  readonly optimizer: Optimizer;
  /** The parameters that learn; all floating-point params of the model by default. */
  readonly wrt?: readonly string[];
  /** A value of the model that is emitted with each step, as it was before the step. */
  readonly prediction?: string;
  /** `value`: every element of a gradient is held within ±value. `norm`: all gradients together are scaled down to it. */
  readonly clip?: { readonly value?: number; readonly norm?: number };
  /** Batches that make one step, together: their gradients are averaged. 1 by default. The last step may have fewer. */
  readonly accumulate?: number;
  /**
   * Gradients are computed of so many times the loss, and divided again, for dtypes that would lose them. Above 1, a step whose
   * gradients overflow is left out, and the scale halved; `lossScale()` gives one that grows again.
   */
  readonly lossScale?: number | LossScale;
  /** A loss or gradient that is not finite: `'error'` (default) names the first bad node, `'skip'` leaves the step out, `'continue'`. */
  readonly onNaN?: 'error' | 'skip' | 'continue';
  /** Where to go on; a new state by default, from the model's own params. */
  readonly state?: TrainState;
}

const KNOWN = ['loss', 'optimizer', 'wrt', 'prediction', 'clip', 'accumulate', 'lossScale', 'onNaN', 'state', 'backend', 'level', 'fallback', 'onDiagnostic']; // prettier-ignore

const wrong = (rule: string, actual: unknown) => fault('E_ARGUMENT', { place: 'train', rule, actual: describeValue(actual) });

/** @throws EinstreamError E_ARGUMENT for an option that is unknown or outside its range */
export function checkTrainOptions(options: TrainOptions): void {
  if (typeof options !== 'object' || options === null) throw wrong('options are one object', options);
  const unknown = Object.keys(options).find((key) => !KNOWN.includes(key));
  if (unknown !== undefined) throw wrong(`an option must be known: ${KNOWN.join(', ')}`, unknown);
  const { loss, optimizer, clip = {}, accumulate = 1, lossScale = 1, onNaN = 'error' } = options;
  const { backend, level, fallback, onDiagnostic } = options;
  if (typeof loss !== 'string') throw wrong('loss names an output of the model', loss);
  if (!isOptimizer(optimizer)) throw wrong('optimizer is one, such as sgd({ rate: 0.1 })', optimizer);
  if (typeof clip !== 'object' || clip === null) throw wrong('clip is { value, norm }, or one of them', clip);
  const odd = Object.keys(clip).find((key) => key !== 'value' && key !== 'norm');
  if (odd !== undefined) throw wrong('clip is { value, norm }, or one of them', odd);
  readSettings({ backend, level, fallback, onDiagnostic });
  if (!Number.isSafeInteger(accumulate) || accumulate < 1) throw wrong('accumulate must be an integer ≥ 1', accumulate);
  if (!['error', 'skip', 'continue'].includes(onNaN)) throw wrong("onNaN is 'error', 'skip' or 'continue'", onNaN);
  readLossScale(lossScale);
  requirePositive('train', { ...clip });
}

const isOptimizer = (value: unknown): value is Optimizer => {
  if (typeof value !== 'object' || value === null) return false;
  const { name, slots, scalars, update } = value as Partial<Optimizer>;
  const hasSlots = Array.isArray(slots) && slots.every((slot) => typeof slot === 'string');
  return typeof name === 'string' && hasSlots && typeof scalars === 'function' && typeof update === 'function';
};
