/** @file The gpu backend against the definitions of all ops, in each mode of Node. */
import { expect } from 'chai';
import { evaluate, evaluateSync, js, supportTable, type Backend, type EinstreamError, type Outputs } from '../../../src/index.js';
import { gpu } from '../../../src/gpu.js';
import { allOps } from '../../../src/ops/registry.js';
import { isComputed } from '../../../src/tensor/dtype.js';
import { describeBackend } from '../../../src/testing.js';
import { exampleCases, type OpCase } from '../../../src/testing/conformance/cases.js';
import { differenceOf } from '../../../src/testing/conformance/difference.js';
import { inGpuModes, NODE_MODES } from '../../support/inGpuModes.js';
import { isLarge } from '../../support/property.js';

/** Between loads and stores the first computes in float64; the others in float32, which costs a digit where terms cancel. */
const TOLERANCES = { cpu: 1e-6, webasm: 1e-5, webgpu: 1e-5 } as const;
/** A short run leaves WebGPU to the corpus: a software driver compiles each kernel for long. */
const MODES = isLarge() ? NODE_MODES : (['cpu', 'webasm'] as const);

/** What a case gives natively, or the code of its error. */
const outcomeOf = ({ graph, feeds }: OpCase, backend: Backend): Promise<Outputs | string> =>
  evaluate(graph, feeds, { backend, fallback: 'never' }).catch((error: unknown) => (error as EinstreamError).code);

function requireSame(got: Outputs | string, { graph, feeds }: OpCase, tolerance: number, title: string): void {
  if (typeof got === 'string') return;
  const want = evaluateSync(graph, feeds, { backend: js() });
  expect(differenceOf(got.y, want.y, tolerance), title).to.equal(undefined);
}

inGpuModes(
  (mode) => `every op and dtype on gpu, mode ${mode} (F086)`,
  (made, mode) => {
    it('gives what js gives where the table says yes; each no is E_DTYPE and names js', async function () {
      this.timeout(120_000);
      const [backend, tolerance] = [made(), TOLERANCES[mode]];
      const definitions = new Map(allOps().map((op) => [op.name, op]));
      let [ran, refused] = [0, 0];
      for (const { op, dtype, isNative, diagnostic, alternatives } of supportTable(backend)) {
        if (!isComputed(dtype)) continue;
        const cases = exampleCases(definitions.get(op)!, dtype);
        const outcomes: (Outputs | string)[] = [];
        for (const each of cases) outcomes.push(await outcomeOf(each, backend));
        if (isNative) {
          ran++;
          cases.forEach((each, at) => {
            const got = outcomes[at];
            if (typeof got === 'string') throw new Error(`${op} of ${dtype}: ${got}`);
            requireSame(got, each, tolerance, `${op} of ${dtype}`);
          });
        } else if (cases.length > 0) {
          refused++;
          expect(diagnostic!.code, `${op} of ${dtype}`).to.equal('E002');
          expect(alternatives, `${op} of ${dtype}`).to.deep.equal(['js']);
          // Where the result decides, other examples run.
          const refusals = outcomes.filter((outcome) => typeof outcome === 'string');
          expect([...new Set(refusals)], `${op} of ${dtype}`).to.deep.equal(['E_DTYPE']);
          cases.forEach((each, at) => requireSame(outcomes[at], each, tolerance, `${op} of ${dtype}`));
        }
      }
      console.log(`      ${ran} cells ran natively, ${refused} are another backend's`);
      expect(ran).to.be.greaterThan(200);
    });
  },
  MODES,
);

// In `npm test` the corpus and the examples of all ops stand for it.
for (const mode of isLarge() ? (['cpu', 'webasm'] as const) : [])
  describe(`the conformance test of gpu, mode ${mode} (F003, F136)`, function () {
    this.timeout(120_000);
    let backend: Backend;
    before(async () => {
      backend = await gpu({ mode });
    });
    after(() => backend.close());
    for (const { title, check } of describeBackend(() => ({ ...backend, close: () => Promise.resolve() }), {
      tolerance: TOLERANCES[mode],
    }))
      it(title, check);
  });
