/**
 * @file TensorFlow.js on its WebAssembly backend, one thread. Inputs and results are tensors of the backend.
 */
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Host, MakeJob } from './host.js';
import { tfjsTraining, type TfjsTraining } from './tfjs-training.js';

export interface Tensor {
  readonly dataSync: () => Float32Array;
  readonly dispose: () => void;
}
type Unary = (x: Tensor) => Tensor;
type Binary = (a: Tensor | number, b: Tensor | number) => Tensor;

/** What is used of it. */
export interface Tfjs {
  readonly version_core: string;
  readonly setBackend: (name: string) => Promise<boolean>;
  readonly ready: () => Promise<void>;
  readonly env: () => { readonly getAsync: (flag: string) => Promise<unknown> };
  readonly tidy: (body: () => Tensor) => Tensor;
  readonly tensor: (values: Float32Array, shape: readonly number[]) => Tensor;
  readonly matMul: (a: Tensor, b: Tensor) => Tensor;
  readonly transpose: (x: Tensor, order: readonly number[]) => Tensor;
  readonly reshape: (x: Tensor, shape: readonly number[]) => Tensor;
  readonly sum: (x: Tensor, axis?: number) => Tensor;
  readonly max: Unary;
  readonly softmax: Unary;
  readonly sigmoid: Unary;
  readonly tanh: Unary;
  readonly relu: Unary;
  readonly exp: Unary;
  readonly add: Binary;
  readonly mul: Binary;
  readonly minimum: Binary;
  readonly maximum: Binary;
}

/** What registers its rules for gradients: `host-program.ts` puts it beside the host. */
const gradientsFile = new URL('./tfjs-gradients.mjs', import.meta.url).href;

interface TfjsWasm {
  readonly setWasmPaths: (folder: string) => void;
}

export async function tfjs(): Promise<Host> {
  const require = createRequire(import.meta.url);
  const tf = require('@tensorflow/tfjs-core') as Tfjs & TfjsTraining;
  const { setWasmPaths } = require('@tensorflow/tfjs-backend-wasm') as TfjsWasm;
  setWasmPaths(join(dirname(require.resolve('@tensorflow/tfjs-backend-wasm/package.json')), 'dist/'));
  await tf.setBackend('wasm');
  await tf.ready();
  const simd = await tf.env().getAsync('WASM_HAS_SIMD_SUPPORT');

  await import(gradientsFile);
  const jobs: Readonly<Record<string, MakeJob>> = { ...jobsOf(tf), train64: tfjsTraining(tf) };
  return { about: `${tf.version_core}, wasm, SIMD: ${String(simd)}`, job: (id) => jobs[id] };
}

function jobsOf(tf: Tfjs): Readonly<Record<string, MakeJob>> {
  const { add, exp, matMul, max, maximum, minimum, mul, relu, reshape, sigmoid, softmax, sum, tanh, transpose } = tf;
  const job =
    (output: (tensors: Readonly<Record<string, Tensor>>) => Tensor): MakeJob =>
    (inputs, shapes) => {
      const tensors = Object.fromEntries(Object.entries(inputs).map(([name, values]) => [name, tf.tensor(values, shapes[name])]));
      let last: Tensor | undefined;
      const body = (): Tensor => output(tensors);
      return {
        run() {
          last?.dispose();
          last = tf.tidy(body);
        },
        values: () => last?.dataSync() ?? [],
        free() {
          last?.dispose();
          for (const each of Object.values(tensors)) each.dispose();
        },
      };
    };
  const product = job(({ a, b }) => matMul(a, b));
  const chain = job(({ x }) => add(minimum(exp(relu(tanh(sigmoid(add(mul(x, 1.5), 0.25))))), 2), 0.5));
  const dense = (x: Tensor, w: Tensor, b: Tensor): Tensor => add(matMul(x, w), b);
  const perceptron = job(({ x, w1, b1, w2, b2, w3, b3 }) => softmax(dense(relu(dense(relu(dense(x, w1, b1)), w2, b2)), w3, b3)));
  return {
    mm64: product,
    mm256: product,
    mm512: product,
    mm1024: product,
    attn: job(({ q, k }) => matMul(q, transpose(k, [0, 1, 3, 2]))),
    // No product of three operands there: the small ones are multiplied out, then one matrix product.
    ein3: job(({ a, b, c }) =>
      matMul(reshape(a, [64, 4096]), reshape(mul(reshape(b, [64, 1, 64]), reshape(c, [1, 64, 64])), [4096, 64])),
    ),
    join3: job(({ a, b, c }) => matMul(matMul(a, b), c)),
    ew1m: chain,
    ew10m: chain,
    red0: job(({ x }) => sum(x, 0)),
    red1: job(({ x }) => sum(x, 1)),
    redall: job(({ x }) => sum(x)),
    redmax: job(({ x }) => max(x)),
    softmax: job(({ x }) => softmax(x)),
    perm: job(({ x }) => transpose(x, [2, 1, 0])),
    mlp1: perceptron,
    mlp64: perceptron,
    tiny: job(({ x, a, b }) => {
      let y = x;
      for (let round = 0; round < 3; round++) y = relu(add(mul(y, a), b));
      return add(y, a);
    }),
    closure: job(({ r }) => {
      let reached = r;
      for (let round = 0; round < 8; round++) reached = maximum(reached, minimum(matMul(reached, reached), 1));
      return reached;
    }),
  };
}
