/**
 * @file What a call throws, as the engine's own error.
 */
import { expect } from 'chai';
import { EinstreamError } from '../../src/errors/index.js';

export function thrownBy(act: () => unknown): EinstreamError {
  try {
    act();
  } catch (error) {
    expect(error).to.be.instanceOf(EinstreamError);
    return error as EinstreamError;
  }
  throw new Error('nothing was thrown');
}
