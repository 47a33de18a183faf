/**
 * @file The raw elements behind a tensor, read by address.
 */
import { fault } from '../../errors/index.js';
import type { ComputedTensor } from './job.js';

/**
 * The whole buffer; addresses come from the tensor's offset and strides.
 *
 * @throws EinstreamError E_STALE when the tensor was borrowed and its frame has ended
 */
export function elementsOf(tensor: ComputedTensor): ArrayLike<number> {
  if (tensor.buffer.retired) {
    throw fault('E_STALE', { place: 'tensor', rule: "a borrowed tensor can be read only until its frame's next returns", hint: "copy it in time, or run with { outputs: 'copy' }" });
  }
  return tensor.buffer.array as ArrayLike<number>; // computed dtypes are never stored as bigint
}
