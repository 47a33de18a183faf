/**
 * @file Answers as pictures: where backends took over is remembered as long as it can be seen.
 */
import { map, scan, type OperatorFunction } from 'rxjs';
import type { OutputsOf } from '../../../src/index.js';
import { SHOWN, type Analysis } from './analysis.js';
import type { Picture } from './charts.js';
import type { Answer, Frame } from './relay.js';
import type { Window } from './windows.js';

export type Shown = Answer<Frame<Window['feed']> & Window, OutputsOf<Analysis>>;

interface Handover {
  readonly number: number;
  readonly name: string;
}

export const pictures = (): OperatorFunction<Shown, Picture> => (answers$) =>
  answers$.pipe(
    scan(
      ({ handovers, by }, answer) => {
        const { number } = answer.frame;
        const visible = handovers.filter((each) => number - each.number < SHOWN);
        const isNew = by !== '' && by !== answer.by;
        return { answer, by: answer.by, handovers: isNew ? [...visible, { number, name: answer.by }] : visible };
      },
      { answer: undefined as Shown | undefined, by: '', handovers: [] as readonly Handover[] },
    ),
    map(({ answer, handovers }): Picture => {
      const { frame, outputs } = answer!;
      return {
        raw: frame.shown,
        labels: frame.labels,
        smooth: outputs.smooth.data as Float32Array,
        deviation: outputs.deviation.data as Float32Array,
        score: outputs.score.data as Float32Array,
        handovers: handovers.map(({ number, name }) => ({ at: SHOWN - 1 - (frame.number - number), name })),
      };
    }),
  );
