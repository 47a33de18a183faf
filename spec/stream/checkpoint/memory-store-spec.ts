/** @file `memoryStore`: it answers at once, and shares no memory with anybody. */
import { expect } from 'chai';
import { checkpoints, memoryStore } from '../../../src/index.js';
import { thrownBy } from '../../support/thrownBy.js';

describe('memoryStore', () => {
  it('keeps copies: who writes to what was given or taken changes nothing', () => {
    const store = memoryStore();
    const bytes = Uint8Array.of(1, 2, 3);
    const id = store.write(bytes) as string;
    bytes.fill(0);
    (store.read(id, 10) as Uint8Array).fill(0);
    expect(store.read(id, 10)).to.deep.equal(Uint8Array.of(1, 2, 3));
  });

  it('counts ids on, and knows nothing of others', () => {
    const store = memoryStore();
    expect([store.write(new Uint8Array(1)), store.write(new Uint8Array(1))]).to.deep.equal(['1', '2']);
    void store.remove('2');
    void store.remove('never');
    expect(store.write(new Uint8Array(1))).to.equal('3');
    expect(store.list()).to.deep.equal(['1', '3']);
    for (const id of ['2', '__proto__', '../1', '']) expect(store.read(id, 10)).to.equal(undefined);
    expect(memoryStore().list()).to.deep.equal([]);
  });

  it('reads no more bytes than are asked for', async () => {
    const store = memoryStore();
    expect(store.read(store.write(new Uint8Array(4)) as string, 4)).to.have.length(4);
    expect(thrownBy(() => store.read('1', 3)).code).to.equal('E_LIMIT');
    await checkpoints(memoryStore(), { limits: { bytes: 100 } }).save({}).then((id) => expect(id).to.equal('1')); // prettier-ignore
  });
});
