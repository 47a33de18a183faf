/** @file Sums of products of narrow integers: exact in int32 up to the lengths that hold them, and wrapping beyond, as on js. */
import { expect } from 'chai';
import { cast, einsum, evaluateSync, graph, input, js, tensor, type Backend, type Tensor } from '../../../src/index.js';
import { onEachWasm, PLAIN_OR_ALL } from '../../support/wasmVariants.js';

/** Longest sums of the worst products that int32 holds: int8 by int8, and uint8 by int8. */
const WORST = [
  { x: -128, y: -128, length: 131_071 },
  { x: 255, y: -128, length: 65_793 },
] as const;

/** The same products in the forms that kernels take: a dot, a vector by a matrix, a matrix by a matrix. */
const FORMS = { 'k,k->': 1, 'k,kj->j': 3, 'ik,kj->ij': 2 } as const;

function sums(backend: Backend, spec: keyof typeof FORMS, x: number, y: number, length: number): Tensor {
  const [left, right] = spec.split('->')[0].split(',').map((names) => [...names].map((name) => (name === 'k' ? length : FORMS[spec]))); // prettier-ignore
  const of = (shape: readonly number[], value: number): Tensor => {
    const bytes = value < 0 ? new Int8Array(shape.reduce((a, b) => a * b, 1)) : new Uint8Array(shape.reduce((a, b) => a * b, 1));
    return cast(tensor(bytes.fill(value), { shape }), { dtype: 'int32' });
  };
  const made = graph({ x: input(left, { dtype: 'int32' }), y: input(right, { dtype: 'int32' }) }, (s) => ({
    z: einsum(spec, s.x, s.y),
  }));
  return evaluateSync(made, { x: of(left, x), y: of(right, y) }, { backend, fallback: 'never' }).z;
}

onEachWasm(
  'products of narrow integers on wasm',
  (backend) => {
    for (const { x, y, length } of WORST) {
      it(`${x} by ${y} sum exactly over ${length} and wrap one beyond, whatever the form of the kernel (N5)`, () => {
        for (const spec of Object.keys(FORMS) as (keyof typeof FORMS)[]) {
          for (const each of [length, length + 1]) {
            const got = sums(backend(), spec, x, y, each);
            expect(got.dtype).to.equal('int32');
            const exact = x * y * each;
            expect(
              [...got.data].every((value) => value === (exact | 0)),
              `${spec} over ${each}`,
            ).to.equal(true);
            expect((exact | 0) === exact, 'int32 holds it').to.equal(each <= length);
            expect([...got.data]).to.deep.equal([...sums(js(), spec, x, y, each).data]);
          }
        }
      });
    }
  },
  PLAIN_OR_ALL,
);
