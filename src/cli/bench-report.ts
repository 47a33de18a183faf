/**
 * @file What a bench found: as a table for people, or as one JSON object.
 */
import { excerpt, humanBytes } from '../errors/index.js';
import { formatShape } from '../tensor/shape.js';
import type { Tensor } from '../tensor/tensor.js';
import type { BenchContender } from './bench-contenders.js';
import type { BenchTimes } from './benching.js';
import { table } from './table.js';

export interface Benched {
  readonly contenders: readonly BenchContender[];
  readonly times: readonly BenchTimes[];
  readonly runs: number;
  readonly feeds: Readonly<Record<string, Tensor>>;
  /** Where the feeds are from: a file, or a seed. */
  readonly from: string;
}

const HEAD = ['backend', 'level', 'least ms', 'median ms', 'to none', 'kernels', 'moved', 'held', 'off by'];

/** Most inputs that are told of. */
const INPUTS = 4;

export function benchTable(benched: Benched): string {
  const { contenders, times, runs, feeds, from } = benched;
  const inputs = Object.entries(feeds).map(([name, { shape }]) => `${excerpt(name, 24)} ${formatShape(shape)}`);
  const more = inputs.length > INPUTS ? ` and ${inputs.length - INPUTS} more` : '';
  const rows = contenders.map(({ backend, level, kernels, movedBytes, heldBytes, offBy }, at) => [
    ...[backend, level, milliseconds(times[at].leastMs), milliseconds(times[at].medianMs), ratioOf(benched, at).toFixed(2)],
    ...[String(kernels), humanBytes(movedBytes), humanBytes(heldBytes), offBy === 0 ? '0' : offBy.toExponential(0)],
  ]);
  return [
    ...table([HEAD, ...rows], HEAD.slice(2)),
    '',
    `${[...inputs.slice(0, INPUTS)].join(', ')}${more} ${from}; ${runs} ${runs === 1 ? 'run' : 'runs'} of each, in turns`,
    'to none: medians of the same backend; moved, held: bytes that kernels read and write, and that a frame holds;',
    'off by: the largest distance from js at none, as a part of the largest number',
    '',
  ].join('\n');
}

export function benchJson(benched: Benched): string {
  const { contenders, times, runs, feeds, from } = benched;
  const inputs = Object.entries(feeds).map(([name, { shape, dtype }]) => ({ name, shape, dtype }));
  const rows = contenders.map(({ backend, level, kernels, movedBytes, heldBytes, offBy }, at) => ({
    ...{ backend, level, ...times[at], ratio: ratioOf(benched, at), kernels, movedBytes, heldBytes },
    // JSON has no infinity.
    offBy: Number.isFinite(offBy) ? offBy : 'Infinity',
  }));
  return `${JSON.stringify({ node: process.version, inputs, from, runs, rows })}\n`;
}

/** Of the median to that of the same backend at `none`: below 1 is faster. */
function ratioOf({ contenders, times }: Benched, at: number): number {
  const none = contenders.findIndex(({ backend, level }) => backend === contenders[at].backend && level === 'none');
  const [own, first] = [times[at].medianMs, times[none].medianMs];
  return own === first ? 1 : own / first;
}

/** Three digits, whether it is a second or a microsecond. */
const milliseconds = (ms: number): string =>
  ms >= 100 ? ms.toFixed(0) : ms.toFixed(Math.min(5, Math.max(0, 2 - Math.floor(Math.log10(Math.max(ms, 1e-5))))));
