/**
 * @file What `npm run size` prints; it fails where the core is larger than it may be.
 */
import { coreSizes, LIMIT, type Size } from './size.js';

const shown = ({ minified, gzip }: Size): string =>
  `${(minified / 1024).toFixed(1)} KiB minified, ${(gzip / 1024).toFixed(1)} KiB gzip`;

const { alone, whole } = await coreSizes();
console.log(`tensor, einsum, graph, run, js, wasm: ${shown(alone)} (rxjs and immer external; at most ${LIMIT / 1024} KiB gzip)`);
console.log(`the same with rxjs and immer:         ${shown(whole)}`);
if (alone.gzip > LIMIT) process.exitCode = 1;
