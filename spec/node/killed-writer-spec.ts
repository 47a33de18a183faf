/** @file A writer of checkpoints that is killed at random, again and again: the newest that was safe is there, or the one after it (L5). */
import { expect } from 'chai';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { asked } from '../support/asked.js';
import { bundleTo } from '../support/bundled.js';
import { isLarge, propertyRuns, propertySeed } from '../support/property.js';

const KILLS = propertyRuns(4, 100, 10_000);
const BYTES = 65_536;

if (isLarge())
  describe('a writer of checkpoints that is killed at random (L5) (C1)', function () {
    this.timeout(0);
    let folder: string;
    before(() => (folder = mkdtempSync(join(tmpdir(), 'einstream-writer-'))));
    after(() => rmSync(folder, { recursive: true, force: true }));

    it(`is found at its last safe checkpoint or the one after it, whole: ${KILLS.toLocaleString('en')} kills`, async () => {
      const program = join(folder, 'loop.mjs');
      bundleTo(program, 'spec/support/children/checkpointLoop.ts');
      const place = join(folder, 'checkpoints');
      let random = propertySeed();
      const next = (): number => (random = (Math.imul(random, 1_103_515_245) + 12_345) >>> 0) / 2 ** 32;
      const counts = { unreadable: 0, undetected: 0, back: 0, ahead: 0, safe: 0 };
      let safe = 0;
      for (let kill = 0; kill < KILLS; kill++) {
        const child = asked(process.execPath, [program, place, String(BYTES)]);
        for (let line = await child.next(); ; line = await child.next()) {
          if (line === undefined) throw new Error('the writer ended by itself');
          if ('damaged' in line) counts.unreadable++;
          if ('start' in line) {
            const { start, isWhole } = line as { readonly start: number; readonly isWhole: boolean };
            if (!isWhole || start > safe + 1) counts.undetected++;
            if (start < safe) counts.back++;
            if (start === safe + 1) counts.ahead++;
            safe = start;
            break;
          }
        }
        setTimeout(() => child.child.kill('SIGKILL'), 40 * next());
        for (let line = await child.next(); line !== undefined; line = await child.next()) {
          safe = line['safe'] as number;
          counts.safe++;
        }
        await child.end();
        if ((kill + 1) % 1_000 === 0) console.log(`    ${kill + 1} of ${KILLS} kills: ${JSON.stringify(counts)}`);
      }
      console.log(
        `    ${KILLS} kills, ${counts.safe} checkpoints: ${counts.unreadable} unreadable, ${counts.undetected} undetected, ` +
          `${counts.back} times rolled back beyond what was safe, ${counts.ahead} times safe before it could be said`,
      );
      expect([counts.unreadable, counts.undetected, counts.back]).to.deep.equal([0, 0, 0]);
      expect(counts.safe).to.be.greaterThan(0);
      // What the last one left half-written the next one removes.
      expect(readdirSync(place).filter((name) => name.endsWith('.tmp')).length).to.be.at.most(1);
    });
  });
