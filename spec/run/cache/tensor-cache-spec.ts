/** @file `tensorCache`: bounded in bytes, by four policies, each with a known victim (F071, F072). */
import { expect } from 'chai';
import fc from 'fast-check';
import { tensor, tensorCache, zeros, type EvictionPolicy } from '../../../src/index.js';
import { propertyRuns, propertySeed } from '../../support/property.js';
import { thrownBy } from '../../support/thrownBy.js';

/** Room for three tensors of one element. */
const three = (policy: EvictionPolicy) => tensorCache({ maxBytes: 12, policy });
const one = tensor([1]);

/** Keys inserted (`a`), asked for (`a?`) or removed (`a-`), and those that are there at the end. */
function after(policy: EvictionPolicy, script: string): string {
  const cache = three(policy);
  for (const act of script.split(' ')) {
    if (act.endsWith('?')) cache.get(act[0]);
    else if (act.endsWith('-')) cache.remove(act[0]);
    else cache.insert(act, one);
  }
  return [...'abcdef'].filter((key) => cache.contains(key)).join('');
}

describe('an eviction policy (F072)', () => {
  it('lru: who was used least recently goes', () => {
    expect(after('lru', 'a b c d')).to.equal('bcd');
    expect(after('lru', 'a b c a? d')).to.equal('acd');
    expect(after('lru', 'a b c a? b? d e')).to.equal('bde');
    expect(after('lru', 'a b c a d'), 'replacing is a use').to.equal('acd');
  });

  it('fifo: who came first goes, used or not', () => {
    expect(after('fifo', 'a b c a? a? d')).to.equal('bcd');
    expect(after('fifo', 'a b c a d'), 'replacing keeps the place').to.equal('bcd');
    expect(after('fifo', 'a b c a- a d')).to.equal('acd');
  });

  it('lfu: who was used least often goes; of equals, the oldest', () => {
    expect(after('lfu', 'a b c a? c? d')).to.equal('acd');
    expect(after('lfu', 'a b c d'), 'all alike').to.equal('bcd');
    expect(after('lfu', 'a b c a? a? b? b? c? d'), 'c is used least').to.equal('abd');
    expect(after('lfu', 'a b c a? b? c? d'), 'all used once').to.equal('bcd');
    expect(after('lfu', 'a a? a? a- b c d e'), 'counts go with the entry').to.equal('cde');
    expect(after('lfu', 'a b c a? b? c? c- d e'), 'd is new, and used least').to.equal('abe');
  });

  it('none: nobody goes, and what finds no room is refused', () => {
    expect(after('none', 'a b c d')).to.equal('abc');
    expect(after('none', 'a b c b- d')).to.equal('acd');
    const cache = three('none');
    for (const key of 'abc') cache.insert(key, one);
    expect(cache.insert('d', one)).to.equal(false);
    expect(cache.insert('a', tensor([9]))).to.equal(true);
    expect(cache.insert('a', tensor([9, 9]))).to.equal(false);
    expect(cache.get('a')!.toArray()).to.deep.equal([9]);
    expect(cache.stats()).to.include({ evictions: 0, refused: 2, entries: 3 });
  });

  it('behaves like a list that is searched: random scripts, every policy', () => {
    const act = fc.record({ key: fc.nat(9), kind: fc.constantFrom('set', 'set', 'get', 'get', 'remove'), size: fc.integer({ min: 0, max: 4 }) }); // prettier-ignore
    fc.assert(
      fc.property(fc.constantFrom('lru', 'fifo', 'lfu'), fc.array(act, { maxLength: 60 }), (policy, acts) => {
        const cache = tensorCache({ maxBytes: 12, policy: policy as EvictionPolicy });
        let list: { key: number; bytes: number; count: number; at: number }[] = [];
        let now = 0;
        const use = (entry: (typeof list)[number]): void => {
          entry.count++;
          if (policy !== 'fifo') entry.at = ++now;
        };
        for (const { key, kind, size } of acts) {
          const held = list.find((entry) => entry.key === key);
          const bytes = 4 * size;
          if (kind === 'get') {
            expect(cache.get(`${key}`) !== undefined).to.equal(held !== undefined);
            if (held !== undefined) use(held);
          } else if (kind === 'remove') {
            expect(cache.remove(`${key}`)).to.equal(held !== undefined);
            list = list.filter((entry) => entry !== held);
          } else if (bytes > 12) expect(cache.insert(`${key}`, zeros([size]))).to.equal(false);
          else {
            expect(cache.insert(`${key}`, zeros([size]))).to.equal(true);
            const total = list.reduce((sum, entry) => sum + entry.bytes, 0);
            if (held !== undefined && total - held.bytes + bytes <= 12) {
              held.bytes = bytes;
              use(held);
              continue;
            }
            list = list.filter((entry) => entry !== held);
            while (list.reduce((sum, entry) => sum + entry.bytes, 0) + bytes > 12) {
              const [victim] = [...list].sort((a, b) => (policy === 'lfu' ? a.count - b.count : 0) || a.at - b.at);
              list = list.filter((entry) => entry !== victim);
            }
            list.push({ key, bytes, count: 0, at: ++now });
          }
        }
        const keys = list.map(({ key }) => key).sort();
        expect(Array.from({ length: 10 }, (_, k) => k).filter((key) => cache.contains(`${key}`))).to.deep.equal(keys);
        expect(cache.stats().bytes).to.equal(list.reduce((sum, entry) => sum + entry.bytes, 0));
      }),
      { seed: propertySeed(), numRuns: propertyRuns(200, 5_000, 100_000) },
    );
  });

  it('holds many entries: 20,000 of 60,000 stay', () => {
    for (const policy of ['lru', 'fifo', 'lfu'] as const) {
      const cache = tensorCache({ maxBytes: 4 * 20_000, policy });
      for (let at = 0; at < 60_000; at++) cache.insert(`${at}`, one);
      expect(cache.stats()).to.include({ entries: 20_000, evictions: 40_000 });
    }
  });
});

