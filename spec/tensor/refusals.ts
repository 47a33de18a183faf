/**
 * @file What must be refused, and how.
 */
import { expect } from 'chai';
import { EinstreamError, type ErrorCode } from '../../src/errors/index.js';

/** Calls, and wants the engine's own error with one of the codes and a message that names the culprit. */
export function expectRefusal(call: () => unknown, codes: ErrorCode | readonly ErrorCode[], message?: RegExp): void {
  let caught: unknown;
  try {
    call();
  } catch (error) {
    caught = error;
  }
  expect(caught, 'must throw').to.be.instanceOf(EinstreamError);
  const { code, message: text } = caught as EinstreamError;
  expect([codes].flat(), text).to.include(code);
  if (message !== undefined) expect(text).to.match(message);
}

/** Shapes that must be refused before anything is allocated (G4), each with the codes that may say so. */
export const BAD_SHAPES: readonly (readonly [title: string, shape: readonly unknown[], codes: readonly ErrorCode[]])[] = [
  ['-1', [-1], ['E_SHAPE']],
  ['1.5', [1.5], ['E_SHAPE']],
  ['NaN', [NaN], ['E_SHAPE']],
  ['Infinity', [Infinity], ['E_SHAPE']],
  ['a string', ['3'], ['E_SHAPE']],
  ['null', [null], ['E_SHAPE']],
  ['a hole', new Array<unknown>(1), ['E_SHAPE']],
  ['a bigint', [3n], ['E_SHAPE']],
  ['a symbol', [2 ** 40, Symbol('size')], ['E_SHAPE']],
  ['an object whose valueOf is a trap', [{ valueOf: () => 3 }], ['E_SHAPE']],
  ['2^31', [2 ** 31], ['E_LIMIT']],
  ['2^32', [2 ** 32], ['E_LIMIT']],
  ['2^53', [2 ** 53], ['E_LIMIT']],
  ['a product of 2^32', [65536, 65536], ['E_LIMIT']],
  ['a product of 2^64, which wraps to 0 in 64 bits', [2 ** 32, 2 ** 32], ['E_LIMIT']],
  ['a product beyond the largest float', new Array<number>(40).fill(2 ** 30), ['E_LIMIT']],
  ['0 × 2^60', [0, 2 ** 60], ['E_LIMIT']],
  ['2^60 × 0', [2 ** 60, 0], ['E_LIMIT']],
  ['65 axes', new Array<number>(65).fill(1), ['E_LIMIT']],
];
