/**
 * @file `mode: 'auto'`: the best hardware there is, and another backend where there is none.
 */
import { diagnose, type Diagnostic } from '../../errors/index.js';
import type { Backend } from '../backend.js';
import { js } from '../js.js';
import { hasSimd } from '../wasm/probe.js';
import { wasm } from '../wasm/wasm.js';
import type { Adapter } from './hardware.js';
import type { GpuMode } from './options.js';

/** The first mode that computes on hardware; undefined where none does. */
export const hardwareMode = (found: readonly Adapter[]): GpuMode | undefined => found.find(({ isSoftware }) => !isSoftware)?.mode;

/** The backend that serves where no hardware does, which says why it is not `gpu`. */
export async function withoutHardware(
  found: readonly Adapter[],
  onDiagnostic?: (diagnostic: Diagnostic) => void,
): Promise<Backend> {
  const backend = hasSimd() ? await wasm() : js();
  const actual =
    found.length === 0
      ? 'no adapter at all'
      : found.map(({ mode, name }) => `${mode} on ${name || 'an unnamed adapter'}`).join(', ');
  const remark = `gpu found no hardware (${actual}), so ${backend.name} computes`;
  onDiagnostic?.({
    ...diagnose('E_BACKEND', {
      place: 'gpu',
      rule: 'mode auto takes hardware alone',
      actual,
      hint: `${backend.name} computes instead; name a mode to take a software adapter`,
      severity: 'warning',
    }),
    code: 'W_FALLBACK',
  });
  const { capabilities } = backend;
  return Object.freeze({
    ...backend,
    capabilities: Object.freeze({ ...capabilities, remarks: [...capabilities.remarks, remark] }),
  });
}
