/** @file `checkpoints`: ids, eviction, and what happens when the newest is damaged. */
import { expect } from 'chai';
import {
  checkpoints,
  memoryStore,
  serializeCheckpoint,
  tensor,
  type CheckpointStore,
  type Diagnostic,
  type EinstreamError,
  type Tensor,
} from '../../../src/index.js';
import { CHECKPOINT } from '../../../src/stream/checkpoint/checkpoint.js';
import { seal } from '../../../src/stream/checkpoint/format/envelope.js';
import { thrownBy } from '../../support/thrownBy.js';

const failure = (promise: Promise<unknown>): Promise<EinstreamError> =>
  promise.then(
    () => {
      throw new Error('nothing was thrown');
    },
    (error: unknown) => error as EinstreamError,
  );

/** A store in memory whose bytes can be reached. */
function openStore(kept = new Map<string, Uint8Array>()): CheckpointStore & { readonly kept: Map<string, Uint8Array> } {
  let last = 0;
  return {
    kept,
    list: () => [...kept.keys()],
    read: (id) => kept.get(id),
    write: (bytes) => (kept.set(`c${++last}`, bytes), `c${last}`),
    remove: (id) => void kept.delete(id),
  };
}
const flip = (store: { readonly kept: Map<string, Uint8Array> }, id: string): void => void (store.kept.get(id)![40] ^= 1);

describe('checkpoints', () => {
  it('saves, restores, lists and clears; two are kept by default (F069)', async () => {
    const saved = checkpoints(memoryStore());
    expect(await saved.latest()).to.equal(undefined);
    const ids: string[] = [];
    for (const position of [1, 2, 3]) ids.push(await saved.save({ position, w: tensor([position]) }));
    expect(await saved.list()).to.deep.equal(ids.slice(1));
    expect((await saved.restore(ids[1]))['position']).to.equal(2);
    const { id, checkpoint } = (await saved.latest())!;
    expect([id, (checkpoint['w'] as Tensor).toArray()]).to.deep.equal([ids[2], [3]]);
    await saved.clear();
    expect([await saved.list(), await saved.latest()]).to.deep.equal([[], undefined]);
  });

  it('keeps as many as asked, and gives no id twice: not after eviction, not after clear (F069)', async () => {
    const saved = checkpoints(memoryStore(), { keep: 3 });
    const given: string[] = [];
    const values = new Map<string, number>();
    for (let k = 0; k < 10; k++) {
      const id = await saved.save({ k });
      expect(given).to.not.include(id);
      given.push(id);
      values.set(id, k);
      for (const each of await saved.list()) expect((await saved.restore(each))['k']).to.equal(values.get(each));
      if (k === 6) await saved.clear();
      expect(await saved.list()).to.deep.equal(k < 6 ? given.slice(-3) : given.slice(Math.max(7, k - 2)));
    }
    expect((await failure(saved.restore('1'))).code).to.equal('E_NAME');
  });

  it('falls back from a damaged one to the one before, with a warning (F069)', async () => {
    const store = openStore();
    const told: Diagnostic[] = [];
    const saved = checkpoints(store, { onDiagnostic: (diagnostic) => told.push(diagnostic) });
    await saved.save({ k: 1 });
    await saved.save({ k: 2 });
    flip(store, 'c2');
    expect((await saved.latest())?.id).to.equal('c1');
    expect(told.map(({ severity, code, context }) => [severity, code, context.at(-1)])).to.deep.equal([
      ['warning', 'E_CKPT_CORRUPT', 'checkpoint c2 was left out; c1 is used'],
    ]);
    expect((await failure(saved.restore('c2'))).code).to.equal('E_CKPT_CORRUPT');
    // The damaged one does not count: what was fallen back to stays until there are two that are whole.
    await saved.save({ k: 3 });
    expect(await saved.list()).to.deep.equal(['c1', 'c3']);
  });

  it('says so when all are damaged, and does not begin anew by itself', async () => {
    const store = openStore();
    const saved = checkpoints(store);
    await saved.save({ k: 1 });
    await saved.save({ k: 2 });
    for (const id of ['c1', 'c2']) flip(store, id);
    const error = await failure(saved.latest());
    expect([error.code, error.diagnostic.related.length]).to.deep.equal(['E_CKPT_CORRUPT', 2]);
  });

  it('does not roll back what a newer version wrote (C7)', async () => {
    const store = openStore();
    const saved = checkpoints(store);
    await saved.save({ k: 1 });
    store.kept.set('newer', seal({ ...CHECKPOINT, version: 2 }, '{}', []));
    expect((await failure(saved.latest())).code).to.equal('E_CKPT_VERSION');
  });

  it('looks again when another writer removed what was listed', async () => {
    const store = openStore();
    const saved = checkpoints(store);
    await saved.save({ k: 1 });
    let isFirst = true;
    const raced: CheckpointStore = {
      ...store,
      read(id) {
        if (isFirst) {
          isFirst = false;
          store.kept.set('c9', serializeCheckpoint({ k: 9 }));
          store.kept.delete('c1');
        }
        return store.kept.get(id);
      },
    };
    expect((await checkpoints(raced).latest())?.id).to.equal('c9');
    const lying = { ...store, read: () => undefined };
    expect((await failure(checkpoints(lying).latest())).code).to.equal('E_CKPT_IO');
  });

  it('keeps what it has when a write fails, and gives the failure of a store of others a name (C8)', async () => {
    const store = openStore();
    const cause = new Error('disk full');
    const saved = checkpoints(store);
    await saved.save({ k: 1 });
    const broken = checkpoints({ ...store, write: () => Promise.reject(cause) });
    const error = await failure(broken.save({ k: 2 }));
    expect([error.code, error.cause]).to.deep.equal(['E_CKPT_IO', cause]);
    expect((await broken.latest())?.checkpoint['k']).to.equal(1);
    const throwing = () => {
      throw cause;
    };
    for (const call of ['list', 'read', 'remove'] as const) {
      const each = checkpoints({ ...store, [call]: throwing });
      expect((await failure(call === 'remove' ? each.clear() : each.latest())).code, call).to.equal('E_CKPT_IO');
    }
  });

  it('makes an error of a listener that throws', async () => {
    const store = openStore();
    const saved = checkpoints(store, {
      onDiagnostic: () => {
        throw new Error('no ears');
      },
    });
    await saved.save({ k: 1 });
    await saved.save({ k: 2 });
    flip(store, 'c2');
    expect((await failure(saved.latest())).code).to.equal('E_CONSUMER');
  });

  it('refuses what is no store, and options that are none, at the call', () => {
    for (const store of [undefined, null, {}, 'folder', { list: () => [] }])
      expect(thrownBy(() => checkpoints(store as never)).code).to.equal('E_ARGUMENT');
    for (const keep of [0, -1, 1.5, NaN, '2', Infinity])
      expect(thrownBy(() => checkpoints(memoryStore(), { keep: keep as never })).code).to.equal('E_ARGUMENT');
    expect(thrownBy(() => checkpoints(memoryStore(), { limits: { bytes: -1 } })).code).to.equal('E_ARGUMENT');
  });
});
