/**
 * @file `npm run bench -- --sweep`: the kernels of each workload by themselves, on every target that this engine has.
 *
 * Options: `--only mm64,ew1m`, `--turns N` (default 15); with `--blocks 4x2x1,6x2x4` register blocks instead (`blocks.ts`).
 * Beside each time stand those of hand-written kernels on another machine: a sense of proportion, not a bar.
 */
import { parseArgs } from 'node:util';
import { blockFor } from '../../src/backends/wasm/block.js';
import { hasRelaxedSimd } from '../../src/backends/wasm/probe.js';
import { renderWasm } from '../../src/codegen/render/wasm/render.js';
import { CASES } from './kernels/cases.js';
import { timeCompiling, type Compiled } from './kernels/time-compiling.js';
import { timeCase, type NamedTarget } from './kernels/time-kernels.js';

const { values } = parseArgs({
  options: {
    sweep: { type: 'boolean' },
    blocks: { type: 'string' },
    sizes: { type: 'string' },
    seconds: { type: 'string' },
    only: { type: 'string' },
    turns: { type: 'string', default: '15' },
  },
});

const named = (name: string, isRelaxed: boolean): NamedTarget => ({
  name,
  target: { isRelaxed, block: blockFor(isRelaxed), memory: { isShared: false, maximumPages: 65536 } },
});
const targets = [named('plain', false), ...(hasRelaxedSimd() ? [named('relaxed', true)] : [])];

/** What a key says of how the kernel computes: `packed`, `along`, … */
const formOf = (key: string): string => {
  const [kind, ...rest] = key.split('|');
  return kind === 'nest' ? rest[2] : kind === 'contraction' ? rest[0].split(' ')[0] : kind;
};

const three = (value: number): string => value.toPrecision(3).padStart(8);

function timeAll(): void {
  const compiled = new Map<string, Compiled & { readonly form: string }>();
  console.log('                        least   median    first  runs until warm                by hand');
  for (const given of CASES) {
    if (values.only !== undefined && !values.only.split(',').includes(given.name)) continue;
    for (const { name, least, median, first, warming, recorded } of timeCase(given, targets, Number(values.turns))) {
      const { target } = targets.find((each) => each.name === name)!;
      const speed = (given.work / least / 1e6).toFixed(1).padStart(6);
      const yardstick = three(given.bare[name === 'relaxed' ? 0 : 1]);
      console.log(
        `${given.name.padEnd(8)} ${name.padEnd(8)} ${three(least)} ${three(median)} ${three(first)} ${(warming < 0 ? 'later' : String(warming)).padStart(6)}  ${speed} G${given.unit}/s   ${yardstick}`,
      );
      for (const ir of recorded.kernels) {
        const { key } = renderWasm(ir, target);
        if (!compiled.has(key)) compiled.set(key, { ...timeCompiling(ir, target), form: formOf(key) });
      }
    }
  }
  console.log('\nfrom loop IR to a module    kernels    median     most     bytes');
  for (const [form, each] of grouped(compiled.values())) {
    const totals = each.map(({ total }) => total).sort((a, b) => a - b);
    const bytes = Math.max(...each.map((one) => one.bytes));
    console.log(
      `${form.padEnd(27)} ${String(each.length).padStart(7)}  ${three(totals[totals.length >> 1])} ${three(totals.at(-1)!)}  ${String(bytes).padStart(8)}`,
    );
  }
}

function grouped<T extends { readonly form: string }>(all: Iterable<T>): ReadonlyMap<string, readonly T[]> {
  const groups = new Map<string, T[]>();
  for (const one of all) groups.set(one.form, [...(groups.get(one.form) ?? []), one]);
  return groups;
}

console.log(`node ${process.versions.node}, V8 ${process.versions.v8}; milliseconds, least and median of processor time\n`);
if (values.blocks === undefined) timeAll();
else await import('./blocks.js');
