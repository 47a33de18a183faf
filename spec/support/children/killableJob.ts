/**
 * @file A job that may be killed at any time: sums of so many numbers, written to a file a line each. `folder count every`.
 */
import { join } from 'node:path';
import { defer, map, type OperatorFunction } from 'rxjs';
import { checkpointed, type KeptState } from '../../../src/index.js';
import { committingFile, directoryStore } from '../../../src/node.js';

const [folder, count, every] = [process.argv[2], Number(process.argv[3]), Number(process.argv[4])];

/** A state of three numbers: a sum, a random stream, and how many items it has seen. */
type State = readonly [sum: number, random: number, seen: number];
const mixing =
  ({ from = [0, 1, 0], state }: KeptState<State>): OperatorFunction<number, string> =>
  (numbers$) =>
    defer(() => {
      let [sum, random, seen] = from;
      state(() => [sum, random, seen]);
      return numbers$.pipe(
        map((x) => {
          random = (Math.imul(random, 1_664_525) + 1_013_904_223) >>> 0;
          sum += x * (random % 7);
          return `${++seen} ${x} ${sum} ${random}\n`;
        }),
      );
    });

console.log('ready');
checkpointed({
  source: function* (position) {
    for (let k = position; k < count; k++) yield k;
  },
  through: ({ keep }) => mixing(keep<State>('mixing')),
  sink: committingFile(join(folder, 'outputs.txt')),
  store: directoryStore(join(folder, 'checkpoints')),
  every,
}).subscribe({
  error(error: unknown) {
    console.error(error);
    process.exitCode = 1;
  },
  complete: () => console.log('done'),
});
