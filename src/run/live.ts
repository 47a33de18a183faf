/**
 * @file `live`: a graph over sources that change one by one. Only what lies below a change is computed again.
 */
import { asapScheduler, Observable, type SchedulerLike, type Subscription } from 'rxjs';
import { fault, quoted } from '../errors/index.js';
import type { Graph, Names } from '../graph/graph.js';
import { readFeed } from './admit.js';
import type { Feed, Feeds, Outputs } from './feeds.js';
import { incremental } from './incremental.js';
import { notices } from './notices.js';
import { readSettings, type RunOptions } from './options.js';
import { link } from './link.js';
import type { Prepared } from './prepare.js';
import { preparedFor } from './run.js';
import type { Tensor } from '../tensor/tensor.js';

/** One source for each input; params may have one. */
export type Sources<I extends Names = Names> = { readonly [K in keyof Feeds<I>]: Observable<Exclude<Feeds<I>[K], undefined>> };

/** Options of `run`, as far as they fit `live`, and when changes are computed. */
export interface LiveOptions extends Omit<RunOptions, 'use' | 'compose' | 'outputs' | 'context'> {
  /**
   * When changes are computed: those that arrive before it runs give one output. `asapScheduler` by default;
   * `queueScheduler` answers each change at once.
   */
  readonly scheduler?: SchedulerLike;
}

/**
 * The outputs of a graph whose inputs change independently, without glitches: an output never mixes old and new.
 *
 * Starts when every source has emitted. A source that emits the same tensor again changes nothing; a node whose new value
 * has the same bits stops the change there, and nothing is emitted when no output changed. An output that did not change is
 * the same tensor as before. Completes when all sources have, errors with the first.
 *
 * ```ts
 * const g = graph({ x: input([2]), w: input([2]) }, ({ x, w }) => ({ y: mul(x, w) }));
 * live(g, { x: of([1, 2]), w: of([3, 4]) }).pipe(map(({ y }) => y.toArray())) // => [[3, 8]]
 * ```
 *
 * @throws EinstreamError E_ARGUMENT at the call for an input without a source, a source that is no Observable, or an
 *   asynchronous backend
 */
export function live<I extends Names, O extends Names>(
  graph: Graph<I, O>,
  sources: Sources<I>,
  options: LiveOptions = {},
): Observable<Outputs<O>> {
  const { scheduler = asapScheduler, ...rest } = options;
  const foreign = (['use', 'compose', 'outputs', 'context'] as const).find(
    (option) => (rest as RunOptions)[option] !== undefined,
  );
  if (foreign !== undefined)
    throw fault('E_ARGUMENT', { place: foreign, rule: 'the option is for run, not for live', hint: 'leave it out' });
  const prepared = preparedFor(graph, rest, { ...readSettings(rest), outputs: 'copy' }, true);
  if (prepared.asked.capabilities.asynchronous)
    throw fault('E_ARGUMENT', {
      place: 'live',
      rule: 'live needs a synchronous backend',
      actual: `backend ${prepared.asked.name}`,
    });
  const named = readSources(prepared, sources);
  return new Observable<Outputs<O>>((subscriber) => {
    const latest = new Map<string, Feed>();
    const reader = feedReader(prepared);
    const notice = notices(prepared, rest.onDiagnostic);
    notice?.(sources as unknown as Feeds, undefined);
    const values = incremental(prepared, (program) => notice?.({}, program));
    subscriber.add(() => values.end());
    const missing = new Set(named.keys());
    let open = named.size;
    let pending: Subscription | undefined;

    const flush = (): void => {
      pending = undefined;
      if (subscriber.closed) return;
      try {
        const outputs = values.compute(reader(latest));
        if (outputs !== undefined) subscriber.next(outputs as Outputs<O>);
      } catch (error) {
        subscriber.error(error);
      }
      if (open === 0 && pending === undefined) subscriber.complete();
    };
    const changed = (): void => {
      if (missing.size > 0 || pending !== undefined) return;
      // A scheduler may run the work inside `schedule`, so the mark is set before.
      pending = new Observable<never>().subscribe();
      const scheduled = scheduler.schedule(flush);
      if (pending !== undefined) pending = scheduled;
    };
    // One teardown for all, as a stream may change for ever.
    subscriber.add(() => pending?.unsubscribe());
    if (open === 0) changed();
    for (const [name, source$] of named) {
      if (subscriber.closed) return;
      link(source$, subscriber, {
        next(feed) {
          missing.delete(name);
          if (latest.get(name) === feed) return;
          latest.set(name, feed);
          changed();
        },
        error: (error: unknown) => subscriber.error(error),
        complete() {
          open--;
          // A source that never emitted can never be waited for.
          if (missing.has(name) || (open === 0 && pending === undefined)) subscriber.complete();
        },
      });
    }
  });
}

/** Reads only what changed, so that an unchanged feed stays the same tensor. */
function feedReader(prepared: Prepared): (latest: ReadonlyMap<string, Feed>) => readonly Tensor[] {
  const { inputs } = prepared;
  const read = new Array<Feed | undefined>(inputs.length);
  let tensors: readonly Tensor[] = [];
  return (latest) =>
    (tensors = inputs.map((input, i) => {
      const feed = latest.get(input.name);
      if (tensors[i] !== undefined && feed === read[i]) return tensors[i];
      read[i] = feed;
      return readFeed(prepared, input, feed);
    }));
}

function readSources({ inputs }: Prepared, sources: Readonly<Record<string, unknown>>): ReadonlyMap<string, Observable<Feed>> {
  const named = new Map<string, Observable<Feed>>();
  for (const { name, value } of inputs) {
    const source = Object.hasOwn(sources, name) ? sources[name] : undefined;
    if (source === undefined && value !== undefined) continue;
    if (!(source instanceof Observable)) {
      throw fault('E_ARGUMENT', {
        place: name,
        rule: 'every input needs an Observable',
        actual: source === undefined ? `no source ${quoted(name)}` : typeof source,
        hint: 'of(value) for what does not change',
      });
    }
    named.set(name, source as Observable<Feed>);
  }
  return named;
}
