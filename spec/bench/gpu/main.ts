/**
 * @file `npm run bench -- --gpu`: what the gpu backend costs in each mode that is here.
 *
 * Options: `--modes cpu,webasm,webgpu`, `--turns N` (default 7), `--browser` (webgl2 and webgpu in chromium, too), `--json FILE`.
 */
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import type { GpuMode } from '../../../src/gpu.js';
import { installWebGpu } from '../../support/webgpuInNode.js';
import { measureInBrowser } from './browser.js';
import { measure, type Figures } from './measure.js';
import { tableOf } from './table.js';

const { values } = parseArgs({
  options: {
    gpu: { type: 'boolean' },
    modes: { type: 'string', default: 'cpu,webasm,webgpu' },
    turns: { type: 'string', default: '7' },
    browser: { type: 'boolean' },
    json: { type: 'string' },
  },
});

const turns = Number(values.turns);
const modes = values.modes.split(',').filter((mode) => mode !== '') as GpuMode[];
const found: Record<string, Figures> = {};
const tell = (place: string, figures: Figures): void => {
  found[place] = figures;
  console.log(`${place}\n${tableOf(figures)}\n`);
};

if (modes.length > 0) {
  const { remove } = await installWebGpu();
  tell(`node ${process.versions.node}`, await measure(modes, turns));
  remove();
}
if (values.browser === true) tell('chromium', await measureInBrowser(['webgl2', 'webgpu'], turns));
if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(found, null, 2)}\n`);
// The device of WebGPU is gpu.js's, and keeps the process alive.
process.exit();
