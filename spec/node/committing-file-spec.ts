/** @file `committingFile`: outputs in a file, cut where they were committed. */
import { expect } from 'chai';
import { appendFileSync, existsSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { lastValueFrom, map, take } from 'rxjs';
import { checkpointed, memoryStore, type CheckpointStore } from '../../src/index.js';
import { committingFile, directoryStore } from '../../src/node.js';
import { thrownBy } from '../support/thrownBy.js';
import { failure, folders } from './folder.js';

describe('committingFile', () => {
  const folder = folders();
  const file = () => join(folder(), 'outputs.txt');
  const text = () => readFileSync(file(), 'utf8');
  const squares = (store: CheckpointStore, sink = committingFile(file())) =>
    checkpointed({
      source: (position) => [0, 1, 2, 3, 4, 5].slice(position),
      through: () => map((x: number) => `${x * x}\n`),
      sink,
      store,
      every: 2,
    });

  it('holds what was written when the job is done, texts as UTF-8 and bytes as they are', async () => {
    const sink = committingFile(file());
    await sink.open(undefined);
    const bytes = Uint8Array.of(0, 255);
    for (const [k, value] of ['é', bytes, '😀', ''].entries()) await sink.write(value, k);
    bytes.fill(7);
    expect(await sink.commit()).to.equal(8);
    await sink.close!();
    expect(readFileSync(file())).to.deep.equal(Buffer.from([...Buffer.from('é'), 0, 255, ...Buffer.from('😀')]));
  });

  it('goes back to its mark: what came after it is gone, and what follows is written there (C13)', async () => {
    const store = directoryStore(join(folder(), 'checkpoints'));
    await lastValueFrom(squares(store).pipe(take(2)));
    appendFileSync(file(), 'written by a run that was killed\n');
    expect((await lastValueFrom(squares(store))).outputs).to.equal(6);
    expect(text()).to.equal('0\n1\n4\n9\n16\n25\n');
  });

  it('is emptied where there is no checkpoint', async () => {
    writeFileSync(file(), 'of another job');
    await lastValueFrom(squares(memoryStore()));
    expect(text()).to.equal('0\n1\n4\n9\n16\n25\n');
  });

  it('refuses to go on when it is shorter than what was committed', async () => {
    const store = memoryStore();
    await lastValueFrom(squares(store).pipe(take(2)));
    truncateSync(file(), 3);
    const error = await failure(lastValueFrom(squares(store)));
    expect([error.code, error.diagnostic.expected, error.diagnostic.actual]).to.deep.equal([
      'E_CKPT_CORRUPT',
      'at least 8 bytes',
      '3',
    ]);
    expect(text(), 'and changes nothing').to.have.length(3);
  });

  it('takes no other mark, no other outputs and no other path than it says', async () => {
    for (const path of ['', 'a\0b', undefined, 7])
      expect(thrownBy(() => committingFile(path as never)).code).to.equal('E_ARGUMENT');
    for (const mark of [-1, 1.5, '8', null, {}])
      expect((await failure(committingFile(file()).open(mark) as Promise<void>)).code).to.equal('E_ARGUMENT');
    for (const value of [7, null, {}, undefined])
      expect(thrownBy(() => committingFile(file()).write(value as never, 0)).code).to.equal('E_ARGUMENT');
    const nowhere = squares(memoryStore(), committingFile(join(folder(), 'none', 'outputs.txt')));
    expect((await failure(lastValueFrom(nowhere))).code).to.equal('E_CKPT_IO');
    expect((await failure(lastValueFrom(squares(memoryStore(), committingFile(folder()))))).code).to.equal('E_CKPT_IO');
  });

  it('is E_CKPT_IO where what is there cannot be cut, as /dev/full', async function () {
    if (!existsSync('/dev/full')) {
      console.log('    skipped: /dev/full is not there');
      this.skip();
    }
    const sink = committingFile('/dev/full');
    expect((await failure(Promise.resolve(sink.open(undefined)))).code).to.equal('E_CKPT_IO');
    await sink.close!();
  });

  it('holds its source back when a megabyte waits', async () => {
    const sink = committingFile(file());
    await sink.open(undefined);
    expect(sink.write('x'.repeat(2 ** 20 - 1), 0)).to.equal(undefined);
    const written = sink.write('y', 1);
    expect(written).to.be.a('promise');
    await written;
    expect(text().length, 'without a commit').to.equal(2 ** 20);
    await sink.close!();
  });
});
