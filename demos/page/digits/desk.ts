/**
 * @file The streams of the desk: drawings, what the visitor says of them, steps of learning, and predictions.
 */
import {
  animationFrameScheduler,
  auditTime,
  defer,
  filter,
  map,
  merge,
  scan,
  share,
  startWith,
  withLatestFrom,
  zip,
  type Observable,
} from 'rxjs';
import { live, type Backend } from '../../../src/index.js';
import { random } from '../stream/signals.js';
import { clicks, type Finder } from '../ui/dom.js';
import { latest } from '../ui/latest.js';
import { classroom, examiner, read } from './classroom.js';
import { drawings, EMPTY_DRAWING, isEmpty, type Drawing } from './drawing.js';
import { stacked, type Images, type Labelled } from './images.js';
import { labels } from './labels.js';
import type { Lesson } from './lessons.js';
import { classifier, firstParams, type Params } from './model.js';
import { normalizer } from './normalize.js';
import { showDesk } from './show.js';

export const desk = (at: Finder, images: Images, backend: Backend): Observable<never> =>
  defer(() => {
    const next = random(3);
    const example = (): Drawing => ({ example: images.heldOut[Math.floor(next() * images.heldOut.length)].image });
    const others$ = merge(clicks(at('clear')).pipe(map(() => EMPTY_DRAWING)), clicks(at('example')).pipe(map(example)));
    const drawing$ = drawings(at('pad'), others$);
    const image$ = drawing$.pipe(auditTime(0, animationFrameScheduler), map(normalizer()), latest());

    const taught$ = labels(at('labels'), at('pad')).pipe(
      withLatestFrom(drawing$, image$),
      filter(([, drawing]) => !isEmpty(drawing)),
      map(([label, , image]): Labelled => ({ label, image })),
      share(),
    );
    const progress$ = classroom(images, taught$, backend);
    const params$ = progress$.pipe(
      map(({ params }) => params),
      startWith(firstParams),
      latest(),
    );
    const of = (name: keyof Params) => params$.pipe(map((params) => params[name]));

    // Whatever changes, the drawing or the model, the prediction follows.
    const probabilities$ = live(classifier, {
      x: image$.pipe(map((image) => stacked([image]))),
      w1: of('w1'),
      b1: of('b1'),
      w2: of('w2'),
      b2: of('b2'),
    }).pipe(
      withLatestFrom(drawing$),
      map(([{ probabilities }, drawing]) => (isEmpty(drawing) ? undefined : (probabilities.data as Float32Array))),
      share(),
    );

    const begun$ = taught$.pipe(
      withLatestFrom(params$),
      map(([taught, params]) => ({ ...taught, before: read(taught.image, params)[taught.label] })),
    );
    const ends$ = progress$.pipe(filter(({ isEnd, lessons }) => isEnd && lessons > 0));
    const lessons$ = zip(begun$, ends$).pipe(
      map(([lesson, { params }]): Lesson => ({ ...lesson, after: read(lesson.image, params)[lesson.label] })),
    );

    const examine = examiner(images.heldOut, backend);
    const exams$ = progress$.pipe(
      filter(({ isExam }) => isExam),
      map(({ step, courseSteps, params }) => ({ accuracy: examine(params), isBefore: step <= courseSteps })),
      share(),
    );
    const waiting$ = merge(taught$.pipe(map(() => 1)), ends$.pipe(map(() => -1))).pipe(
      scan((sum, change) => sum + change, 0),
      startWith(0),
    );
    return showDesk(at, { drawing$, image$, probabilities$, progress$, lessons$, exams$, waiting$ });
  });
