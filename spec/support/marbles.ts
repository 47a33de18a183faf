/**
 * @file Marble specs: a test body in virtual time, with tensors compared by type and elements, and our errors by code and node.
 */
import { expect } from 'chai';
import { TestScheduler, type RunHelpers } from 'rxjs/testing';
import { EinstreamError, Tensor } from '../../src/index.js';

/** Plain data that is equal for equal values: what chai can compare and show. */
export function plain(value: unknown): unknown {
  if (value instanceof Tensor) return { dtype: value.dtype, shape: [...value.shape], elements: value.toArray() };
  if (value instanceof EinstreamError) return { code: value.code, nodeId: value.nodeId };
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null || value instanceof Error) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, plain(item)]));
}

/** The body of a test, run under RxJS's TestScheduler: timers, delays and marbles share one virtual clock. */
export const marbles = (body: (helpers: RunHelpers) => void) => (): void => virtually(body);

/** The same inside a test, as often as needed. */
export function virtually<T>(body: (helpers: RunHelpers) => T): T {
  const scheduler = new TestScheduler((actual, expected) => void expect(plain(actual)).to.deep.equal(plain(expected)));
  return scheduler.run(body);
}
