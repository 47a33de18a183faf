/** @file The gpu backend against the definitions of all ops, in the modes that need no device. */
import { expect } from 'chai';
import { evaluateSync, js, supportTable, type Backend, type EinstreamError, type Outputs } from '../../../src/index.js';
import { gpu } from '../../../src/gpu.js';
import { allOps } from '../../../src/ops/registry.js';
import { isComputed } from '../../../src/tensor/dtype.js';
import { describeBackend } from '../../../src/testing.js';
import { exampleCases, type OpCase } from '../../../src/testing/conformance/cases.js';
import { differenceOf } from '../../../src/testing/conformance/difference.js';
import { isLarge } from '../../support/property.js';

/** Sums and functions are float32 in the second, which costs a digit where terms cancel. */
const MODES = [
  { mode: 'cpu', tolerance: 1e-6 },
  { mode: 'webasm', tolerance: 1e-5 },
] as const;

/** What a case gives natively, or the code of its error. */
const outcomeOf = ({ graph, feeds }: OpCase, backend: Backend): Outputs | string => {
  try {
    return evaluateSync(graph, feeds, { backend, fallback: 'never' });
  } catch (error) {
    return (error as EinstreamError).code;
  }
};

function requireSame(got: Outputs | string, { graph, feeds }: OpCase, tolerance: number, title: string): void {
  if (typeof got === 'string') return;
  const want = evaluateSync(graph, feeds, { backend: js() });
  expect(differenceOf(got.y, want.y, tolerance), title).to.equal(undefined);
}

for (const { mode, tolerance } of MODES) {
  describe(`every op and dtype on gpu, mode ${mode} (F086)`, function () {
    this.timeout(60_000);

    it('gives what js gives where the table says yes; each no is E_DTYPE and names js', async () => {
      const backend = await gpu({ mode });
      const definitions = new Map(allOps().map((op) => [op.name, op]));
      let [ran, refused] = [0, 0];
      for (const { op, dtype, isNative, diagnostic, alternatives } of supportTable(backend)) {
        if (!isComputed(dtype)) continue;
        const cases = exampleCases(definitions.get(op)!, dtype);
        const outcomes = cases.map((each) => outcomeOf(each, backend));
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
      await backend.close();
    });
  });

  // In `npm test` the corpus and the examples of all ops stand for it.
  if (!isLarge()) continue;
  describe(`the conformance test of gpu, mode ${mode} (F003, F136)`, function () {
    this.timeout(120_000);
    let backend: Backend;
    before(async () => {
      backend = await gpu({ mode });
    });
    after(() => backend.close());
    for (const { title, check } of describeBackend(() => ({ ...backend, close: () => Promise.resolve() }), { tolerance }))
      it(title, check);
  });
}
