/**
 * @file Random lives of a run: a graph, feeds in time, middleware on some nodes, a failure or an early end somewhere;
 * and everything that can be observed of it, as one log.
 */
import fc from 'fast-check';
import { asyncScheduler, concatMap, defer, delay, finalize, from, map, of, retry, take, tap, timer, type Observable } from 'rxjs';
import { admit, emit, run, steps, type Feeds, type Middleware, type RunOptions, type Step } from '../../src/index.js';
import { plain, virtually } from './marbles.js';
import { randomGraph, type RandomGraph } from './random-graph.js';

/** What a node's middleware does beside telling. */
type Behaviour = 'plain' | 'tells' | 'waits' | 'bursts' | 'fails' | 'ends' | 'again';

export interface Scenario extends RandomGraph {
  /** By position, repeated. */
  readonly behaviours: readonly Behaviour[];
  readonly level: 'none' | 'basic' | 'standard';
  /** Milliseconds at which feeds come. */
  readonly times: readonly number[];
  readonly end: 'complete' | 'error' | 'never';
  /** How the consumer leaves: at a time, at a value, or not. */
  readonly leaves: { readonly at: 'time' | 'value' | 'end'; readonly when: number };
  /** The frame at which a `fails` node fails. */
  readonly badFrame: number;
}

const behaviour = fc.constantFrom<Behaviour>(
  'plain',
  'plain',
  'plain',
  'tells',
  'tells',
  'waits',
  'bursts',
  'fails',
  'ends',
  'again',
);

export const scenario: fc.Arbitrary<Scenario> = fc
  .record({
    made: randomGraph({ maxMoves: 24 }),
    behaviours: fc.array(behaviour, { minLength: 1, maxLength: 7 }),
    level: fc.constantFrom<Scenario['level']>('none', 'none', 'basic', 'standard'),
    times: fc.array(fc.integer({ min: 0, max: 6 }), { maxLength: 4 }),
    end: fc.constantFrom<Scenario['end']>('complete', 'complete', 'error', 'never'),
    leaves: fc.record({
      at: fc.constantFrom('time' as const, 'value' as const, 'end' as const, 'end' as const),
      when: fc.integer({ min: 0, max: 9 }),
    }),
    badFrame: fc.integer({ min: 0, max: 5 }),
  })
  .map(({ made, times, ...rest }) => ({ ...made, ...rest, times: [...times].sort((a, b) => a - b) }));

type Tell = (...what: readonly unknown[]) => void;

function misbehave(kind: Behaviour, { badFrame }: Scenario, position: number): Step {
  switch (kind) {
    case 'waits':
      return concatMap((frame) => timer((frame.index * 3 + position) % 4).pipe(map(() => frame)));
    case 'bursts': // Many frames in one instant, from one timer.
      return delay(2);
    case 'fails':
      return tap(({ index }) => {
        if (index === badFrame) throw new Error(`bad frame at ${position}`);
      });
    case 'again': // Subscribes to all above it a second time.
      return retry(1);
    case 'ends':
      return take(2);
    default:
      return (frames$) => frames$;
  }
}

/** Wraps the nodes that are not plain, and tells of all that passes by. */
const telling =
  (scene: Scenario, tell: Tell): Middleware =>
  (step, _node, { position }) => {
    const kind = scene.behaviours[position % scene.behaviours.length];
    if (kind === 'plain') return step;
    return (frames$) =>
      defer(() => {
        tell(position, 'subscribe');
        return frames$.pipe(
          misbehave(kind, scene, position),
          tap({ next: ({ index }) => tell(position, 'in', index) }),
          step,
          tap({
            next: ({ index }) => tell(position, 'out', index),
            error: (error: unknown) => tell(position, 'error', plain(error)),
            complete: () => tell(position, 'complete'),
          }),
          finalize(() => tell(position, 'finalize')),
        );
      });
  };

function feedsOf({ times, end, feeds }: Scenario, tell: Tell): Observable<Feeds> {
  return defer(() => {
    tell('source', 'subscribe');
    const feeds$ = from(times).pipe(concatMap((time, k) => timer(time - (times[k - 1] ?? 0)).pipe(map(() => feeds))));
    const tail$ = end === 'never' ? timer(1e6) : timer(1);
    return from([feeds$, tail$.pipe(concatMap(() => (end === 'error' ? failing$ : of())))]).pipe(
      concatMap((part$) => part$),
      tap({ next: () => tell('source', 'next') }),
      finalize(() => tell('source', 'finalize')),
    );
  });
}

const failing$ = defer((): Observable<never> => {
  throw new Error('of the source');
});

export const composed = (scene: Scenario, options: RunOptions) => run(scene.graph, { ...options, level: scene.level });

/** `run` spelt out by its parts, with something between any two of them. */
export const byHand =
  (
    scene: Pick<Scenario, 'graph' | 'level'>,
    use: readonly Middleware[],
    between: (at: number) => Step = () => (frames$) => frames$,
  ) =>
  (feeds$: Observable<Feeds>) => {
    const options = { level: scene.level, use };
    const frames$ = steps(scene.graph, options).reduce(
      (source$, { operator }, at) => source$.pipe(operator, between(at + 1)),
      feeds$.pipe(admit(scene.graph, options), between(0)),
    );
    return frames$.pipe(emit(scene.graph, options));
  };

/** Everything that is observed, in order: each entry begins with the virtual time. */
export function lifeOf(
  scene: Scenario,
  make: (use: readonly Middleware[]) => (feeds$: Observable<Feeds>) => Observable<unknown>,
): readonly unknown[] {
  const log: unknown[] = [];
  virtually(({ flush, animate: _animate }) => {
    const tell: Tell = (...what) => void log.push([asyncScheduler.now(), ...what]);
    let values = 0;
    const outputs$ = feedsOf(scene, tell).pipe(make([telling(scene, tell)]));
    const subscription = outputs$.subscribe({
      next(outputs) {
        tell('consumer', plain(outputs));
        if (scene.leaves.at === 'value' && values++ === scene.leaves.when % 3) leave();
      },
      error: (error: unknown) => tell('consumer', 'error', plain(error)),
      complete: () => tell('consumer', 'complete'),
    });
    function leave(): void {
      tell('consumer', 'leaves');
      subscription.unsubscribe();
    }
    if (scene.leaves.at === 'time') timer(scene.leaves.when).subscribe(leave);
    flush();
  });
  return log;
}
