/**
 * @file What a gather kernel does with an index that is outside: an error, never an element that is not there.
 */
import { fault } from '../errors/index.js';

export function outOfRange(index: number, size: number): never {
  throw fault('E_SHAPE', {
    op: 'gather',
    rule: 'an index must lie within the gathered axis',
    expected: `an integer from ${-size} to ${size - 1}`,
    actual: String(index),
    hint: 'clip the indices first',
  });
}
