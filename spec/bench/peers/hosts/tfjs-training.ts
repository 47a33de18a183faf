/**
 * @file TensorFlow.js in training, as its users write it: variables, and an optimizer that minimizes a function.
 *
 * Of its forms (layers fused or not, the library's cross-entropy or one of log-softmax, variables or tensors) this is the fastest.
 */
import { CHECKED_STEPS, LEARNED, RATE } from '../trained.js';
import type { MakeJob } from './host.js';
import type { Tensor, Tfjs } from './tfjs.js';

interface Layer {
  readonly a: Tensor;
  readonly b: Tensor;
  readonly bias: Tensor;
  readonly activation?: 'relu';
}

/** What is used of it here. */
export interface TfjsTraining {
  readonly variable: (value: Tensor) => Tensor;
  readonly logSoftmax: (x: Tensor) => Tensor;
  readonly fused: { readonly matMul: (layer: Layer) => Tensor };
  readonly train: {
    readonly sgd: (rate: number) => {
      readonly minimize: (loss: () => Tensor, returnCost: false, variables: readonly Tensor[]) => unknown;
    };
  };
}

export function tfjsTraining({ fused, logSoftmax, mul, sum, tensor, train, variable }: Tfjs & TfjsTraining): MakeJob {
  return (inputs, shapes) => {
    const tensorOf = (name: string): Tensor => tensor(inputs[name], shapes[name]);
    const [x, y] = ['x', 'y'].map(tensorOf);
    const start = (): readonly Tensor[] =>
      LEARNED.map((name) => {
        const value = tensorOf(name);
        const made = variable(value);
        value.dispose();
        return made;
      });
    const optimizer = train.sgd(RATE);
    const step = (params: readonly Tensor[]): void => {
      const [w1, b1, w2, b2, w3, b3] = params;
      const loss = (): Tensor => {
        const first = fused.matMul({ a: x, b: w1, bias: b1, activation: 'relu' });
        const second = fused.matMul({ a: first, b: w2, bias: b2, activation: 'relu' });
        const logits = fused.matMul({ a: second, b: w3, bias: b3 });
        return mul(sum(mul(y, logSoftmax(logits))), -1 / shapes['x'][0]);
      };
      optimizer.minimize(loss, false, params);
    };
    const params = start();
    return {
      run: () => step(params),
      values() {
        const fresh = start();
        for (let count = 0; count < CHECKED_STEPS; count++) step(fresh);
        const values = fresh[LEARNED.indexOf('w2')].dataSync().slice();
        for (const each of fresh) each.dispose();
        return values;
      },
      free() {
        for (const each of [...params, x, y]) each.dispose();
      },
    };
  };
}
