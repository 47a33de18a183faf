/** @file A machine that stops: what was not synced may be lost, in any combination (C2). */
import { expect } from 'chai';
import { checkpoints, zeros } from '../../src/index.js';
import { storeOver } from '../../src/node/directory-store.js';
import type { Files } from '../../src/node/files.js';
import { propertyRuns, propertySeed } from '../support/property.js';

const PAGE = 4096;

type Change = { readonly at: number } & (
  | { readonly what: 'page'; readonly path: string; readonly offset: number; readonly bytes: Uint8Array }
  | { readonly what: 'name'; readonly path: string; readonly file: string | undefined }
);

/**
 * A folder in memory that remembers what is safe. Pages and names are changes; a sync of a file makes its pages safe, one of the
 * folder its names. After a stop at moment `t` any subset of the changes that are not safe may have happened.
 */
function losingFiles() {
  const changes: Change[] = [];
  /** Moments of syncs: of a file by the name that it was made under, of the folder as ''. */
  const syncs: { readonly at: number; readonly what: string }[] = [];
  const names = new Map<string, string>();
  const contents = new Map<string, Uint8Array>();
  let now = 0;
  const files: Files = {
    makeFolder: () => Promise.resolve(),
    list: () => Promise.resolve([...names.keys()].map((path) => path.slice(path.lastIndexOf('/') + 1))),
    read: (path) => Promise.resolve(names.has(path) ? contents.get(names.get(path)!) : undefined),
    writeNew(path, bytes) {
      names.set(path, path);
      contents.set(path, bytes.slice());
      changes.push({ what: 'name', at: now++, path, file: path });
      for (let offset = 0; offset < bytes.length; offset += PAGE)
        changes.push({ what: 'page', at: now++, path, offset, bytes: bytes.slice(offset, offset + PAGE) });
      syncs.push({ at: now++, what: path });
      return Promise.resolve();
    },
    rename(from, to) {
      const file = names.get(from)!;
      names.delete(from);
      names.set(to, file);
      // One change, as a journal makes it.
      changes.push({ what: 'name', at: now, path: to, file }, { what: 'name', at: now++, path: from, file: undefined });
      return Promise.resolve();
    },
    syncFolder() {
      syncs.push({ at: now++, what: '' });
      return Promise.resolve();
    },
    remove(path) {
      if (names.delete(path)) changes.push({ what: 'name', at: now++, path, file: undefined });
      return Promise.resolve();
    },
  };
  /** The folder after a stop at `t`, where `isLost` decides over each change that is not safe. */
  const after = (t: number, isLost: (at: number) => boolean): Files => {
    const safe = (change: Change) =>
      syncs.some(({ at, what }) => at < t && at > change.at && what === (change.what === 'page' ? change.path : ''));
    const [found, bytes] = [new Map<string, string>(), new Map<string, Uint8Array>()];
    for (const change of changes.filter((each) => each.at < t && (safe(each) || !isLost(each.at)))) {
      if (change.what === 'name') {
        if (change.file === undefined) found.delete(change.path);
        else found.set(change.path, change.file);
      } else {
        const old = bytes.get(change.path) ?? new Uint8Array(0);
        const grown = new Uint8Array(Math.max(old.length, change.offset + change.bytes.length));
        grown.set(old);
        grown.set(change.bytes, change.offset);
        bytes.set(change.path, grown);
      }
    }
    return {
      ...files,
      list: () => Promise.resolve([...found.keys()].map((path) => path.slice(path.lastIndexOf('/') + 1))),
      read: (path) => Promise.resolve(found.has(path) ? (bytes.get(found.get(path)!) ?? new Uint8Array(0)) : undefined),
    };
  };
  return { files, after, now: () => now };
}

describe('a machine that stops while checkpoints are written', () => {
  it('leaves the last that was safe, or a newer one: every moment, random subsets of pages and names lost (C2)', async () => {
    const disk = losingFiles();
    const saved = checkpoints(storeOver(disk.files, '/disk'));
    const safeSince: number[] = [];
    for (let k = 1; k <= 4; k++) {
      await saved.save({ k, w: zeros([5_000]) });
      safeSince.push(disk.now());
    }
    let x = propertySeed() | 1;
    const random = () => ((x = (Math.imul(x, 1_664_525) + 1_013_904_223) >>> 0), x / 2 ** 32);
    const subsets = propertyRuns(10, 100, 1_000);
    let states = 0;
    for (let t = 0; t <= disk.now(); t++) {
      const least = safeSince.filter((at) => at <= t).length;
      for (let round = 0; round < subsets; round++) {
        // All that is not safe is lost, nothing is, or each with its own chance.
        const [chance, lost] = [random(), new Map<number, boolean>()];
        const isLost = (at: number) => {
          if (round < 2) return round === 0;
          if (!lost.has(at)) lost.set(at, random() < chance);
          return lost.get(at)!;
        };
        const found = await checkpoints(storeOver(disk.after(t, isLost), '/disk'))
          .latest()
          .catch((error: unknown) => (least === 0 ? undefined : Promise.reject(error as Error)));
        expect((found?.checkpoint['k'] as number | undefined) ?? 0, `moment ${t}`).to.be.at.least(least);
        states++;
      }
    }
    console.log(`    ${states} disks after a stop, ${disk.now()} moments: none without its last safe checkpoint`);
  });
});
