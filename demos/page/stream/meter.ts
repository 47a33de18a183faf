/**
 * @file Numbers about a stream of answers: how many, how fast, in which order, and how far from what `js` says.
 */
import { evaluateSync, js, type Outputs } from '../../../src/index.js';
import { percentile } from '../ui/scale.js';
import { analysis } from './analysis.js';
import type { Answer, Frame } from './relay.js';
import type { Window } from './windows.js';

export interface Reading {
  readonly fed: number;
  readonly answered: number;
  /** Answers that did not come right behind the one before. */
  readonly gaps: number;
  /** Answers in the last second. */
  readonly rate: number;
  /** Milliseconds, of the latest answers. */
  readonly latencies: readonly number[];
  readonly median: number;
  readonly p95: number;
  /** The largest difference of an element to `js`, relative to the largest element of that output, on this backend. */
  readonly difference: number;
}

export interface Meter {
  readonly feed: () => void;
  readonly answer: (answer: Answer<Frame<Window['feed']>, Outputs>) => void;
  readonly read: () => Reading;
}

const LATEST = 240;
const SECOND = 1000;

export function meter(now: () => number = () => performance.now()): Meter {
  const backend = js();
  let [fed, answered, gaps, difference] = [0, 0, 0, 0];
  let last = -1;
  let by = '';
  let latencies: number[] = [];
  let times: number[] = [];
  return {
    feed: () => void fed++,
    answer({ frame, outputs, by: name, latency }) {
      answered++;
      if (frame.number !== last + 1) gaps++;
      last = frame.number;
      if (name !== by) {
        by = name;
        difference = 0;
        latencies = [];
      }
      latencies = [...latencies.slice(1 - LATEST), latency];
      times.push(now());
      difference = Math.max(difference, differenceOf(outputs, evaluateSync(analysis, frame.feed, { backend })));
    },
    read() {
      const since = now() - SECOND;
      times = times.filter((time) => time > since);
      const [median, p95] = [percentile(latencies, 50), percentile(latencies, 95)];
      return { fed, answered, gaps, rate: times.length, latencies, median, p95, difference };
    },
  };
}

/** The largest difference of two elements, relative to the largest element of that output. NaN counts as infinitely far. */
export function differenceOf(actual: Outputs, expected: Outputs): number {
  let most = 0;
  for (const [name, { data: wanted }] of Object.entries(expected)) {
    const { data } = actual[name];
    let [apart, size] = [0, 0];
    for (let k = 0; k < wanted.length; k++) {
      const distance = Math.abs(Number(data[k]) - Number(wanted[k]));
      apart = Math.max(apart, Number.isNaN(distance) ? Infinity : distance);
      size = Math.max(size, Math.abs(Number(wanted[k])));
    }
    most = Math.max(most, size === 0 ? apart : apart / size);
  }
  return most;
}
