/**
 * @file jax-js on its WebAssembly backend, one thread, each workload under `jit`. Inputs and results are arrays of the backend.
 *
 * An operation there consumes its operands: `.ref` keeps one for further use.
 */
import { installed, type Host, type MakeJob } from './host.js';
import { jaxTraining } from './jax-training.js';

export interface JaxArray {
  readonly ref: JaxArray;
  readonly add: (other: JaxArray | number) => JaxArray;
  readonly sub: (other: JaxArray | number) => JaxArray;
  readonly mul: (other: JaxArray | number) => JaxArray;
  readonly data: () => Promise<Float32Array>;
  readonly blockUntilReady: () => Promise<unknown>;
  readonly dispose: () => void;
}
type Unary = (x: JaxArray) => JaxArray;
type Body = (...operands: JaxArray[]) => JaxArray;

/** What is used of it. */
export interface Jax {
  readonly init: (device: string) => Promise<unknown>;
  readonly defaultDevice: (device: string) => unknown;
  readonly jit: (body: Body) => Body;
  readonly nn: { readonly relu: Unary; readonly sigmoid: Unary; readonly softmax: (x: JaxArray, axis: number) => JaxArray };
  readonly numpy: {
    readonly array: (values: Float32Array, options: { readonly shape: readonly number[] }) => JaxArray;
    readonly einsum: (spec: string, ...operands: JaxArray[]) => JaxArray;
    readonly matmul: (a: JaxArray, b: JaxArray) => JaxArray;
    readonly sum: (x: JaxArray, axis?: number) => JaxArray;
    readonly max: Unary;
    readonly exp: Unary;
    readonly tanh: Unary;
    readonly maximum: (a: JaxArray, b: JaxArray | number) => JaxArray;
    readonly minimum: (a: JaxArray, b: JaxArray | number) => JaxArray;
  };
}

export async function jax(): Promise<Host> {
  addIteratorMethods();
  const module = await installed<Jax & Parameters<typeof jaxTraining>[0]>('@jax-js/jax');
  await module.init('wasm');
  module.defaultDevice('wasm');
  const jobs: Readonly<Record<string, MakeJob>> = { ...jobsOf(module), train64: jaxTraining(module) };
  return { about: 'wasm', job: (id) => jobs[id] };
}

/** Its `einsum` calls methods of iterators that Node 20 has not. */
function addIteratorMethods(): void {
  type Iterable = IterableIterator<unknown>;
  const shared = Object.getPrototypeOf(Object.getPrototypeOf([].values())) as Record<string, unknown>;
  shared['map'] ??= function* (this: Iterable, change: (value: unknown, at: number) => unknown) {
    let at = 0;
    for (const value of this) yield change(value, at++);
  };
  shared['filter'] ??= function* (this: Iterable, isKept: (value: unknown, at: number) => unknown) {
    let at = 0;
    for (const value of this) if (isKept(value, at++)) yield value;
  };
  shared['toArray'] ??= function (this: Iterable) {
    return [...this];
  };
}

function jobsOf({ numpy, nn, jit }: Jax): Readonly<Record<string, MakeJob>> {
  const { array, einsum, exp, matmul, max, maximum, minimum, sum, tanh } = numpy;
  const { relu, sigmoid, softmax } = nn;
  const job =
    (compute: Body): MakeJob =>
    (inputs, shapes) => {
      const operands = Object.entries(inputs).map(([name, values]) => array(values, { shape: shapes[name] }));
      let last: JaxArray | undefined;
      return {
        async run() {
          last?.dispose();
          last = compute(...operands.map(({ ref }) => ref));
          await last.blockUntilReady();
        },
        values: () => last?.ref.data() ?? [],
        free() {
          last?.dispose();
          for (const each of operands) each.dispose();
        },
      };
    };
  const jitted = (body: Body): MakeJob => job(jit(body));
  const product = jitted((a, b) => matmul(a, b));
  const chain = jitted((x) => minimum(exp(relu(tanh(sigmoid(x.mul(1.5).add(0.25))))), 2).add(0.5));
  const perceptron = jitted((x, w1, b1, w2, b2, w3, b3) => {
    const first = relu(matmul(x, w1).add(b1));
    const second = relu(matmul(first, w2).add(b2));
    return softmax(matmul(second, w3).add(b3), -1);
  });
  const further = jit((r) => maximum(r.ref, minimum(matmul(r.ref, r), 1)));
  return {
    mm64: product,
    mm256: product,
    mm512: product,
    mm1024: product,
    attn: jitted((q, k) => einsum('bhqd,bhkd->bhqk', q, k)),
    ein3: jitted((a, b, c) => einsum('ijk,jl,kl->il', a, b, c)),
    // Its einsum takes three operands, but is ten times slower than two products here.
    join3: jitted((a, b, c) => matmul(matmul(a, b), c)),
    ew1m: chain,
    ew10m: chain,
    red0: jitted((x) => sum(x, 0)),
    red1: jitted((x) => sum(x, 1)),
    redall: jitted((x) => sum(x)),
    redmax: jitted((x) => max(x)),
    softmax: jitted((x) => softmax(x, -1)),
    // Multiplied by one, as the transposed array alone is a view.
    perm: jitted((x) => einsum('ijk->kji', x).mul(1)),
    mlp1: perceptron,
    mlp64: perceptron,
    tiny: jitted((x, a, b) => {
      let y = x;
      for (let round = 0; round < 3; round++) y = relu(y.mul(a.ref).add(b.ref));
      b.dispose();
      return y.add(a);
    }),
    // A step under `jit` eight times: all eight in one are slower.
    closure: job((r) => {
      let reached = r;
      for (let round = 0; round < 8; round++) reached = further(reached);
      return reached;
    }),
  };
}
