/**
 * @file Rows of times against bars.
 */
import { bars, type Bar } from './bars.js';
import type { Row, Timing } from './measure.js';

export interface Verdict {
  readonly id: string;
  readonly bar: Bar;
  /** What it was compared with: the fastest of them. */
  readonly other: string;
  /** 0 where the engine failed. */
  readonly ratio: number;
  /** The same of their least times, which other work on the machine disturbs less. */
  readonly ratioOfLeast: number;
  /** What the ratio must reach. */
  readonly least: number;
  /** `'busy'`: not judged, as others used the processors that two threads need. */
  readonly outcome: 'met' | 'missed' | 'busy';
}

/** Processors' worth of other work up to which two threads are said to have had two of them. */
const IDLE = 0.1;

const LEAST = { cpu: 'leastCpu', wall: 'leastWall' } as const;

/** Every bar that the rows can tell of. `isRelaxed` chooses between its two sides. */
export function verdicts(rows: readonly Row[], isRelaxed: boolean, from: readonly Bar[] = bars): readonly Verdict[] {
  return rows.flatMap((row) =>
    from
      .filter(({ workloads }) => workloads.includes(row.id))
      .flatMap((bar): readonly Verdict[] => {
        const other = fastest(row, bar);
        if (row.cells[bar.subject] === undefined || other === undefined) return [];
        const own = timed(row, bar.subject);
        const ratio = own === undefined ? 0 : other.timing[bar.by] / own[bar.by];
        const ratioOfLeast = own === undefined ? 0 : other.timing[LEAST[bar.by]] / own[LEAST[bar.by]];
        const least = isRelaxed ? bar.relaxed : bar.plain;
        const isBusy = bar.by === 'wall' && row.others > IDLE;
        return [
          {
            id: row.id,
            bar,
            other: other.name,
            ratio,
            ratioOfLeast,
            least,
            outcome: isBusy ? 'busy' : ratio >= least ? 'met' : 'missed',
          },
        ];
      }),
  );
}

const timed = (row: Row, name: string): Timing | undefined => {
  const cell = row.cells[name];
  return cell === undefined || 'failed' in cell ? undefined : cell;
};

function fastest(row: Row, { against, by }: Bar): { readonly name: string; readonly timing: Timing } | undefined {
  return against
    .flatMap((name) => {
      const timing = timed(row, name);
      return timing === undefined ? [] : [{ name, timing }];
    })
    .sort((a, b) => a.timing[by] - b.timing[by])[0];
}
