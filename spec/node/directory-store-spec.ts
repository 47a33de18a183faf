/** @file `directoryStore`: one file a checkpoint, in its folder and nowhere else, of one writer each. */
import { expect } from 'chai';
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkpoints, serializeCheckpoint, tensor, zeros, type Diagnostic, type Tensor } from '../../src/index.js';
import { directoryStore } from '../../src/node.js';
import { propertyRuns } from '../support/property.js';
import { thrownBy } from '../support/thrownBy.js';
import { failure, folders } from './folder.js';

const ID = /^\d{12}-[0-9a-f]{16}$/;

describe('directoryStore', () => {
  const folder = folders();

  it('makes its folder with the first write, and another process of the same folder goes on (F069) (F070)', async () => {
    const place = join(folder(), 'a', 'b');
    const saved = checkpoints(directoryStore(place));
    expect([await saved.latest(), await saved.list(), existsSync(place)]).to.deep.equal([undefined, [], false]);
    const id = await saved.save({ k: 1, w: tensor([1, NaN]) });
    expect(id).to.match(ID);
    const other = checkpoints(directoryStore(place));
    expect(((await other.restore(id))['w'] as Tensor).toArray()).to.deep.equal([1, NaN]);
    const next = await other.save({ k: 2 });
    expect(next > id).to.equal(true);
    expect(await saved.list()).to.deep.equal([id, next]);
    expect(readdirSync(place)).to.deep.equal([`${id}.ckpt`, `${next}.ckpt`]);
    await saved.clear();
    expect(readdirSync(place)).to.deep.equal([]);
    expect(await saved.save({ k: 3 }), 'numbers go on').to.match(/^000000000002-/);
  });

  it('holds the bytes that serializeCheckpoint gives, and nothing else', async () => {
    const checkpoint = { k: 1, w: tensor([1, 2]) };
    const id = await checkpoints(directoryStore(folder())).save(checkpoint);
    expect(new Uint8Array(readFileSync(join(folder(), `${id}.ckpt`)))).to.deep.equal(serializeCheckpoint(checkpoint));
  });

  it('falls back from a file that was cut, emptied or overwritten (C3) (C4)', async () => {
    for (const harm of [
      (path: string) => truncateSync(path, 0),
      (path: string) => truncateSync(path, statSync(path).size - 1),
      (path: string) => writeFileSync(path, 'no checkpoint'),
    ]) {
      const told: Diagnostic[] = [];
      const saved = checkpoints(directoryStore(folder()), { onDiagnostic: (each) => told.push(each) });
      await saved.save({ k: 1 });
      const id = await saved.save({ k: 2 });
      harm(join(folder(), `${id}.ckpt`));
      expect((await saved.latest())?.checkpoint['k']).to.equal(1);
      expect(told.map(({ severity }) => severity)).to.deep.equal(['warning']);
      await saved.clear();
    }
  });

  it('reads no name that it did not give: nothing leads out of the folder (C10)', async () => {
    writeFileSync(join(folder(), 'secret.ckpt'), 'x');
    mkdirSync(join(folder(), 'in'));
    const saved = checkpoints(directoryStore(join(folder(), 'in')));
    const id = await saved.save({ k: 1 });
    const names = ['..', '.', '', '../secret', '/etc/passwd', `../in/${id}`, `${id}/..`, `${id}\0`, id.toUpperCase(), `${id}.ckpt`, 'x'.repeat(300), `./${id}`, '__proto__', 'C:\\x', `${id}\n`, ' ', id.slice(1), undefined, null, 7, {}, [id]]; // prettier-ignore
    for (const name of names.filter((each) => each !== id)) {
      const text = JSON.stringify(name);
      expect((await failure(saved.restore(name as never))).code, text).to.equal('E_NAME');
      expect((await failure(Promise.resolve().then(() => directoryStore(folder()).remove(name as never)))).code).to.equal(
        'E_NAME',
      );
    }
    expect(readFileSync(join(folder(), 'secret.ckpt'), 'utf8')).to.equal('x');
    const gone = `${id.slice(0, -1)}${id.endsWith('0') ? '1' : '0'}`;
    expect((await failure(saved.restore(gone))).message).to.match(/a checkpoint is there under its id/);
  });

  it('leaves alone what is not its own, and follows no link (C10)', async () => {
    const place = join(folder(), 'in');
    const saved = checkpoints(directoryStore(place));
    const id = await saved.save({ k: 1 });
    for (const name of ['notes.txt', 'x.ckpt', `${id}.ckpt.bak`, '.x.tmp']) writeFileSync(join(place, name), 'mine');
    const [link, pipe, sub] = ['9', '8', '7'].map((digit) => digit.repeat(12) + '-' + '0'.repeat(16));
    writeFileSync(join(folder(), 'outside'), serializeCheckpoint({ k: 'outside' }));
    symlinkSync(join(folder(), 'outside'), join(place, `${link}.ckpt`));
    expect(await saved.list()).to.deep.equal([id, link]);
    expect((await failure(saved.restore(link))).code).to.equal('E_CKPT_IO');
    mkdirSync(join(place, `${sub}.ckpt`));
    expect((await failure(saved.restore(sub))).code).to.equal('E_CKPT_IO');
    if (spawnSync('mkfifo', [join(place, `${pipe}.ckpt`)]).status === 0)
      expect((await failure(saved.restore(pipe))).message).to.match(/no regular file/);
    await checkpoints(directoryStore(place))
      .clear()
      .catch(() => undefined); // a folder of that name cannot be removed
    for (const name of ['notes.txt', 'x.ckpt', `${id}.ckpt.bak`, '.x.tmp'])
      expect(readFileSync(join(place, name), 'utf8')).to.equal('mine');
    expect(existsSync(join(folder(), 'outside'))).to.equal(true);
  });

  it('is refused where its path is none, and an error where it is a file (C10)', async () => {
    for (const path of ['', 'a\0b', undefined, null, 7, {}])
      expect(thrownBy(() => directoryStore(path as never)).code).to.equal('E_ARGUMENT');
    const file = join(folder(), 'file');
    writeFileSync(file, 'x');
    for (const path of [file, join(file, 'below'), join(folder(), 'x'.repeat(300))]) {
      expect((await failure(checkpoints(directoryStore(path)).save({ k: 1 }))).code).to.equal('E_CKPT_IO');
    }
    expect(readFileSync(file, 'utf8')).to.equal('x');
  });

  it('reads no file that is larger than allowed (limits before allocation)', async () => {
    const id = await checkpoints(directoryStore(folder())).save({ w: zeros([100_000]) });
    const small = checkpoints(directoryStore(folder()), { limits: { bytes: 1000 } });
    expect((await failure(small.restore(id))).code).to.equal('E_LIMIT');
  });

  it('removes what a writer that died left half-written, and nothing of one that lives', async () => {
    const { pid } = spawnSync(process.execPath, ['-e', '']);
    const id = `000000000001-${'0'.repeat(16)}`;
    const birth = Math.round(Date.now() / 1000 - process.uptime());
    const [dead, before] = [`.${id}.${pid}-1.tmp`, `.${id}.${process.pid}-${birth - 100}.tmp`];
    const [ours, others] = [`.${id}.${process.pid}-${birth}.tmp`, `.${id}.${process.ppid}-1.tmp`];
    for (const name of [dead, before, ours, others]) writeFileSync(join(folder(), name), 'half');
    await checkpoints(directoryStore(folder())).save({ k: 1 });
    expect(readdirSync(folder()).filter((name) => name.endsWith('.tmp')).sort()).to.deep.equal([ours, others].sort()); // prettier-ignore
  });

  it('serves two writers at a time: each checkpoint is of one, and none is torn (C11)', async () => {
    const [a, b] = [directoryStore(folder()), directoryStore(folder())].map((store) => checkpoints(store, { keep: 100 }));
    const rounds = propertyRuns(5, 40, 400);
    const write = async (saved: typeof a, who: number) => {
      const ids: string[] = [];
      for (let k = 0; k < Math.min(rounds, 45); k++)
        ids.push(await saved.save({ who, k, w: tensor(new Float32Array(1000).fill(who)) }));
      return ids;
    };
    const [first, second] = await Promise.all([write(a, 1), write(b, 2)]);
    expect(new Set([...first, ...second]).size).to.equal(first.length + second.length);
    for (const [who, ids] of [
      [1, first],
      [2, second],
    ] as const)
      // prettier-ignore
      for (const [k, id] of ids.entries()) {
        const got = await a.restore(id);
        expect([got['who'], got['k']]).to.deep.equal([who, k]);
        expect(((got['w'] as Tensor).data as Float32Array).every((x) => x === who)).to.equal(true);
      }
    expect(execFileSync('ls', ['-A', folder()], { encoding: 'utf8' })).to.not.match(/tmp/);
  });

  it('keeps to two of them while two writers evict each other’s (C11)', async () => {
    const [a, b] = [directoryStore(folder()), directoryStore(folder())].map((store) => checkpoints(store));
    const write = async (saved: typeof a, who: number) => {
      for (let k = 0; k < 8; k++) {
        await saved.save({ who, k });
        expect(await saved.latest()).to.not.equal(undefined);
      }
    };
    await Promise.all([write(a, 1), write(b, 2)]);
    expect(await a.list()).to.have.length(2);
  });
});
