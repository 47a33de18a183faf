/**
 * @file Signals to look at: a recording, the visitor's hand, and one that is made up.
 */
import { defer, from, fromEvent, map, merge, of, type Observable } from 'rxjs';
import { PRICES, type Prices } from '../build/recordings.js';
import { effect } from '../ui/dom.js';

export interface Sample {
  readonly value: number;
  /** When it was. */
  readonly label: string;
}

/** Gives the next sample. */
export type Pull = () => Sample;

export interface Signal {
  readonly value: string;
  readonly label: string;
  readonly title: string;
  readonly note: string;
  /** Emits how to pull samples, once it can; listens to the page while it is subscribed to. */
  readonly pulls$: Observable<Pull>;
}

/** From the first day again, after the last. */
function replayed({ dates, closes }: Prices): Pull {
  let day = -1;
  return () => {
    day = (day + 1) % dates.length;
    return { value: closes[day], label: dates[day] };
  };
}

const recording$ = defer(() =>
  from(
    fetch(PRICES.file).then(async (response) => {
      if (!response.ok) throw new Error(`${PRICES.file}: ${response.status} ${response.statusText}`);
      return (await response.json()) as Prices;
    }),
  ),
).pipe(map(replayed));

const clock = (milliseconds: number): string => `${(milliseconds / 1000).toFixed(0)} s`;

/** How high the pointer is on the page, from 0 to 100, when it is asked. */
const pointer$ = defer(() => {
  let height = 50;
  const pull: Pull = () => ({ value: height, label: clock(performance.now()) });
  const moves$ = effect(
    fromEvent<PointerEvent>(window, 'pointermove'),
    ({ clientY }) => void (height = 100 - (100 * clientY) / innerHeight),
  );
  return merge(of(pull), moves$);
});

/** Numbers in [0, 1), the same at every start (mulberry32). */
export function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let bits = Math.imul(state ^ (state >>> 15), state | 1);
    bits ^= bits + Math.imul(bits ^ (bits >>> 7), bits | 61);
    return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Two waves, noise, and a spike now and then. */
const synthetic$ = defer(() => {
  const next = random(7);
  let at = 0;
  const pull: Pull = () => {
    at++;
    const noise = next() + next() + next() - 1.5;
    const spike = next() < 0.008 ? 30 * (next() - 0.5) : 0;
    return { value: 20 + 6 * Math.sin(at / 40) + 2 * Math.sin(at / 9) + noise + spike, label: `${at}` };
  };
  return of(pull);
});

export const SIGNALS: readonly Signal[] = [
  {
    value: 'sp500',
    label: 'S&P 500',
    title: 'S&P 500, close of each day, in US dollars',
    note: 'Recorded prices from 2000 to 2020, one trading day a frame, from the start again after the end.',
    pulls$: recording$,
  },
  {
    value: 'pointer',
    label: 'Your pointer',
    title: 'Height of your pointer on this page, in percent',
    note: 'Move the pointer up and down. A jerk is an anomaly. Nothing is kept, and nothing leaves this page.',
    pulls$: pointer$,
  },
  {
    value: 'synthetic',
    label: 'Synthetic',
    title: 'A made-up signal: two waves, noise, and spikes',
    note: 'Synthetic: drawn from a generator of random numbers, the same at every start.',
    pulls$: synthetic$,
  },
];
