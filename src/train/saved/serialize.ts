/**
 * @file A training's state as bytes.
 */
import { encodePlain } from '../../graph/formats/own/plain.js';
import { jsonNumber, jsonString } from '../../graph/json/index.js';
import { elementsOf, listed } from '../../stream/checkpoint/format/elements.js';
import { seal } from '../../stream/checkpoint/format/envelope.js';
import type { Tensor } from '../../tensor/tensor.js';
import { requireState, type TrainState } from '../state.js';
import { STATE } from './kind.js';

/**
 * The whole state as bytes: parameters and what the optimizer remembers to the last bit, step, batches read, loss scale and notes.
 *
 * They hold their version and a checksum, and nothing of the backend that computed: any other goes on from them. Equal states give
 * equal bytes. Where to keep them is the program's business; a file is written beside its place and then renamed over it, so
 * that a process that is killed leaves the old one or the new one.
 *
 * ```ts
 * const model = graph({ x: input(['n']), t: input(['n']), w: param(tensor(0)) }, ({ x, t, w }) => ({ loss: mse(mul(x, w), t) }));
 * const options = { loss: 'loss', optimizer: adam({ rate: 0.1 }) };
 * const batch = { x: [1, 2], t: [2, 4] };
 * const { state } = await lastValueFrom(of(batch, batch).pipe(train(model, options)));
 * const bytes = serializeState(state);
 * of(batch).pipe(train(model, { ...options, state: parseState(bytes) }), map(({ step }) => step)) // => [3]
 * ```
 *
 * @throws EinstreamError E_ARGUMENT for what is no state, E_STALE for tensors that were borrowed
 */
export function serializeState(state: TrainState): Uint8Array {
  requireState(state, 'serializeState');
  const { step, batches, optimizer, lossScale, steady, notes, params, slots } = state;
  const members = [
    `"step":${step}`,
    `"batches":${batches}`,
    `"optimizer":${jsonString(optimizer)}`,
    `"lossScale":${jsonNumber(lossScale)}`,
    `"steady":${steady}`,
    ...(notes === undefined ? [] : [`"notes":${encodePlain(notes, 'notes')}`]),
    `"params":${byName(params)}`,
    `"slots":${byName(slots)}`,
  ];
  const tensors = [...Object.values(params), ...Object.values(slots)];
  return seal(STATE, `{${members.join()}}`, tensors.map(elementsOf));
}

/** Types and shapes by name, in the order in which the elements follow. */
const byName = (tensors: Readonly<Record<string, Tensor>>): string =>
  `{${Object.entries(tensors)
    .map(([name, tensor]) => `${jsonString(name)}:${listed(tensor)}`)
    .join()}}`;
