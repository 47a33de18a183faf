/**
 * @file Last of a page's specs: looks back on what its main thread did.
 */
import { expect } from 'chai';
import { waits } from './start.js';

describe('the main thread of this page', () => {
  it('never blocked in Atomics.wait', () => {
    expect(waits).to.deep.equal([]);
  });
});
