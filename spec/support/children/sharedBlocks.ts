/**
 * @file A thread that takes blocks from a shared workspace, marks them as its own, and looks whether the marks stay.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { sharedWorkspace, type SharedBlock } from '../../../src/plan/workspace/shared.js';
import { seeded } from '../seeded.js';

const { buffer, mark, count } = workerData as {
  readonly buffer: SharedArrayBuffer;
  readonly mark: number;
  readonly count: number;
};

const shared = sharedWorkspace(buffer);
const next = seeded(mark);
const held: SharedBlock[] = [];
let broken = 0;

function giveBack(at: number): void {
  const [block] = held.splice(at, 1);
  for (const byte of block.view) if (byte !== mark) broken++;
  shared.release(block);
}

for (let k = 0; k < count; k++) {
  const block = shared.allocate(1 + Math.floor(next() * 300));
  block.view.fill(mark);
  held.push(block);
  if (held.length > 50) giveBack(Math.floor(next() * held.length));
}
while (held.length > 10) giveBack(0);
parentPort!.postMessage({ broken, offsets: held.map(({ offset }) => offset), stats: shared.stats() });
