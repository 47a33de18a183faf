/**
 * @file Shape rules that borrow the checks of layouts, and say in their errors where they were applied.
 */
import { EinstreamError, fault } from '../../errors/index.js';
import { MAX_ELEMENTS, numElements } from '../../tensor/shape.js';
import type { Dims } from '../dims.js';
import type { Place } from '../op.js';

/** Runs a check of the tensor layer; its fault is thrown again under the op and node that asked. */
export function within<T>(place: Place, check: () => T): T {
  try {
    return check();
  } catch (error) {
    if (!(error instanceof EinstreamError)) throw error;
    const { rule, expected, actual, suggestions } = error.diagnostic;
    throw fault(error.code, { ...place, rule: rule ?? error.message, expected, actual, hint: suggestions });
  }
}

/**
 * The dims, when what is known of them stays within a tensor's limits: amplification ends here, before any allocation.
 *
 * @throws EinstreamError E_LIMIT for too many elements or axes
 */
export function bounded(dims: Dims, place: Place): Dims {
  within(place, () =>
    numElements(
      dims.map((dim) => (typeof dim === 'number' ? dim : 1)),
      MAX_ELEMENTS,
    ),
  );
  return dims;
}
