/**
 * @file Runs the probe in a process of its own, on Node's default stack and heap, and reads what it measured.
 */
import { buildSync } from 'esbuild';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { projectRoot } from '../sourceFiles.js';
import { runToSuccess } from '../runProcess.js';

/** What one stage took on the clock, or of the processor if that is less, and what memory was in use at its end, in MB (2²⁰ bytes). */
export interface Stage {
  readonly name: string;
  readonly seconds: number;
  readonly heap: number;
  readonly resident: number;
}

export interface Measured {
  /** Length of the text; 0 for graphs that were built. */
  readonly bytes: number;
  readonly stages: readonly Stage[];
  /** Largest resident memory, in MB, the text and Node itself included. */
  readonly peak: number;
  /** The first element of the last output at each level. */
  readonly results: readonly number[];
}

export type Form = 'chain' | 'ladder' | 'fan' | 'built chain' | 'one wide op' | 'ties';

export interface Probe {
  readonly measure: (form: Form, count: number, levels?: string) => Measured;
  readonly dispose: () => void;
}

/** The probe as one script, without the compiler in its memory. `measure` may be called until `dispose`. */
export function probe(program = 'probe'): Probe {
  const folder = mkdtempSync(join(tmpdir(), 'einstream-scale-'));
  const script = join(folder, 'probe.mjs');
  buildSync({
    entryPoints: [join(projectRoot, `spec/support/scale/${program}.ts`)],
    outfile: script,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    logLevel: 'error',
  });
  return {
    measure(form, count, levels = 'standard,none') {
      const lines = runToSuccess(process.execPath, [script, form, String(count), levels], { timeout: 300_000 })
        .trimEnd()
        .split('\n');
      return JSON.parse(lines.at(-1)!) as Measured;
    },
    dispose: () => rmSync(folder, { recursive: true }),
  };
}

export const secondsOf = ({ stages }: Measured): number => stages.reduce((sum, { seconds }) => sum + seconds, 0);

/** The whole in one line. */
export const summary = (title: string, measured: Measured): string =>
  `    ${title}: ${(measured.bytes / 1e6).toFixed(1)} MB of text, ${secondsOf(measured).toFixed(2)} s, at most ${measured.peak.toFixed(0)} MB resident`;

/** The summary, then one line a stage: seconds, MB of heap, MB resident. */
export function table(title: string, measured: Measured): string {
  const rows = measured.stages.map(
    ({ name, seconds, heap, resident }) =>
      `      ${name.padEnd(24)}${seconds.toFixed(3).padStart(9)} s${heap.toFixed(0).padStart(7)} MB heap${resident.toFixed(0).padStart(7)} MB resident`,
  );
  return [summary(title, measured), ...rows].join('\n');
}
