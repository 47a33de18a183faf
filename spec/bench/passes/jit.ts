/**
 * @file `jit` beside the backend in it: the first result of a graph that nobody has seen, and frames once it is hot.
 *
 * Both take turns, so that a busy machine troubles both.
 */
import {
  einsum,
  evaluateSync,
  graph,
  input,
  jit,
  js,
  maximum,
  mul,
  relu,
  sub,
  tensor,
  wasm,
  type Backend,
  type Graph,
  type GraphSymbol,
  type Level,
  type Tensor,
} from '../../../src/index.js';
import { computing } from '../../../src/run/computing.js';
import { differenceOf } from '../../../src/testing/conformance/difference.js';
import { numbers } from '../numbers.js';
import { tinyGraph } from '../workloads.js';

type Feeds = Readonly<Record<string, Tensor>>;

/** A graph that is built anew for each first result. */
interface Subject {
  readonly name: string;
  readonly make: () => Graph;
  readonly feeds: Feeds;
}

/** Milliseconds: medians of first results, the least of frames. */
export interface JitRow {
  readonly subject: string;
  readonly inner: string;
  readonly what: 'first result' | 'hot frame';
  readonly jitMs: number;
  readonly innerMs: number;
}

const matrix = (rows: number, columns: number, seed: number): Tensor =>
  tensor(numbers(rows * columns, seed, 0.1), { shape: [rows, columns] });

/** A perceptron of three layers, for so many rows. */
function perceptron(rows: number): Subject {
  const feeds = { x: matrix(rows, 784, 1), a: matrix(784, 128, 2), b: matrix(128, 64, 3), c: matrix(64, 10, 4) };
  const make = (): Graph =>
    graph({ x: input(['n', 784]), a: input([784, 128]), b: input([128, 64]), c: input([64, 10]) }, ({ x, a, b, c }) => ({
      y: einsum('ni,io->no', relu(einsum('ni,io->no', relu(einsum('ni,io->no', x, a)), b)), c),
    }));
  return { name: `MLP-${rows}`, make, feeds };
}

/** Sixty nodes on a few numbers, as rules make them. */
const rules: Subject = {
  name: 'rules',
  make: () =>
    graph({ x: input(['n']), y: input(['n']) }, ({ x, y }) => {
      let [a, b]: [GraphSymbol, GraphSymbol] = [x, y];
      for (let k = 1; k <= 20; k++) [a, b] = [maximum(mul(a, b), k / 40), sub(1, a)];
      return { a, b };
    }),
  feeds: { x: tensor(numbers(8, 1)), y: tensor(numbers(8, 2)) },
};

const SUBJECTS: readonly Subject[] = [
  rules,
  { name: 'tiny', make: () => tinyGraph(), feeds: { x: tensor(numbers(16, 1)) } },
  perceptron(1),
  perceptron(64),
];

/** Frames before frames are measured: levels are decided, and the engine beneath has compiled what they run. */
const WARM = 2000;

const median = (values: number[]): number => values.sort((a, b) => a - b)[values.length >> 1];

function timeOf(act: () => void): number {
  const before = performance.now();
  act();
  return performance.now() - before;
}

/** Runs of each of the two, one after the other, as often as asked. */
function inTurns(times: number, one: () => number, other: () => number): readonly [number, number] {
  const [a, b]: [number[], number[]] = [[], []];
  for (let turn = 0; turn < times; turn++) {
    if (turn % 2 === 0) a.push(one());
    b.push(other());
    if (turn % 2 === 1) a.push(one());
  }
  return [Math.min(...a), Math.min(...b)];
}

/** A first result: of a graph, a backend and a program that are all new. */
const firstResult = ({ make, feeds }: Subject, backend: Backend, level: Level): number => {
  const made = make();
  return timeOf(() => evaluateSync(made, feeds, { backend, level }));
};

/** A frame of one caller, in the steady state. Its input takes turns, as what stays the same in all frames is no input to speak of. */
function frame({ make, feeds }: Subject, backend: Backend, level: Level, warm: number): () => void {
  const compute = computing(make(), { backend, level, outputs: 'borrow' });
  const others = { ...feeds, x: tensor(feeds['x'].data.slice().reverse(), { shape: [...feeds['x'].shape] }) };
  let turn = 0;
  const act = (): void => compute(turn++ % 2 === 0 ? feeds : others).giveBack();
  for (let n = 0; n < warm; n++) act();
  return act;
}

/**
 * Compares at the level `hot`.
 *
 * @param turns of each of the two
 */
export async function benchJit(turns: number, hot: Level = 'aggressive'): Promise<readonly JitRow[]> {
  const rows: JitRow[] = [];
  for (const name of ['js', 'wasm'] as const) {
    const make = (): Promise<Backend> => (name === 'js' ? Promise.resolve(js()) : wasm());
    for (const subject of SUBJECTS) {
      const [colds, fulls]: [number[], number[]] = [[], []];
      for (let turn = 0; turn < turns; turn++) {
        // New backends, as those that were used before have kernels of the same structure.
        const [one, other] = [await make(), await make()];
        const cold = (): void => void colds.push(firstResult(subject, jit(one, { hotLevel: hot }), 'standard'));
        if (turn % 2 === 0) cold();
        fulls.push(firstResult(subject, other, hot));
        if (turn % 2 === 1) cold();
        await Promise.all([one.close(), other.close()]);
      }
      rows.push({ subject: subject.name, inner: name, what: 'first result', jitMs: median(colds), innerMs: median(fulls) });

      const inner = await make();
      const tier = jit(inner, { hotLevel: hot, hotPathThreshold: 1, profilingWindow: 10 });
      const got = evaluateSync(subject.make(), subject.feeds, { backend: tier });
      const want = evaluateSync(subject.make(), subject.feeds, { backend: js() });
      for (const key of Object.keys(want)) {
        const difference = differenceOf(got[key], want[key], 1e-4);
        if (difference !== undefined)
          throw new Error(`${subject.name}: expected ${difference.expected}, got ${difference.actual}`);
      }
      const both = [frame(subject, tier, 'standard', WARM), frame(subject, inner, hot, WARM)] as const;
      // So many frames that a turn lasts some milliseconds.
      const count = Math.max(1, Math.round(5 / Math.max(timeOf(both[1]), 1e-3)));
      const many = (act: () => void) => (): number =>
        timeOf(() => {
          for (let n = 0; n < count; n++) act();
        }) / count;
      const [jitMs, innerMs] = inTurns(turns, many(both[0]), many(both[1]));
      rows.push({ subject: subject.name, inner: name, what: 'hot frame', jitMs, innerMs });
      await inner.close();
    }
  }
  return rows;
}
