/**
 * @file How long a kernel takes from its loop IR to a module: rendering, bytes, and what the engine does with them.
 */
import type { KernelIR } from '../../../src/index.js';
import type { Target } from '../../../src/codegen/render/wasm/kernel.js';
import { moduleBytes } from '../../../src/codegen/render/wasm/module.js';
import { renderWasm } from '../../../src/codegen/render/wasm/render.js';

/** Medians in milliseconds of the processor, and the module's size in bytes. */
export interface Compiled {
  readonly render: number;
  readonly module: number;
  readonly total: number;
  readonly bytes: number;
}

const TURNS = 25;

const middle = (all: readonly number[]): number => [...all].sort((a, b) => a - b)[all.length >> 1];

/** Compiles a kernel many times. */
export function timeCompiling(ir: KernelIR, target: Target): Compiled {
  const [render, module, total]: [number[], number[], number[]] = [[], [], []];
  let bytes = 0;
  const now = (): number => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1000;
  };
  for (let turn = 0; turn < TURNS; turn++) {
    // Each turn's bytes differ, so that no module of an earlier turn stands in for this one.
    const maximumPages = 65536 - turn;
    const start = now();
    const code = moduleBytes(renderWasm(ir, { ...target, memory: { ...target.memory, maximumPages } }).source());
    const rendered = now();
    new WebAssembly.Module(code);
    const end = now();
    render.push(rendered - start);
    module.push(end - rendered);
    total.push(end - start);
    bytes = code.length;
  }
  return { render: middle(render), module: middle(module), total: middle(total), bytes };
}
