/**
 * @file A just-in-time tier by a scripted clock, run again and again beside js: how many kernels run says which code it was.
 */
import { expect } from 'chai';
import {
  add,
  evaluateSync,
  graph,
  input,
  jit,
  js,
  matmul,
  mul,
  relu,
  type Feeds,
  type Graph,
  type JitBackend,
  type JitConfig,
  type RunOptions,
  type Tensor,
} from '../../src/index.js';
import { codeKit, type CodeKit } from './codeKit.js';
import { differentBits } from './sameBits.js';

/** Four nodes, interpreted in 40 ms; as code two kernels, of which one scales the weights. */
export const layer = graph({ x: input(['n', 2]), w: input([2, 2]), s: input([2]), b: input([2]) }, ({ x, w, s, b }) => ({
  y: relu(add(matmul(x, mul(w, s)), b)),
})) as Graph;
export const W = [[1, 2], [3, 4]]; // prettier-ignore
/** Feeds of the layer: weights and their scale stay the same. */
export const fed = (n: number): Feeds => ({ x: [[n, 1 - n]], w: W, s: [2, -3], b: [n, n / 2] });

export const many = (count: number, kernels: number): number[] => Array<number>(count).fill(kernels);
/** Two runs are interpreted, four at the hot level, four at the level below, then it is whatever it is. */
export const BEFORE = [0, 0, ...many(4, 2), ...many(4, 4)];
/** Then four with constants, and four without to compare with. */
export const TRIED = [...BEFORE, ...many(4, 1), ...many(4, 2)];

export interface Scene {
  readonly kit: CodeKit;
  readonly backend: JitBackend;
  /** Runs it so often, with feeds by the number of the run; tells how many kernels ran in each. */
  readonly runs: (times: number, feeds?: (n: number) => Feeds, options?: RunOptions) => number[];
}

interface SceneOptions {
  readonly config?: JitConfig;
  /** Milliseconds of a kernel. To compare inputs takes 10, as the clock of the kit has it. */
  readonly cost?: number;
  readonly compare?: (got: Tensor, want: Tensor) => string | undefined;
}

const reference = js();

export function scene(g: Graph = layer, { config, cost = 15, compare = differentBits }: SceneOptions = {}): Scene {
  const kit = codeKit({ cost: () => cost });
  const backend = jit(kit.backend, { hotPathThreshold: 2, profilingWindow: 4, clock: kit.clock, ...config });
  let n = 0;
  const runs: Scene['runs'] = (times, feeds = fed, options = {}) =>
    Array.from({ length: times }, () => {
      const given = feeds(++n);
      const want = evaluateSync(g, given, { backend: reference });
      const got = evaluateSync(g, given, { ...options, backend });
      for (const key of Object.keys(want)) expect(compare(got[key], want[key]), `run ${n}`).to.equal(undefined);
      return kit.ran();
    });
  return { kit, backend, runs };
}
