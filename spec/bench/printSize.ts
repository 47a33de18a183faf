/**
 * @file What `npm run size` prints; it fails where the core is larger than it may be.
 */
import { coreSizes, LIMIT, type Chunk } from './size.js';

const sum = (chunks: readonly Chunk[], key: 'minified' | 'gzip'): number =>
  chunks.reduce((total, chunk) => total + chunk[key], 0);
const shown = (chunks: readonly Chunk[]): string =>
  `${(sum(chunks, 'minified') / 1024).toFixed(1)} KiB minified, ${(sum(chunks, 'gzip') / 1024).toFixed(1)} KiB gzip`;
const atOnce = (chunks: readonly Chunk[]): readonly Chunk[] => chunks.filter(({ later }) => later === undefined);

const { alone, whole } = await coreSizes();
const page = atOnce(alone);
console.log(`tensor, einsum, graph, run, js, wasm: ${shown(page)} (rxjs and immer external; at most ${LIMIT / 1024} KiB gzip)`);
for (const chunk of alone) if (chunk.later !== undefined) console.log(`  later, ${chunk.later}: ${shown([chunk])}`);
console.log(`  in all: ${shown(alone)}`);
console.log(`the same with rxjs and immer, at once: ${shown(atOnce(whole))}`);
if (sum(page, 'gzip') > LIMIT) process.exitCode = 1;
