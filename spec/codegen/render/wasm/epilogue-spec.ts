/** @file Contractions with elementwise steps behind them on `wasm`: one kernel of each form, and the results of `js`. */
import { expect } from 'chai';
import { clip, einsum, equal, evaluateSync, gelu, graph, greater, input, js, maximum, minimum, mul, orProbSum, relu, sigmoid, add, tanh, wasm, where } from '../../../../src/index.js'; // prettier-ignore
import type { Backend, GraphSymbol, Tensor } from '../../../../src/index.js';
import type { NestIR, TensorType } from '../../../../src/codegen/ir.js';
import { lower, type Work } from '../../../../src/codegen/lower.js';
import { renderContractionWasm } from '../../../../src/codegen/render/wasm/contraction/index.js';
import { findOp } from '../../../../src/ops/registry.js';
import { counting, type Counting } from '../../../support/countingBackend.js';
import { isLarge } from '../../../support/property.js';
import { noise, tensorOf } from '../../../support/products.js';
import { PLAIN } from '../../../support/runWasm.js';

/** A spec, the shapes of its operands, and the form that its kernel takes. */
const forms = {
  'in place': ['ij,jk->ik', [[9, 33], [33, 21]], 'direct'],
  'one row': ['j,jk->k', [[40], [40, 37]], 'swept'],
  'one short row': ['j,jk->k', [[40], [40, 19]], 'direct'],
  'row after row': ['ij,j->i', [[37, 70], [70]], 'dot'],
  'one number': ['i,i->', [[70], [70]], 'dot'],
  'packed panels': ['ij,kj->ik', [[13, 300], [21, 300]], 'packed'],
  'packed into columns apart': ['ij,jk->ki', [[14, 30], [30, 19]], 'packed'],
  'a batch': ['bij,bjk->bik', [[3, 7, 12], [3, 12, 10]], 'direct'],
  'heads': ['bhqd,bhkd->bhqk', [[2, 3, 9, 8], [2, 3, 11, 8]], 'packed'],
  'several summed axes': ['ijk,kjl->il', [[7, 5, 6], [6, 5, 9]], 'packed'],
} as const satisfies Record<string, readonly [string, readonly (readonly number[])[], string]>; // prettier-ignore

type Rule = (p: GraphSymbol, bias: GraphSymbol, rest: GraphSymbol) => GraphSymbol;

/** What follows the sum: with a number a column, and with an element for each of the result's. */
const epilogues: Readonly<Record<string, Rule>> = {
  'bias and activation': (p, b) => relu(add(p, b)),
  scale: (p) => mul(p, 0.125),
  'a residual': (p, _, r) => add(r, p),
  'a closure': (p, _, r) => maximum(r, minimum(1, p)),
  'a smooth activation': (p, b) => gelu(sigmoid(tanh(add(p, b)))),
  'a choice': (p, b, r) => where(greater(p, b), r, clip(p, { min: -1, max: 0.1 })),
  'a truth value': (p, b) => greater(p, b),
  'what float32 would cancel': (p, _, r) => orProbSum(p, r),
  'a comparison with a number that float32 lacks': (p, b) => equal(p, b, { tolerance: 0.1 }),
}; // prettier-ignore

describe('an epilogue on wasm', () => {
  const backends: Counting[] = [];
  before(async () => {
    for (const options of isLarge() ? [{ deterministic: true }, {}] : [{}]) backends.push(counting(await wasm(options)));
  });
  after(() => Promise.all(backends.map(({ backend }) => backend.close())));

  for (const [title, [spec, shapes, form]] of Object.entries(forms)) {
    const output = outputOf(spec, shapes);
    const [last] = output.slice(-1);
    // Sums of quarters are exact, so that truth values and rounding are the same wherever they are computed.
    const quarters = (k: number) => (at: number) => ((Math.imul(at + k, 2654435761) >>> 16) % 17) / 4 - 2;
    const inputs = [...shapes, last === undefined ? [] : [last]].map((shape, k) => tensorOf(shape, quarters(7 * k)));
    inputs.push(tensorOf(output, noise(1)));

    it(`is part of the kernel of ${title}: ${spec}`, () => {
      const steps = [{ op: 'einsum', params: { spec }, args: [0, 1] }, { op: 'add', params: {}, args: [4, 2] }, { op: 'maximum', params: {}, args: [5, 3] }]; // prettier-ignore
      const op = findOp('fusedContraction')!;
      const { calls, temporaries } = lower({ op, params: { steps }, inputs: inputs as unknown as TensorType[], output: { shape: output, dtype: 'float32' } }) as Work; // prettier-ignore
      expect([calls.length, temporaries.length]).to.deep.equal([1, 0]);
      expect(renderContractionWasm(calls[0].ir as NestIR, PLAIN)?.key).to.match(new RegExp(`^contraction.${form} `));
    });

    it(`gives what js gives, in one kernel, for ${title}: ${spec}`, () => {
      for (const [what, rule] of Object.entries(epilogues)) {
        const want = resultOf(spec, rule, inputs, js(), 'none');
        for (const { backend, compiled } of backends) {
          const before = compiled.length;
          const got = resultOf(spec, rule, inputs, backend, 'standard');
          expect(compiled.length - before, what).to.equal(1);
          expect(got.dtype).to.equal(want.dtype);
          const slack = what === 'a smooth activation' ? 1e-6 : 0;
          const [a, b] = [got.data, want.data] as [ArrayLike<number>, ArrayLike<number>];
          for (let i = 0; i < b.length; i++)
            if (!(Math.abs(a[i] - b[i]) <= slack)) expect.fail(`${what}: [${i}] is ${a[i]}, not ${b[i]}`);
        }
      }
    });
  }
});

function outputOf(spec: string, shapes: readonly (readonly number[])[]): readonly number[] {
  const [operands, output] = spec.split('->');
  const sizes = new Map(operands.split(',').flatMap((letters, k) => [...letters].map((letter, axis) => [letter, shapes[k][axis]] as const))); // prettier-ignore
  return [...output].map((letter) => sizes.get(letter)!);
}

function resultOf(
  spec: string,
  rule: Rule,
  [x, y, b, r]: readonly Tensor[],
  backend: Backend,
  level: 'none' | 'standard',
): Tensor {
  const made = graph(
    { x: input(x.shape), y: input(y.shape), b: input(b.shape), r: input(r.shape) },
    (all) => ({ z: rule(einsum(spec, all.x, all.y), all.b, all.r) }),
  ); // prettier-ignore
  return evaluateSync(made, { x, y, b, r }, { backend, level, fallback: 'never' }).z;
}
