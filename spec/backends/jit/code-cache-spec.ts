/** @file The cache of code: bounded in entries and bytes, by use. */
import { expect } from 'chai';
import { codeCache, type Entry } from '../../../src/backends/jit/code-cache.js';

interface Named extends Entry {
  readonly name: string;
}

function cacheOf(maxEntries: number, maxBytes = Infinity) {
  const gone: string[] = [];
  const cache = codeCache<Named>(maxEntries, maxBytes, ({ name }) => void gone.push(name));
  const add = (name: string, stamp: number, bytes = 1): Named => {
    const entry = { key: name, name, stamp, bytes };
    cache.add(entry);
    return entry;
  };
  return { cache, gone, add };
}

describe('codeCache (F038)', () => {
  it('lets go of what was used least lately, not of what was added first', () => {
    const { cache, gone, add } = cacheOf(2);
    const a = add('a', 1);
    add('b', 2);
    a.stamp = 3;
    add('c', 4);
    expect(gone).to.deep.equal(['b']);
    expect(cache.get('a')).to.equal(a);
    expect(cache.get('b')).to.equal(undefined);
    expect([cache.size(), cache.bytes()]).to.deep.equal([2, 2]);
  });

  it('keeps to its bytes too, and lets go of as many as it takes', () => {
    const { cache, gone, add } = cacheOf(10, 100);
    for (const [at, name] of ['a', 'b', 'c'].entries()) add(name, at, 30);
    add('d', 9, 70);
    expect(gone).to.deep.equal(['a', 'b']);
    expect(cache.bytes()).to.equal(100);
  });

  it('compares keys in full, and says nothing of what is taken out or put in again', () => {
    const { cache, gone, add } = cacheOf(4);
    for (const name of ['__proto__', 'constructor', '1 23', '12 3']) add(name, 1);
    expect(cache.get('1 23')?.name).to.equal('1 23');
    expect(cache.get('toString')).to.equal(undefined);
    const again = add('1 23', 2, 5);
    cache.remove(cache.get('12 3')!);
    expect(gone).to.deep.equal([]);
    expect([cache.size(), cache.bytes()]).to.deep.equal([3, 7]);
    cache.remove({ ...again });
    expect(cache.get('1 23'), 'another entry of that key is not it').to.equal(again);
  });
});
