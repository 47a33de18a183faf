/**
 * @file What was measured, as Markdown tables and one line that sums up.
 */
import { PEERS } from './bars.js';
import type { Row, Timing } from './measure.js';
import type { Failed } from './protocol.js';
import type { Verdict } from './verdicts.js';

export interface Report {
  readonly node: string;
  readonly v8: string;
  readonly relaxed: boolean;
  readonly machine: string;
  /** What each process said of itself. */
  readonly about: Readonly<Record<string, string>>;
  readonly missing: Readonly<Record<string, string>>;
  readonly rows: readonly Row[];
  readonly verdicts: readonly Verdict[];
}

const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [line(head), line(head.map((_, k) => (k === 0 ? '---' : '---:'))), ...rows.map(line)].join('\n');

const milliseconds = (value: number): string =>
  value >= 100 ? value.toFixed(0) : value >= 0.1 ? value.toPrecision(3) : value >= 1e-3 ? value.toFixed(4) : value.toPrecision(2);

function cellOf(cell: Timing | Failed | undefined, by: 'cpu' | 'wall'): string {
  if (cell === undefined) return '–';
  return 'failed' in cell ? 'failed' : milliseconds(cell[by]);
}

const OUTCOMES = { met: 'met', missed: '**missed**', busy: 'not judged' } as const;

/** The verdicts, then the times behind them. */
export function reported(report: Report): string {
  const { rows, relaxed, node, v8, machine, about, missing } = report;
  const names = Object.keys(about);
  const times = (by: 'cpu' | 'wall'): string =>
    table(
      ['workload', ...names, 'load'],
      rows.map(({ id, cells, load }) => [id, ...names.map((name) => cellOf(cells[name], by)), load.toFixed(2)]),
    );
  const faults = rows.flatMap(({ id, cells }) =>
    Object.entries(cells).flatMap(([name, cell]) =>
      'failed' in cell ? [`- ${id}, ${name}: ${cell.failed.split('\n')[0]}`] : [],
    ),
  );
  return [
    `Node ${node} (V8 ${v8}), relaxed SIMD ${relaxed ? 'on' : 'off'}; ${machine}`,
    '',
    ...Object.entries(about).map(([name, text]) => `- ${name}: ${text}`),
    ...Object.entries(missing).map(([name, text]) => `- ${name} took no part: ${text.split('\n')[0]}`),
    '',
    `Ratios, time of the other over the engine's, of medians and of the least times (peers: ${PEERS.join(', ')}); "others": processors that other work took.`,
    '',
    verdictTable(report),
    '',
    'Milliseconds of processor time, median:',
    '',
    times('cpu'),
    '',
    'Milliseconds by the clock, median:',
    '',
    times('wall'),
    ...(faults.length === 0 ? [] : ['', 'Failures:', '', ...faults]),
    '',
    summary(report),
  ].join('\n');
}

const verdictTable = ({ verdicts, rows }: Report): string =>
  table(
    ['workload', 'what', 'against', 'by', 'ratio', 'of the least', 'bar', '', 'load', 'others'],
    verdicts.map(({ id, bar, other, ratio, ratioOfLeast, least, outcome }) => {
      const { what, load, others } = rows.find((row) => row.id === id)!;
      const subject = bar.subject === 'einstream' ? '' : '2 threads against ';
      return [
        id,
        what,
        subject + other,
        bar.by,
        ratio.toFixed(2),
        ratioOfLeast.toFixed(2),
        least.toFixed(2),
        OUTCOMES[outcome],
        load.toFixed(2),
        others.toFixed(2),
      ];
    }),
  );

/** How many bars were met, and which were not. */
export function summary({ verdicts }: Pick<Report, 'verdicts'>): string {
  const of = (outcome: Verdict['outcome']): readonly Verdict[] => verdicts.filter((verdict) => verdict.outcome === outcome);
  const judged = verdicts.length - of('busy').length;
  const listed = of('missed').map(
    ({ id, other, ratio, least }) => `${id} against ${other} ${ratio.toFixed(2)} (bar ${least.toFixed(2)})`,
  );
  const busy = of('busy').length === 0 ? '' : `; ${of('busy').length} not judged, as the processors were busy`;
  return `${of('met').length} of ${judged} bars met${busy}${listed.length === 0 ? '' : `; missed: ${listed.join(', ')}`}`;
}
