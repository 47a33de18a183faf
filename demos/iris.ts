/**
 * @file Three kinds of iris: a small network learns from 120 flowers and names 30 that it has not seen; five times, so that each
 * of the 150 is unseen once. Then a table of which kind was called what.
 *
 *     npm run demo:iris
 *
 * Flowers → shuffled batches → `train` → steps, and all of it in well under a second.
 */
import { concatMap, lastValueFrom, map, range, toArray } from 'rxjs';
import { FOLDS, flowers, KINDS } from './iris/flowers.js';
import { called } from './iris/learn.js';

const began = process.cpuUsage();
const answers = await lastValueFrom(
  range(0, FOLDS).pipe(
    concatMap((fold) => {
      const { known, unseen } = flowers(fold);
      return called(known, unseen, fold + 1).pipe(
        map((kinds) => kinds.map((kind, row) => ({ kind, wanted: unseen.kinds[row] }))),
      );
    }),
    toArray(),
  ),
);
const { user, system } = process.cpuUsage(began);

const all = answers.flat();
const count = (wanted: number, kind: number): number => all.filter((each) => each.wanted === wanted && each.kind === kind).length;
const right = all.filter(({ kind, wanted }) => kind === wanted).length;
const row = (cells: readonly (string | number)[]): string => cells.map((cell) => String(cell).padStart(12)).join('');
console.log(`What flowers were called by a network that had not seen them

${row(['is \\ called', ...KINDS])}
${KINDS.map((name, wanted) => row([name, ...KINDS.map((_, kind) => count(wanted, kind) || '·')])).join('\n')}

  ${right} of ${all.length} right (${((100 * right) / all.length).toFixed(1)} %), in ${((user + system) / 1e6).toFixed(2)} s of processor time`);
