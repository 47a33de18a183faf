/** @file The script of a pool's worker as the build makes it: one file for Node and for pages, which starts soon (L4). */
import { expect } from 'chai';
import { poolWorkerText } from '../../support/builtPool.js';

describe('the script of a worker', () => {
  const text = poolWorkerText();

  it('loads no other file, so that a page, import and require can start it alike', () => {
    expect(text.match(/\brequire\(|\bimport\b.{0,20}["'(]|\bimport\.meta\b|\bexport\s*[{*]/g)).to.equal(null);
  });

  it('says whose code it holds', () => {
    expect(text.slice(0, 200)).to.match(/immer.*MIT License, Copyright/);
  });
});
