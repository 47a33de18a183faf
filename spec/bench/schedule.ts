/**
 * @file `npm run bench -- --schedule`: graphs with independent branches by `run`, on one thread, and by `runScheduled` over a pool of
 * two workers, turn by turn; and what a way to a worker costs.
 *
 * Options: `--turns N` (default 15). Gains are judged where two threads have two processors: that is measured first.
 */
import { parseArgs } from 'node:util';
import { concatMap, forkJoin, map, of, Subject, type OperatorFunction } from 'rxjs';
import { add, executorPool, exp, full, graph, input, matmul, mul, neg, relu, run, runScheduled, sum, tanh, type Feeds, type Graph, type GraphSymbol, type Outputs, type ScheduledStage } from '../../src/index.js'; // prettier-ignore
import { buildPoolWorker } from '../support/builtPool.js';
import { matrix } from './passes/graphs.js';

interface Case {
  readonly name: string;
  readonly graph: Graph;
  readonly feeds: Feeds;
  /** What is promised: heavy branches gain, small ones lose nothing. */
  readonly bar: { readonly atLeast: number } | { readonly atMost: number } | undefined;
}

/** What two threads gain at the least on a machine that has two processors for them. */
const TWO = 1.7;
/** Keeps products of products small. */
const SMALL = 0.05;

/** As many chains of products as `branches`, each `length` long, of n × n matrices. */
function products(branches: number, length: number, n: number, bar: Case['bar']): Case {
  const chain = (x: GraphSymbol, by: GraphSymbol): GraphSymbol => Array.from({ length }).reduce<GraphSymbol>((y) => mul(matmul(y, by), SMALL), x); // prettier-ignore
  return {
    name: `${branches} chains of ${length} products, ${n} × ${n}`,
    graph: graph({ x: input([n, n]), w: input([n, n]) }, ({ x, w }) => ({
      y: Array.from({ length: branches }, (_, k) => sum(chain(add(x, k), w))).reduce((total, each) => add(total, each)),
    })),
    feeds: { x: matrix(n, n, 1), w: matrix(n, n, 2) },
    bar,
  };
}

/** Chains of functions of many elements, of which one number each is left; or all elements. */
function functions(n: number, left: (x: GraphSymbol) => GraphSymbol, name: string): Case {
  const chain = (x: GraphSymbol): GraphSymbol => left(exp(neg(tanh(exp(tanh(x))))));
  return {
    name: `2 chains of 4 functions of ${n} elements, ${name}`,
    graph: graph({ x: input([n]), y: input([n]) }, ({ x, y }) => ({ a: chain(x), b: chain(y) })),
    feeds: { x: full([n], 0.5), y: full([n], 0.25) },
    bar: undefined,
  };
}

const CASES: readonly Case[] = [
  products(2, 4, 512, { atLeast: 1.5 }),
  products(4, 2, 512, { atLeast: 1.5 }),
  products(2, 4, 256, { atLeast: 1.2 }),
  products(2, 4, 128, undefined),
  products(2, 2, 64, { atMost: 1.05 }),
  products(2, 2, 8, { atMost: 1.05 }),
  functions(2 ** 20, sum, 'their sums'),
  functions(2 ** 20, relu, 'all of them'),
];

/** Milliseconds of one feed, from `next` to its output. */
function timed(
  operator: OperatorFunction<Feeds, Outputs>,
): (feeds: Feeds) => Promise<{ readonly ms: number; readonly outputs: Outputs }> {
  const feeds$ = new Subject<Feeds>();
  let settle: { done: (outputs: Outputs) => void; fail: (error: unknown) => void } | undefined;
  feeds$.pipe(operator).subscribe({ next: (outputs) => settle?.done(outputs), error: (error: unknown) => settle?.fail(error) });
  return async (feeds) => {
    const start = performance.now();
    const outputs = await new Promise<Outputs>((done, fail) => {
      settle = { done, fail };
      feeds$.next(feeds);
    });
    return { ms: performance.now() - start, outputs };
  };
}

function requireSame(name: string, got: Outputs, want: Outputs): void {
  for (const [key, { data }] of Object.entries(want))
    data.forEach((value, k) => {
      if (!(Math.abs(Number(got[key].data[k]) - Number(value)) <= 1e-5 * Math.max(1, Math.abs(Number(value)))))
        throw new Error(`${name}: ${key}[${k}] is ${got[key].data[k]} instead of ${value}`);
    });
}

