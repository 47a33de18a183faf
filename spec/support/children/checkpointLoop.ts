/**
 * @file A program that goes on from its newest checkpoint and saves one after another, as fast as it can: `folder bytes`. It says in a
 * line of JSON where it starts, then each number once it is safe.
 */
import { checkpoints, zeros, type Tensor } from '../../../src/index.js';
import { directoryStore } from '../../../src/node.js';

const [folder, bytes] = [process.argv[2], Number(process.argv[3])];
const saved = checkpoints(directoryStore(folder), { onDiagnostic: ({ code }) => console.log(JSON.stringify({ damaged: code })) });
const found = await saved.latest();
let k = (found?.checkpoint['k'] as number | undefined) ?? 0;
const size = (found?.checkpoint['rest'] as Tensor | undefined)?.size ?? bytes / 4;
console.log(JSON.stringify({ start: k, isWhole: 4 * size === bytes }));
for (;;) {
  await saved.save({ k: ++k, rest: zeros([bytes / 4]) });
  console.log(JSON.stringify({ safe: k }));
}
