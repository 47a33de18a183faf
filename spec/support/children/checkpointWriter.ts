/**
 * @file A program that saves and restores checkpoints in a folder as it is told, a line for each: `save 7 1000` keeps number 7 with 1,000
 * bytes beside it, `latest` looks. It answers with a line of JSON, or dies.
 */
import { createInterface } from 'node:readline';
import { checkpoints, EinstreamError, zeros, type Tensor } from '../../../src/index.js';
import { directoryStore } from '../../../src/node.js';

const saved = checkpoints(directoryStore(process.argv[2]));

async function answer(line: string): Promise<unknown> {
  const [what, k, bytes] = line.split(' ');
  if (what === 'save') return { id: await saved.save({ k: Number(k), rest: zeros([Number(bytes) / 4]) }) };
  const found = await saved.latest();
  return { k: found?.checkpoint['k'] ?? 0, size: (found?.checkpoint['rest'] as Tensor | undefined)?.size };
}

console.log('{"ready":true}');
for await (const line of createInterface(process.stdin)) {
  const said = await answer(line).catch((error: unknown) =>
    error instanceof EinstreamError
      ? { code: error.code, cause: (error.cause as { code?: string } | undefined)?.code }
      : { strange: String(error) },
  );
  console.log(JSON.stringify(said));
}
