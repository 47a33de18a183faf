/**
 * @file `npm run bench -- --sweep`: the kernels of each workload by themselves, on every target that this engine has.
 *
 * Options: `--only mm64,ew1m`, `--turns N` (default 15). Hand-written kernels on the yardstick machine stand beside them.
 */
import { parseArgs } from 'node:util';
import { hasRelaxedSimd } from '../../src/backends/wasm/probe.js';
import { CASES } from './kernels/cases.js';
import { timeCase } from './kernels/time-kernels.js';
import { blockFor } from '../../src/backends/wasm/block.js';
import type { Target } from '../../src/codegen/render/wasm/kernel.js';

const { values } = parseArgs({
  options: {
    sweep: { type: 'boolean' },
    only: { type: 'string' },
    turns: { type: 'string', default: '15' },
  },
});

const targetFor = (isRelaxed: boolean): Target => ({
  isRelaxed,
  block: blockFor(isRelaxed),
  memory: { isShared: false, maximumPages: 65536 },
});
const targets = [
  { name: 'plain', target: targetFor(false) },
  ...(hasRelaxedSimd() ? [{ name: 'relaxed', target: targetFor(true) }] : []),
];
const number = (value: number): string => value.toPrecision(3).padStart(9);
console.log(`node ${process.versions.node}, V8 ${process.versions.v8}; milliseconds of processor time, least / median`);
for (const given of CASES) {
  if (values.only !== undefined && !values.only.split(',').includes(given.name)) continue;
  for (const { name, least, median } of timeCase(given, targets, Number(values.turns))) {
    const speed = given.work / least / 1e6;
    const yardstick = given.bare[name === 'relaxed' ? 0 : 1];
    console.log(
      `${given.name.padEnd(8)} ${name.padEnd(8)} ${number(least)} ${number(median)}  ${speed.toFixed(1).padStart(6)} G${given.unit}/s   by hand ${number(yardstick)}`,
    );
  }
}
