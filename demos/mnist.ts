/**
 * @file Learning to read digits: a network of 784, 128 and 10 units is trained from nothing on a stream of real digits.
 *
 *     npm run demo:mnist -- [--seed 1 | --seeds 1-5] [--epochs 10] [--fresh] [--folder DIR]
 *
 * It is graded on 1,000 digits that it has never seen. Ctrl-C saves all of it; starting again goes on from there, bit for bit, as
 * if nothing had been; `--fresh` forgets what was saved. Shuffled batches → `train` → steps, on `wasm`.
 */
import { parseArgs } from 'node:util';
import { concatMap, from, fromEvent, lastValueFrom, map, shareReplay, startWith, take, takeWhile, tap, toArray } from 'rxjs';
import { wasm } from '../src/index.js';
import { checkpointIn } from './mnist/checkpoint.js';
import { readDigits } from './mnist/digits.js';
import { grader } from './mnist/learn.js';
import { screen } from './mnist/screen.js';
import { course } from './mnist/seed.js';

const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    seeds: { type: 'string', default: '1-5' },
    epochs: { type: 'string', default: '10' },
    fresh: { type: 'boolean', default: false },
    folder: { type: 'string', default: '.cache/mnist' },
  },
});
const [first, last = first] = (values.seed ?? values.seeds).split('-').map(Number);
const epochs = Number(values.epochs);
if (![first, last, epochs].every(Number.isSafeInteger) || last < first || epochs < 1)
  throw new Error('--seed and --epochs are integers, and --seeds two with a dash between: --seeds 1-5 --epochs 10');
const seeds = Array.from({ length: last - first + 1 }, (_, k) => first + k);

// The first Ctrl-C is ours; the second one ends the process, as always.
const stopping$ = fromEvent(process, 'SIGINT').pipe(
  take(1),
  map(() => true),
  startWith(false),
  shareReplay({ bufferSize: 1, refCount: false }),
);
stopping$.subscribe();

const { known, unseen } = readDigits();
const backend = await wasm();
const grade = grader(unseen, backend);
const shown = screen();
const results = await lastValueFrom(
  from(seeds).pipe(
    concatMap((seed) => {
      const checkpoint = checkpointIn(values.folder, `seed-${seed}.state`);
      if (values.fresh) checkpoint.remove();
      return course({ seed, epochs, known, backend, grade, checkpoint, screen: shown, stopping$ });
    }),
    takeWhile(({ isStopped }) => !isStopped, true),
    tap((end) => end.isStopped || shown.ends(end)),
    toArray(),
  ),
);
await backend.close();

if (results.some(({ isStopped }) => isStopped)) process.exitCode = 130;
else {
  const mean = results.reduce((sum, { accuracy }) => sum + accuracy, 0) / results.length;
  const seconds = results.map((each) => each.seconds.toFixed(1)).join(', ');
  console.log(
    `  mean    ${(100 * mean).toFixed(1).padStart(4)} %  of ${unseen.count.toLocaleString('en-US')} digits that training has not seen; ${seconds} s of processor time`,
  );
}
