/**
 * @file The life of a large graph, measured stage by stage. A program of its own: `node probe.js <form> <count> <levels>`.
 *
 * Its last line is JSON: seconds and megabytes by stage, and the peak of the resident memory.
 */
import { Subject, type Subscription } from 'rxjs';
import { concat } from '../../../src/ops/movement/index.js';
import { graph as build, input, inferTypes, parseGraph, validate, type Graph } from '../../../src/graph/index.js';
import { relu } from '../../../src/ops/unary/index.js';
import { liveMemory, run, type Outputs } from '../../../src/run/index.js';
import type { Feeds } from '../../../src/run/feeds.js';
import type { Level } from '../../../src/passes/index.js';
import { chain, fan, ladder } from './texts.js';
import type { Measured, Stage } from './measure.js';
import { stageOn } from './stage.js';

const [form = 'chain', count = '1000', levels = 'standard,none'] = process.argv.slice(2);
const size = Number(count);
const stages: Stage[] = [];
const stage = stageOn(stages);

const builders: Readonly<Record<string, () => Graph>> = {
  'built chain': () =>
    build({ x: input([4]) }, ({ x }) => {
      let y = x;
      for (let at = 0; at < size; at++) y = relu(y);
      return { y };
    }),
  'one wide op': () => build({ x: input([4]) }, ({ x }) => ({ y: concat(new Array<typeof x>(size).fill(x), { axis: 0 }) })),
};
const texts: Readonly<Record<string, (count: number) => Uint8Array>> = { chain, ladder, fan };

const bytes = texts[form]?.(size);
const graph: Graph = stage('load', () => (bytes === undefined ? builders[form]() : parseGraph(bytes)));
const [firstName] = graph.inputs.map((id) => graph.chunks[id >>> 10][id & 1023]!.name!);
const errors = stage('validate', () => validate(graph).filter(({ severity }) => severity !== 'warning'));
if (errors.length > 0) throw new Error(errors[0].message);
stage('infer', () => inferTypes(graph));

const FEEDS = [1, -2, 0.5].map((value) => new Float32Array(4).fill(value));
const sums: number[] = [];
for (const level of levels.split(',') as Level[]) {
  const feeds$ = new Subject<Feeds>();
  const feed = (values: Float32Array): void => feeds$.next({ [firstName]: Array.from(values) });
  let last: Outputs | undefined;
  let subscription: Subscription | undefined = stage(`${level}: subscribe`, () =>
    feeds$.pipe(run(graph, { level })).subscribe((outputs) => (last = outputs)),
  );
  stage(`${level}: first feed`, () => feed(FEEDS[0]));
  stage(`${level}: ${FEEDS.length} feeds`, () => FEEDS.forEach(feed));
  stage(`${level}: tear down`, () => {
    subscription!.unsubscribe();
    subscription = undefined;
  });
  if (liveMemory().frames !== 0) throw new Error('frames are left after the end');
  sums.push(Number(Object.values(last!)[0].data[0]));
}

const measured: Measured = { bytes: bytes?.length ?? 0, stages, peak: process.resourceUsage().maxRSS / 1024, results: sums };
console.log(JSON.stringify(measured));
