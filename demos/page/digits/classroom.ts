/**
 * @file Where the model learns: one stream of training steps, first a course, then a lesson for each thing the visitor says.
 */
import { concatMap, defer, map, merge, of, scan, share, type Observable } from 'rxjs';
import { adam, evaluateSync, trainOnline, type Backend, type TrainStep } from '../../../src/index.js';
import { random } from '../stream/signals.js';
import { linear } from '../ui/scale.js';
import { course, courseSteps, lesson, LESSON } from './batches.js';
import { stacked, type Image, type Images, type Labelled } from './images.js';
import { classifier, learner, type Params } from './model.js';
import { paced } from './paced.js';

/** How often the course goes through all images. */
const TIMES = 10;
/** The rate of learning: falling in a line through the course, and level in lessons. */
const RATE = { first: 0.006, last: 0.0006, lesson: 0.001 };
/** Milliseconds of each display frame that learning may take; a step that has begun is ended. */
const BUDGET = 7;
/** Steps between two examinations. */
const EXAMINED = 25;

export interface Progress {
  readonly step: number;
  readonly loss: number;
  readonly params: Params;
  /** Steps of the course, and lessons that were held to their end. */
  readonly courseSteps: number;
  readonly lessons: number;
  /** The step is the last one of the course, or of a lesson. */
  readonly isEnd: boolean;
  /** It is time to look what was learned. */
  readonly isExam: boolean;
}

/** Learns while it is subscribed to, once for all who look; lessons wait for those before them. */
export const classroom = ({ learned }: Images, taught$: Observable<Labelled>, backend: Backend): Observable<Progress> =>
  defer(() => {
    const next = random(10);
    const steps = courseSteps(learned.length, TIMES);
    const lessons$ = taught$.pipe(
      scan((all: readonly Labelled[], one) => [...all, one], []),
      map((all) => lesson(all, learned, next)),
    );
    return merge(of(course(learned, TIMES, next)), lessons$).pipe(
      concatMap((batches) => paced(batches, BUDGET)),
      trainOnline(learner, { loss: 'loss', optimizer: adam({ rate: rateIn(steps) }), backend }),
      map((step) => progressOf(step, steps)),
    );
  }).pipe(share());

const rateIn =
  (courseSteps: number) =>
  (step: number): number =>
    step <= courseSteps ? linear([1, courseSteps], [RATE.first, RATE.last])(step) : RATE.lesson;

export function progressOf({ step, loss, params }: Pick<TrainStep, 'step' | 'loss' | 'params'>, first: number): Progress {
  const beyond = step - first;
  const isEnd = beyond >= 0 && beyond % LESSON === 0;
  const lessons = Math.max(0, Math.floor(beyond / LESSON));
  return { step, loss, params: params, courseSteps: first, lessons, isEnd, isExam: isEnd || step % EXAMINED === 0 };
}

/** The probabilities of the ten digits. */
export const read = (image: Image, params: Params): ArrayLike<number> =>
  evaluateSync(classifier, { x: stacked([image]), ...params }).probabilities.data as Float32Array;

/** The share of images that are read as what they are. */
export function examiner(images: readonly Labelled[], backend: Backend): (params: Params) => number {
  const x = stacked(images.map(({ image }) => image));
  return (params) => {
    const shares = evaluateSync(classifier, { x, ...params }, { backend }).probabilities.data as Float32Array;
    const isRead = ({ label }: Labelled, k: number): boolean => greatest(shares.subarray(10 * k, 10 * k + 10)) === label;
    return images.filter(isRead).length / images.length;
  };
}

/** Where the greatest value is; the first of several. */
export function greatest(values: ArrayLike<number>): number {
  let at = 0;
  for (let k = 1; k < values.length; k++) if (values[k] > values[at]) at = k;
  return at;
}
