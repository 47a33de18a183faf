/**
 * @file What the engine is held to: how many times faster it must be than something else, on the same machine in the same run.
 */

/** The bar for some workloads. A ratio is the other's time over the engine's: above 1 the engine is faster. */
export interface Bar {
  readonly workloads: readonly string[];
  readonly subject: 'einstream' | 'einstream-threads';
  /** The fastest of these that computed it. */
  readonly against: readonly string[];
  /** Time of the processor, or time by the clock where two threads share the work. */
  readonly by: 'cpu' | 'wall';
  /** Least ratio where relaxed SIMD is on (Node 24 and later), and where it is off (Node 20). */
  readonly relaxed: number;
  readonly plain: number;
}

/** What runs in JavaScript and WebAssembly alone. */
export const PEERS = ['tfjs-wasm', 'jax-js', 'ort-web'] as const;

const peers = (workloads: readonly string[], relaxed: number, plain: number): Bar => ({
  workloads,
  subject: 'einstream',
  against: PEERS,
  by: 'cpu',
  relaxed,
  plain,
});
const native = (against: string, workloads: readonly string[], relaxed: number, plain: number): Bar => ({
  workloads,
  subject: 'einstream',
  against: [against],
  by: 'cpu',
  relaxed,
  plain,
});
const twoThreads = (workloads: readonly string[], ratio: number): Bar => ({
  workloads,
  subject: 'einstream-threads',
  against: ['einstream'],
  by: 'wall',
  relaxed: ratio,
  plain: ratio,
});

/** Where the same kernel runs on one thread, its time by the clock differs from run to run by this much. */
const NO_SLOWER = 0.95;

export const bars: readonly Bar[] = [
  peers(['mm256', 'mm512', 'mm1024', 'join3', 'closure', 'mlp64'], 1.6, 1.2),
  peers(['attn'], 1.8, 1.4),
  peers(['ew1m', 'ew10m'], 3, 2.5),
  peers(['perm'], 4, 4),
  peers(['red0'], 2, 2),
  peers(['redall', 'redmax'], 1.8, 1.8),
  peers(['mlp1'], 3, 3),
  { ...peers(['train64'], 1.3, 1.3), against: ['jax-js'] },
  { ...peers(['train64'], 5, 5), against: ['tfjs-wasm'] },
  peers(['softmax'], 1.1, 1),
  peers(['red1', 'ein3'], 1, 1),
  { ...peers(['tiny'], 20, 20), against: [...PEERS, 'ort-node'] },
  native('numpy', ['mm512'], 1 / 2.3, 1 / 3),
  native('ort-node', ['softmax', 'perm', 'mlp1', 'ew1m', 'ew10m'], 1, 1),
  twoThreads(['mm512', 'ew1m', 'ew10m', 'softmax'], 1.6),
  twoThreads(['mm1024'], 1.5),
  twoThreads(
    [
      'mm64',
      'mm256',
      'attn',
      'ein3',
      'join3',
      'red0',
      'red1',
      'redall',
      'redmax',
      'perm',
      'mlp1',
      'mlp64',
      'train64',
      'tiny',
      'closure',
    ],
    NO_SLOWER,
  ),
];
