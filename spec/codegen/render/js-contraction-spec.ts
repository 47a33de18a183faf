/** @file Tiles of a contraction against the plain loop: the same bits at every edge. */
import { expect } from 'chai';
import fc from 'fast-check';
import { js } from '../../../src/backends/index.js';
import { interpret } from '../../../src/codegen/interpret.js';
import type { NestIR } from '../../../src/codegen/ir.js';
import { lowerStep } from '../../../src/codegen/lower/contraction.js';
import { renderContraction } from '../../../src/codegen/render/js-contraction.js';
import '../../../src/ops/index.js';
import { parseEinsum } from '../../../src/ops/einsum/parse.js';
import { resolveEinsum } from '../../../src/ops/einsum/resolve.js';
import { s } from '../../../src/ops/scalar.js';
import type { ComputedDType } from '../../../src/tensor/dtype.js';
import type { Tensor } from '../../../src/tensor/tensor.js';
import { anyLie, lying, type Lie } from '../../support/anyLayout.js';
import { resultOf } from '../../support/anyNest.js';
import { propertyRuns, propertySeed } from '../../support/property.js';

const PLAIN: Lie = { order: 0, gap: 1, flips: 0, repeats: 0, overlaps: null, salt: 5, values: 'plain' };
const dtypes = ['float32', 'float64'] as const;
type Typed = Tensor & { readonly dtype: ComputedDType };

function stepOf(spec: string, tensors: readonly Tensor[], dtype: ComputedDType): NestIR {
  const { contraction } = resolveEinsum(parseEinsum(spec), tensors.map(({ shape }) => shape)); // prettier-ignore
  return lowerStep(contraction!, tensors as readonly Typed[], dtype);
}

/** Both kernels, in buffers with room to spare. */
function expectSame(ir: NestIR, tensors: readonly Tensor[], label: string): void {
  const kernel = js({ kernels: 'generate', cacheSize: 0 }).compile(ir);
  const got = resultOf((inputs, outputs) => void kernel.run(inputs, outputs), ir, tensors);
  const want = resultOf(interpret(ir), ir, tensors);
  const at = want.findIndex((value, i) => !Object.is(got[i], value));
  expect(at, `${label} [${at}]: ${got[at]}, not ${want[at]}`).to.equal(-1);
}

const tensorsOf = (spec: string, sizes: Readonly<Record<string, number>>, dtype: ComputedDType, lies: readonly Lie[] = [PLAIN, { ...PLAIN, salt: 9 }]): readonly Tensor[] =>
  spec.split('->')[0].split(',').map((letters, k) => lying([...letters].map((letter) => sizes[letter]), dtype, lies[k])); // prettier-ignore

describe('the tiles of a contraction', function () {
  this.timeout(300_000); // at its full size
  for (const dtype of dtypes) {
    it(`give the bits of the plain loop at all edges, i, j and k from 1 to 9 (${dtype})`, () => {
      let [tiled, all] = [0, 0];
      for (let i = 1; i <= 9; i++) {
        for (let k = 1; k <= 9; k++) {
          for (const j of dtype === 'float32' ? [1, 3, 4, 9] : [2, 5]) {
            const tensors = tensorsOf('ij,jk->ik', { i, j, k }, dtype);
            const ir = stepOf('ij,jk->ik', tensors, dtype);
            all++;
            if (renderContraction(ir) !== undefined) tiled++;
            expectSame(ir, tensors, `${i}×${j}×${k}`);
          }
        }
      }
      console.log(`      ${tiled} of ${all} sizes in tiles`);
      expect(tiled).to.be.greaterThan(all / 3);
    });
  }

  it('give them for every order of axes, layout, batch and pair of dtypes, NaN and Infinity too', () => {
    const specs = [
      'ij,jk->ik',
      'ij,jk->ki',
      'ji,jk->ik',
      'bij,bjk->bik',
      'ij,kj->ki',
      'abi,ib->ab',
      'ij,j->i',
      'j,jk->k',
      'aij,akj->iak',
      'ijl,jlk->ik',
    ];
    let tiled = 0;
    const size = fc.integer({ min: 1, max: 9 });
    const sizes = fc.record({
      i: size,
      j: size,
      k: size,
      b: fc.integer({ min: 1, max: 3 }),
      a: fc.integer({ min: 1, max: 3 }),
      l: fc.integer({ min: 1, max: 4 }),
    });
    fc.assert(
      fc.property(
        fc.constantFrom(...specs),
        sizes,
        anyLie(),
        anyLie(),
        fc.constantFrom(...dtypes),
        fc.constantFrom(...dtypes),
        (spec, given, x, y, left, right) => {
          const tensors = tensorsOf(spec, given, left, [x, y]).with(1, tensorsOf(spec, given, right, [x, y])[1]);
          const ir = stepOf(spec, tensors, right);
          if (renderContraction(ir) !== undefined) tiled++;
          expectSame(ir, tensors, `${spec} ${JSON.stringify(given)}`);
        },
      ),
      { seed: propertySeed(), numRuns: propertyRuns(250, 5_000, 50_000) },
    );
    expect(tiled).to.be.greaterThan(40);
  });

  it('pass what is computed after the sum, from further operands too', () => {
    for (const [i, j, k] of [
      [4, 4, 4],
      [5, 6, 7],
      [9, 3, 2],
      [1, 9, 9],
      [8, 1, 8],
    ] as const) {
      // prettier-ignore
      const tensors = tensorsOf('ij,jk->ik', { i, j, k }, 'float32');
      const bias = lying([k], 'float32', { ...PLAIN, salt: 77 });
      const plain = stepOf('ij,jk->ik', tensors, 'float32');
      const rows = plain.output.strides.map((stride) => (stride === 1 ? bias.strides[0] : 0));
      const ir: NestIR = {
        ...plain,
        inputs: [...plain.inputs, { dtype: 'float32', strides: rows, offset: 0 }],
        result: s.max(0, s.add(s.roundTo('float32', s.fold(0)), s.operand(2))),
      };
      expectSame(ir, [...tensors, bias], `${i}×${j}×${k}`);
    }
  });

  it('are not used where they could not keep the bits: integers wrap, and small loops stay loops', () => {
    const tensors = tensorsOf('ij,jk->ik', { i: 8, j: 8, k: 8 }, 'int32');
    expect(renderContraction(stepOf('ij,jk->ik', tensors, 'int32'))).to.equal(undefined);
    expectSame(stepOf('ij,jk->ik', tensors, 'int32'), tensors, 'int32');
    const small = tensorsOf('ij,jk->ik', { i: 2, j: 2, k: 2 }, 'float32');
    expect(renderContraction(stepOf('ij,jk->ik', small, 'float32'))).to.equal(undefined);
  });
});