describe('a tensor cache (F071)', () => {
  it('takes 1,000 for 1,000 megabytes where megabytes are asked', () => {
    const cache = tensorCache({ maxMegabytes: 0.000_008 });
    expect([cache.insert('a', zeros([2])), cache.insert('b', zeros([3]))]).to.deep.equal([true, false]);
  });

  it('refuses a tensor over its limit at once, and nothing else changes', () => {
    const cache = three('lru');
    for (const key of 'abc') cache.insert(key, one);
    const before = cache.stats();
    expect(cache.insert('d', zeros([4]))).to.equal(false);
    expect(cache.insert('a', zeros([4]))).to.equal(false);
    expect(cache.stats()).to.deep.equal({ ...before, refused: 2 });
    expect(cache.get('a')).to.equal(one);
  });

  it('evicts nobody when a key gets another tensor of the same size, and only as many as it must for a larger one', () => {
    const cache = three('lru');
    for (const key of 'abc') cache.insert(key, one);
    cache.insert('b', tensor([2]));
    expect(cache.stats()).to.include({ evictions: 0, entries: 3, bytes: 12 });
    cache.insert('c', tensor([3, 3]));
    expect(['a', 'b', 'c'].filter((key) => cache.contains(key))).to.deep.equal(['b', 'c']);
    expect(cache.stats()).to.include({ evictions: 1, bytes: 12 });
  });

  it('counts hits, misses, evictions, bytes and the peak; its rate is 0 when unused', () => {
    const cache = three('lru');
    expect(cache.stats()).to.deep.equal({
      hits: 0,
      misses: 0,
      evictions: 0,
      entries: 0,
      bytes: 0,
      peak: 0,
      hitRate: 0,
      refused: 0,
    });
    cache.insert('a', tensor([1, 2]));
    cache.get('a');
    cache.get('a');
    cache.get('b');
    cache.contains('b');
    cache.remove('a');
    cache.insert('c', one);
    expect(cache.stats()).to.deep.equal({
      hits: 2,
      misses: 1,
      evictions: 0,
      entries: 1,
      bytes: 4,
      peak: 8,
      hitRate: 2 / 3,
      refused: 0,
    });
    cache.clear();
    expect(cache.stats()).to.include({ entries: 0, bytes: 0, peak: 8 });
    expect(cache.remove('c')).to.equal(false);
  });

  it('holds tensors without elements, of which there is always room', () => {
    const cache = tensorCache({ maxBytes: 0 });
    expect(cache.insert('a', zeros([0, 3]))).to.equal(true);
    expect(cache.insert('b', one)).to.equal(false);
  });

  it('is refused other options, and other values than tensors', () => {
    const wrong: readonly object[] = [
      { maxBytes: -1 },
      { maxBytes: NaN },
      { maxBytes: 1, maxMegabytes: 1 },
      { policy: 'mru' },
      { max: 3 },
    ];
    for (const options of wrong)
      expect(thrownBy(() => tensorCache(options)).code, JSON.stringify(options)).to.equal('E_ARGUMENT');
    expect(thrownBy(() => tensorCache().insert('a', [1] as never)).code).to.equal('E_ARGUMENT');
  });
});
