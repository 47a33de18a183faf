/** @file Einsum on the engine against a plain nested loop over indices, which knows no path, no tile and no stride. */
import { expect } from 'chai';
import fc from 'fast-check';
import { js, type Tensor } from '../../src/index.js';
import { parseEinsum } from '../../src/ops/einsum/parse.js';
import { resolveEinsum } from '../../src/ops/einsum/resolve.js';
import { contractionPath } from '../../src/plan/path/index.js';
import { promote, type ComputedDType } from '../../src/tensor/dtype.js';
import { applyInGraph } from '../oracle/throughGraph.js';
import { anyEinsum, meaningOf, type AnyEinsum, type Arithmetic } from '../support/anyEinsum.js';
import { anyDType, retyped, type Values } from '../support/anyLayout.js';
import { propertyRuns, propertySeed } from '../support/property.js';

const modulo: Arithmetic = { times: (x, y) => Math.imul(x, y), plus: (x, y) => (x + y) | 0 };
/** The sum of the terms' magnitudes: what rounding errors are measured by. */
const magnitude: Arithmetic = { times: (x, y) => Math.abs(x * y), plus: (x, y) => x + Math.abs(y) };

const isOneLoop = ({ spec, tensors }: AnyEinsum): boolean => {
  const { contraction } = resolveEinsum(parseEinsum(spec), tensors.map(({ shape }) => shape)); // prettier-ignore
  return contractionPath(contraction!).steps.length === 1;
};

/** Where one loop computes it, the bits; elsewhere what another order of float64 sums may change, and one rounding. */
function expectMeaning(got: Tensor, einsum: AnyEinsum, dtype: ComputedDType, oneLoop: boolean): void {
  const isExact = dtype === 'int32' || oneLoop;
  const want = meaningOf(einsum, dtype === 'int32' ? modulo : undefined);
  const scale = isExact ? [] : meaningOf(einsum, magnitude);
  expect(got.dtype).to.equal(dtype);
  expect(got.data).to.have.length(want.length);
  want.forEach((value, i) => {
    const [is, wanted] = [Number(got.data[i]), dtype === 'float32' ? Math.fround(value) : value];
    const slack = isExact ? 0 : 1e-13 * scale[i] + (dtype === 'float32' ? 2 ** -23 * Math.abs(value) : 0);
    const same = isExact ? Object.is(is, dtype === 'int32' ? wanted | 0 : wanted) : Math.abs(is - wanted) <= slack;
    if (!same) expect.fail(`${einsum.spec}: [${i}] expected ${wanted}, got ${is}`);
  });
}

describe('einsum on the engine', function () {
  this.timeout(300_000); // at its full size
  for (const kernels of ['generate', 'interpret'] as const) {
    it(`is the nested loop over its indices, for any spec, layout and dtypes (${kernels})`, () => {
      const apply = applyInGraph(js({ kernels }), { sizes: kernels === 'generate' ? 'open' : 'declared' });
      let exact = 0;
      const draw = fc.tuple(anyEinsum({ maxOperands: 4 }), fc.array(anyDType, { minLength: 4, maxLength: 4 }), fc.nat(1000));
      fc.assert(
        fc.property(draw, ([drawn, dtypes, salt]) => {
          const dtype = promote(['int32', ...dtypes.slice(0, drawn.tensors.length)]);
          const oneLoop = isOneLoop(drawn);
          if (dtype === 'int32' || oneLoop) exact++;
          // Sums taken early may show NaN and Infinity elsewhere, so these are for single loops and for integers.
          const values: Values = (dtype === 'int32' || oneLoop) && salt % 2 === 0 ? 'special' : 'plain';
          const tensors = drawn.tensors.map((tensor, i) => retyped(tensor, dtypes[i], values, salt + i));
          const einsum = { ...drawn, tensors };
          expectMeaning(apply('einsum', tensors, { spec: einsum.spec }), einsum, dtype, oneLoop);
        }),
        { seed: propertySeed(), numRuns: propertyRuns(120, 5_000, 50_000) },
      );
      expect(exact).to.be.greaterThan(propertyRuns(20, 50, 50));
    });
  }
});