const { values } = parseArgs({ options: { schedule: { type: 'boolean' }, turns: { type: 'string', default: '15' } } });
const turns = Number(values.turns);
const print = (line: string): void => void process.stderr.write(`${line}\n`);

buildPoolWorker();
const pool = await executorPool({ workers: 2 });

/** Least milliseconds of each side, in turns: what else the machine does only adds. Results of all are those of the first. */
async function inTurns(
  name: string,
  feeds: Feeds,
  sides: readonly OperatorFunction<Feeds, Outputs>[],
  count: number,
): Promise<readonly number[]> {
  const timers = sides.map(timed);
  const { outputs: want } = await timers[0](feeds);
  // The second run of each may still find a worker that has not seen its part.
  for (const timer of [...timers, ...timers]) requireSame(name, (await timer(feeds)).outputs, want);
  const least = sides.map(() => Infinity);
  for (let turn = 0; turn < count; turn++)
    for (const [k, timer] of timers.entries()) least[k] = Math.min(least[k], (await timer(feeds)).ms);
  return least;
}

print('a way to a worker and back');
for (const n of [1, 2 ** 14, 2 ** 16, 2 ** 18, 2 ** 20, 2 ** 22]) {
  const copied = graph({ x: input([n]) }, ({ x }) => ({ y: neg(x) })) as Graph;
  const [here, there] = await inTurns('a way', { x: full([n], 0.5) }, [run(copied), pool.run(copied)], turns * 4);
  const further = (there - here) * 1e6;
  print(`${String(8 * n).padStart(9)} bytes: ${(further / 1000).toFixed(0).padStart(6)} µs${n === 1 ? '' : `, ${(further / (8 * n)).toFixed(2)} ns a byte`}`); // prettier-ignore
}

// What two threads can gain now: the same work twice on one of them, and on both.
const heavy = products(1, 4, 512, undefined);
const twice: OperatorFunction<Feeds, Outputs> = concatMap((feeds) => forkJoin([1, 2].map(() => of(feeds).pipe(pool.run(heavy.graph)))).pipe(map(([outputs]) => outputs))); // prettier-ignore
const [once, both] = await inTurns('two at once', heavy.feeds, [run(heavy.graph), twice], turns);
const free = (2 * once) / both;
print(`\ntwo threads do the same work ${free.toFixed(2)} times as fast as one`);

print('\nmilliseconds by run, by runScheduled, and with every branch sent away; times as fast: estimated, measured, sent away');
const bars: { readonly bar: string; readonly value: number; readonly passes: boolean }[] = [];
for (const { name, graph: each, feeds, bar } of CASES) {
  const stages: ScheduledStage[] = [];
  const planned = runScheduled(each, { over: pool, workers: 2, onPlan: (all) => stages.push(...all) });
  const away = runScheduled(each, { over: pool, workers: 2, cost: { perRequest: 0, perByte: 0 } });
  // What takes microseconds is at its best seldom.
  const count = bar !== undefined && 'atMost' in bar ? 40 * turns : turns;
  const [alone, scheduled, sent] = await inTurns(name, feeds, [run(each), planned, away], count);
  const [here, taken] = (['here', 'taken'] as const).map((key) => stages.reduce((total, { estimate }) => total + estimate[key], 0)); // prettier-ignore
  const ratios = [here / taken, alone / scheduled, alone / sent].map((ratio) => ratio.toFixed(2).padStart(6));
  const times = [alone, scheduled, sent].map((ms) => ms.toFixed(3).padStart(9));
  print(`${name.padEnd(56)} ${times.join(' ')}  ${ratios.join(' ')}  ${stages.map(({ at, tasks }) => `${at} ${tasks.length}`).join(', ')}`); // prettier-ignore
  if (bar === undefined) continue;
  if ('atMost' in bar)
    bars.push({ bar: `${name}: scheduled takes ≤ ${bar.atMost} of run`, value: scheduled / alone, passes: scheduled / alone <= bar.atMost }); // prettier-ignore
  else if (free >= TWO)
    bars.push({ bar: `${name}: ≥ ${bar.atLeast} times as fast on two workers`, value: alone / scheduled, passes: alone / scheduled >= bar.atLeast }); // prettier-ignore
  else print(`  not judged: ${name} ≥ ${bar.atLeast} takes two processors`);
}
await pool.close();
print('');
for (const { bar, value, passes } of bars) print(`${passes ? 'holds' : 'FAILS'}  ${bar}: ${value.toPrecision(3)}`);
if (bars.some(({ passes }) => !passes)) process.exitCode = 1;
