/**
 * @file What the desk shows, and where.
 */
import { combineLatest, debounceTime, distinctUntilChanged, filter, map, merge, scan, startWith, type Observable } from 'rxjs';
import { draw } from '../ui/canvas.js';
import { effect, text, type Finder } from '../ui/dom.js';
import { brief, percent } from '../ui/scale.js';
import { showBars } from './bars.js';
import { greatest, type Progress } from './classroom.js';
import { isEmpty, type Drawing } from './drawing.js';
import type { Image } from './images.js';
import { showLessons, type Lesson } from './lessons.js';
import { lossScene, SEEN, type Losses } from './losses.js';
import { padScene, paint } from './pad.js';

export interface Desk {
  readonly drawing$: Observable<Drawing>;
  readonly image$: Observable<Image>;
  /** Undefined while nothing is drawn. */
  readonly probabilities$: Observable<ArrayLike<number> | undefined>;
  readonly progress$: Observable<Progress>;
  readonly lessons$: Observable<Lesson>;
  readonly exams$: Observable<{ readonly accuracy: number; readonly isBefore: boolean }>;
  /** Lessons that are not held to their end. */
  readonly waiting$: Observable<number>;
}

/** Milliseconds that a guess has to stand before it is told. */
const PATIENCE = 150;

export function showDesk(at: Finder, desk: Desk): Observable<never> {
  const { drawing$, image$, probabilities$, progress$, lessons$, exams$, waiting$ } = desk;
  const isReady$ = progress$.pipe(
    map(({ step, courseSteps }) => step >= courseSteps),
    startWith(false),
    distinctUntilChanged(),
  );
  const status$ = combineLatest([isReady$, waiting$]).pipe(
    map(([isReady, waiting]) => {
      if (!isReady) return 'Learning to read, from 2,000 digits …';
      return waiting > 0 ? 'Learning from you …' : 'Ready. Draw a digit.';
    }),
  );
  const guess$ = probabilities$.pipe(
    debounceTime(PATIENCE),
    map((all): string => {
      if (all === undefined) return '';
      const best = greatest(all);
      return `${best}, ${all[best] > 0.9 ? 'for sure' : all[best] > 0.5 ? 'probably' : 'perhaps'}`;
    }),
  );
  const losses$ = progress$.pipe(scan((losses: readonly number[], last) => [...losses.slice(1 - SEEN), last.loss], []));
  const pictures$: Observable<Losses> = combineLatest([progress$, losses$]).pipe(
    filter(([last, losses]) => losses.at(-1) === last.loss),
    map(([last, losses]) => ({ last, losses })),
  );
  return merge(
    text(at('status'), status$),
    text(at('guess'), guess$),
    draw(at('pad', HTMLCanvasElement), drawing$.pipe(map(padScene))),
    effect(image$, (image) => paint(at('seen', HTMLCanvasElement), image)),
    showBars(at('bars'), probabilities$),
    draw(at('losses', HTMLCanvasElement), pictures$.pipe(map(lossScene))),
    text(at('steps'), progress$.pipe(map(({ step, courseSteps }) => (step < courseSteps ? `${step} of ${courseSteps}` : step)))),
    text(at('loss'), progress$.pipe(map(({ loss }) => brief(loss)))),
    text(at('accuracy'), exams$.pipe(map(({ accuracy }) => percent(accuracy)))),
    text(at('before'), exams$.pipe(filter(({ isBefore }) => isBefore), map(({ accuracy }) => percent(accuracy)))), // prettier-ignore
    showLessons(at('lessons'), at('no-lessons'), lessons$),
    effect(
      combineLatest([isReady$, drawing$]).pipe(
        map(([isReady, drawing]) => !isReady || isEmpty(drawing)),
        distinctUntilChanged(),
      ),
      (isDisabled) => void (at('labels', HTMLFieldSetElement).disabled = isDisabled),
    ),
  );
}
