/**
 * @file The null backend: everything is planned, checked and allocated as for any other, and nothing is computed.
 */
import type { Backend } from '../backends/index.js';
import { COMPUTED_DTYPES } from '../tensor/dtype.js';
import { MAX_ELEMENTS, MAX_RANK } from '../tensor/shape.js';
import { allocateTensor } from '../tensor/tensor.js';

/**
 * A backend for tests of what surrounds kernels: outputs have the right names, shapes and dtypes, and all elements are zero.
 *
 * Values that are read from feeds, such as a gather's indices, are taken for zero as well.
 *
 * ```ts
 * const g = graph({ x: input(['n', 2]) }, ({ x }) => ({ y: exp(transpose(x)) }));
 * evaluateSync(g, { x: [[1, 2]] }, { backend: nullBackend() }).y.toArray() // => [[0], [0]]
 * ```
 */
export const nullBackend = (): Backend =>
  Object.freeze<Backend>({
    name: 'null',
    capabilities: Object.freeze({
      name: 'null',
      version: '1',
      devices: [{ type: 'Custom', index: 0 }] as const,
      dtypes: COMPUTED_DTYPES,
      features: [],
      maxDims: MAX_RANK,
      maxTensorBytes: MAX_ELEMENTS,
      maxFusedNodes: 128,
      maxResults: 8,
      asynchronous: false,
      remarks: ['nothing is computed: all elements are zero'],
    }),
    compile: () => ({ run: () => undefined, dispose: () => undefined }),
    allocate: allocateTensor,
    // Zeros here, so that views of feeds and params are zeros too.
    upload: ({ shape, dtype }) => allocateTensor(shape, dtype),
    close: () => Promise.resolve(),
  });
