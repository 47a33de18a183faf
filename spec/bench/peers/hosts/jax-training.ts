/**
 * @file jax-js in training: loss and gradients in one `jit`, the update in another. Both in one take a tenth longer.
 */
import { CHECKED_STEPS, LEARNED, RATE } from '../trained.js';
import type { MakeJob } from './host.js';
import type { Jax, JaxArray } from './jax.js';

type Params = readonly JaxArray[];
type Loss = (params: Params, x: JaxArray, y: JaxArray) => JaxArray;

/** What is used of it here: functions of lists of arrays. */
interface Transforms {
  readonly jit: <F>(body: F) => F;
  readonly valueAndGrad: (loss: Loss) => (params: Params, x: JaxArray, y: JaxArray) => [JaxArray, Params];
  readonly tree: { readonly ref: (params: Params) => Params; readonly dispose: (params: Params) => void };
  readonly blockUntilReady: (params: Params) => Promise<unknown>;
  readonly nn: Jax['nn'] & { readonly logSoftmax: (x: JaxArray, axis: number) => JaxArray };
}

export function jaxTraining(jax: Jax & Transforms): MakeJob {
  const { jit, nn, numpy, tree, valueAndGrad } = jax;
  const { array, matmul, sum } = numpy;
  return (inputs, shapes) => {
    const arrayOf = (name: string): JaxArray => array(inputs[name], { shape: shapes[name] });
    const [x, y] = ['x', 'y'].map(arrayOf);
    const loss: Loss = ([w1, b1, w2, b2, w3, b3], images, classes) => {
      const first = nn.relu(matmul(images, w1).add(b1));
      const second = nn.relu(matmul(first, w2).add(b2));
      return sum(nn.logSoftmax(matmul(second, w3).add(b3), -1).mul(classes)).mul(-1 / shapes['x'][0]);
    };
    const slopes = jit(valueAndGrad(loss));
    const update = jit((params: Params, by: Params): Params => params.map((param, k) => param.sub(by[k].mul(RATE))));
    const start = (): Params => LEARNED.map(arrayOf);
    const step = async (params: Params): Promise<Params> => {
      const [value, by] = slopes(tree.ref(params), x.ref, y.ref);
      value.dispose();
      const next = update(params, by);
      await jax.blockUntilReady(next);
      return next;
    };
    let params = start();
    return {
      async run() {
        params = await step(params);
      },
      async values() {
        let fresh = start();
        for (let count = 0; count < CHECKED_STEPS; count++) fresh = await step(fresh);
        const values = await fresh[LEARNED.indexOf('w2')].ref.data();
        tree.dispose(fresh);
        return values;
      },
      free() {
        tree.dispose(params);
        for (const each of [x, y]) each.dispose();
      },
    };
  };
}
