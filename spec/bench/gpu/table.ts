/**
 * @file The figures of the gpu backend as text: a line for each job, least and median by mode, and what they come to.
 */
import type { Figures } from './measure.js';
import type { Times } from './turns.js';

const JOBS: readonly (readonly [name: string, title: string])[] = [
  ['compile tiny', 'compile and first result, 2 operations'],
  ['compile 50 ops', 'compile and first result, 50 operations fused'],
  ['compile einsum', 'compile and first result, einsum'],
  ['call 16', 'call from host to host, 16 elements'],
  ['call 8192', 'call from host to host, 8192 elements'],
  ['step resident', 'step on the device, 8192 elements'],
  ['step by host', 'step with read-back, 8192 elements'],
  ['product naive', 'matrix product 256, an element a thread'],
  ['product tiled', 'matrix product 256, four elements a thread'],
];

const shown = (milliseconds: number): string => milliseconds.toPrecision(3);
const cell = (times: Times | undefined): string => (times === undefined ? '–' : `${shown(times.least)} / ${shown(times.median)}`);

/** Milliseconds, then ratios of least and of median times. */
export function tableOf({ times, missing }: Figures): string {
  const known = new Map(times);
  const modes = [...new Set(times.map(([name]) => name.split(' ')[0]))].filter((mode) => mode !== 'wasm');
  const wasm = known.get('wasm product')!;
  const ratio = (slow: Times | undefined, fast: Times | undefined): string =>
    slow === undefined || fast === undefined
      ? '–'
      : `${(slow.least / fast.least).toFixed(2)} / ${(slow.median / fast.median).toFixed(2)}`;
  const of = (mode: string, job: string): Times | undefined => known.get(`${mode} ${job}`);
  const rows = [
    ['milliseconds: least / median', ...modes],
    ...JOBS.map(([job, title]) => [title, ...modes.map((mode) => cell(of(mode, job)))]),
    ['matrix product 256 by wasm', ...modes.map(() => cell(wasm))],
    ['gain of staying on the device', ...modes.map((mode) => ratio(of(mode, 'step by host'), of(mode, 'step resident')))],
    ['gain of tiles', ...modes.map((mode) => ratio(of(mode, 'product naive'), of(mode, 'product tiled')))],
    ['product, tiled : wasm', ...modes.map((mode) => ratio(of(mode, 'product tiled'), wasm))],
  ];
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)));
  const lines = rows.map((row) => row.map((text, column) => (column === 0 ? text.padEnd(widths[0]) : text.padStart(widths[column]))).join('  ')); // prettier-ignore
  return [...lines, ...missing.map(([mode, reason]) => `${mode} is missing: ${reason}`)].join('\n');
}
