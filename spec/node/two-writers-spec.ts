/** @file Two processes that write checkpoints into one folder: each checkpoint is one writer's, whole, and nobody loses the newest (C11). */
import { expect } from 'chai';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkpoints, type Tensor } from '../../src/index.js';
import { directoryStore } from '../../src/node.js';
import { asked } from '../support/asked.js';
import { bundleTo } from '../support/bundled.js';
import { isLarge, propertyRuns } from '../support/property.js';

/** A writer's own number of bytes tells whose a checkpoint is. */
const BYTES = [4_000, 80_000];

if (isLarge())
  describe('two processes that write checkpoints in one folder (C11)', function () {
    this.timeout(0);
    let folder: string;
    before(() => (folder = mkdtempSync(join(tmpdir(), 'einstream-two-'))));
    after(() => rmSync(folder, { recursive: true, force: true }));

    it('never mix: each id is given once, what is there is whole and of one of them, and the newest is never older than it was', async () => {
      const program = join(folder, 'writer.mjs');
      bundleTo(program, 'spec/support/children/checkpointWriter.ts');
      const place = join(folder, 'checkpoints');
      const rounds = propertyRuns(20, 300, 3_000);
      const writers = BYTES.map(() => asked(process.execPath, [program, place]));
      for (const writer of writers) await writer.next();
      const ids: string[] = [];
      let [torn, looks] = [0, 0];
      const saved = checkpoints(directoryStore(place));
      const write = async (who: number): Promise<void> => {
        for (let k = 0; k < rounds; k++) {
          const answer = await writers[who].ask(`save ${2 * k + who} ${BYTES[who]}`);
          ids.push(answer!['id'] as string);
        }
      };
      let isWriting = true;
      const look = async (): Promise<void> => {
        for (let newest = ''; isWriting; looks++) {
          const found = await saved.latest();
          if (found === undefined) continue;
          const { k, rest } = found.checkpoint as { readonly k: number; readonly rest: Tensor };
          if (4 * rest.size !== BYTES[k % 2]) torn++;
          expect(found.id >= newest, `${found.id} after ${newest}`).to.equal(true);
          newest = found.id;
        }
      };
      const looking = look();
      await Promise.all([write(0), write(1)]);
      isWriting = false;
      await looking;
      await Promise.all(writers.map((writer) => writer.end()));
      console.log(`    ${ids.length} checkpoints by two processes, ${looks} looks meanwhile: ${torn} torn`);
      expect([new Set(ids).size, torn]).to.deep.equal([2 * rounds, 0]);
      expect(looks).to.be.greaterThan(0);
      const left = await saved.list();
      expect(left.at(-1)).to.equal([...ids].sort().at(-1));
      for (const id of left) expect(await saved.restore(id)).to.have.property('k');
      expect(readdirSync(place).filter((name) => name.endsWith('.tmp'))).to.deep.equal([]);
    });
  });
