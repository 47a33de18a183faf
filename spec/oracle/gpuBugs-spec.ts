/** @file Faults that users reported of computing on a GPU: each with what the gpu backend does instead, in each mode that there is here. */
import { expect } from 'chai';
import {
  div,
  evaluate,
  graph,
  input,
  js,
  mul,
  pow,
  relu,
  sin,
  sum,
  tensor,
  type Backend,
  type Outputs,
} from '../../src/index.js';
import { inGpuModes } from '../support/gpuModes.js';
import { isLarge } from '../support/property.js';
import { computeCaseLater, type ComputedFamily } from './computeCase.js';
import { compare, readFamily, type Case } from './corpus.js';

interface Bug {
  readonly id: string;
  readonly area: string;
  readonly symptom: string;
  readonly case: Case | null;
}

const bugs = (readFamily('bugs') as readonly Bug[]).filter(({ area }) => area === 'gpu');

/** The first value of y, and what diagnostics told. */
async function ran(
  work: Parameters<typeof evaluate>[0],
  feeds: Parameters<typeof evaluate>[1],
  backend: Backend,
): Promise<{ readonly y: Outputs[string]; readonly codes: readonly string[] }> {
  const codes: string[] = [];
  const { y } = await evaluate(work, feeds, { backend, onDiagnostic: ({ code }) => void codes.push(code) });
  return { y, codes };
}

/** sin(2.4 i) · 2.4^(1/i), and the sum over i: its angles grow beyond what float32 tells apart. */
const drifting = (dtype: 'float32' | 'float64') =>
  graph({ i: input([102_400], { dtype }) }, ({ i }) => {
    const terms = mul(sin(mul(i, 2.4)), pow(2.4, div(1, i)));
    return { terms, y: sum(terms) };
  });
/** How far apart float32 numbers are. */
const spacing = (x: number): number => 2 ** (Math.floor(Math.log2(x)) - 23);
const indices = (make: Float32ArrayConstructor | Float64ArrayConstructor) =>
  tensor(make.from(Array.from({ length: 102_400 }, (_, i) => i + 1)));

const sized = (shape: readonly number[]) => ({
  work: graph({ x: input(shape) }, ({ x }) => ({ y: relu(x) })),
  feeds: { x: tensor(new Float32Array(shape.reduce((product, size) => product * size, 1)).fill(2), { shape: [...shape] }) },
});

/** Those that the corpus describes without a case. */
const CHECKS: Readonly<Record<string, (backend: Backend) => Promise<void>>> = {
  'bug-062': async (backend) => {
    // A term is as exact as its angle is, and no step adds an error of its own.
    const single = await evaluate(drifting('float32'), { i: indices(Float32Array) }, { backend, fallback: 'never' });
    const onJs = await evaluate(drifting('float32'), { i: indices(Float32Array) }, { backend: js() });
    const [got, want] = [single['terms'].data as Float32Array, onJs['terms'].data as Float32Array];
    const wrong = got.findIndex((term, at) => !(Math.abs(term - want[at]) <= 2 * spacing(2.4 * (at + 1))));
    expect(wrong, 'the first wrong term').to.equal(-1);
    const total = got.reduce((sum, term) => sum + term, 0);
    expect(single['y'].data[0], 'the sum of these terms').to.be.closeTo(total, 1e-3);
    // Who needs more says so: float64 is computed in float64, elsewhere, and a diagnostic tells.
    const double = await ran(drifting('float64'), { i: indices(Float64Array) }, backend);
    expect(double.codes).to.include('W_FALLBACK');
    expect(double.y.data[0]).to.be.closeTo(0.378494, 1e-6);
  },
  'bug-063': async (backend) => {
    const { work, feeds } = sized([2048, 2048]);
    const { y, codes } = await ran(work, feeds, backend);
    expect(codes).to.deep.equal([]);
    expect([y.data[0], y.data[2 ** 22 - 1]]).to.deep.equal([2, 2]);
  },
  'bug-067': async (backend) => {
    const { work, feeds } = sized([4200, 1000]);
    const { y, codes } = await ran(work, feeds, backend);
    expect(codes).to.include('W_FALLBACK');
    expect([y.data[0], y.data[4_199_999]]).to.deep.equal([2, 2]);
  },
};

inGpuModes(
  (mode) => `a fault reported of GPUs, mode ${mode}`,
  (backend, mode) => {
    for (const { id, symptom, case: given } of bugs) {
      // These have millions of elements: a short run computes them in one mode.
      if (given === null && mode !== 'webasm' && !isLarge()) continue;
      it(`is not made: ${symptom} (${id})`, async () => {
        if (given === null) return CHECKS[id](backend());
        const got = await computeCaseLater(given.kind as ComputedFamily, given, backend(), { fallback: 'never' });
        expect(compare(got, given)).to.equal(undefined);
      });
    }
  },
);
