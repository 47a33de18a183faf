/**
 * @file A backend that counts the elements that it is asked to hold.
 */
import { js, type Backend } from '../../src/backends/index.js';
import { numElements } from '../../src/tensor/shape.js';

export interface CountedElements {
  readonly backend: Backend;
  /** Elements of the largest tensor, and of all of them. */
  readonly largest: () => number;
  readonly elements: () => number;
}

export function countedElements(inner: Backend = js()): CountedElements {
  let [largest, elements] = [0, 0];
  const allocate: Backend['allocate'] = (shape, dtype) => {
    const size = numElements(shape);
    largest = Math.max(largest, size);
    elements += size;
    return inner.allocate(shape, dtype);
  };
  return { backend: { ...inner, allocate }, largest: () => largest, elements: () => elements };
}
