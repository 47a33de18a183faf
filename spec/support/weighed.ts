/**
 * @file A `js` backend that weighs what it is asked for: to hold what an engine says of its memory against what it takes.
 */
import { js, type Backend } from '../../src/backends/index.js';
import type { Tensor } from '../../src/tensor/tensor.js';

export interface Weighed {
  readonly backend: Backend;
  /** Bytes allocated since this was last asked. */
  readonly taken: () => number;
  /** Bytes of tensors that were not asked of it: copies for whoever keeps them. */
  readonly copies: (tensors: Iterable<Tensor>) => number;
}

export function weighed(): Weighed {
  const inner = js();
  let bytes = 0;
  const made = new WeakSet<object>();
  const backend: Backend = {
    ...inner,
    allocate(shape, dtype) {
      const tensor = inner.allocate(shape, dtype);
      bytes += tensor.buffer.array.byteLength;
      made.add(tensor.buffer.array);
      return tensor;
    },
    placing: {
      ...inner.placing!,
      reserve(size) {
        bytes += size;
        return inner.placing!.reserve(size);
      },
    },
  };
  return {
    backend,
    taken() {
      const since = bytes;
      bytes = 0;
      return since;
    },
    copies(tensors) {
      const arrays = [...new Set([...tensors].map(({ buffer }) => buffer.array))];
      return arrays.filter((array) => !made.has(array)).reduce((sum, { byteLength }) => sum + byteLength, 0);
    },
  };
}
