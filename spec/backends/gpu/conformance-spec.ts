/** @file The gpu backend against the definitions of all ops, in the modes that need no device. */
import { expect } from 'chai';
import { evaluateSync, supportTable, type Backend, type EinstreamError } from '../../../src/index.js';
import { gpu } from '../../../src/gpu.js';
import { allOps } from '../../../src/ops/registry.js';
import { isComputed } from '../../../src/tensor/dtype.js';
import { describeBackend } from '../../../src/testing.js';
import { isLarge } from '../../support/property.js';
import { exampleCases } from '../../../src/testing/conformance/cases.js';

/** Sums are float32 in the second, which costs a digit where terms cancel. In `npm test` the corpus alone stands for the first. */
const MODES = [...(isLarge() ? [{ mode: 'cpu', tolerance: 1e-6 } as const] : []), { mode: 'webasm', tolerance: 1e-5 } as const];

for (const { mode, tolerance } of MODES) {
  describe(`the conformance test of gpu, mode ${mode} (F003, F136)`, function () {
    this.timeout(60_000);
    let backend: Backend;
    before(async () => {
      backend = await gpu({ mode });
    });
    after(() => backend.close());
    for (const { title, check } of describeBackend(() => ({ ...backend, close: () => Promise.resolve() }), { tolerance }))
      it(title, check);
  });

  describe(`the table of ops and dtypes of gpu, mode ${mode} (F086)`, function () {
    this.timeout(60_000);

    it('runs an example of each yes natively; each no is E_DTYPE and names js', async () => {
      const backend = await gpu({ mode });
      const definitions = new Map(allOps().map((op) => [op.name, op]));
      const table = supportTable(backend).filter(({ dtype }) => isComputed(dtype));
      let [ran, refused] = [0, 0];
      for (const { op, dtype, isNative, diagnostic, alternatives } of table) {
        if (!isComputed(dtype)) continue;
        const cases = exampleCases(definitions.get(op)!, dtype);
        const outcomes = cases.map(({ graph, feeds }) => {
          try {
            evaluateSync(graph, feeds, { backend, fallback: 'never' });
            return 'ran';
          } catch (error) {
            return (error as EinstreamError).code;
          }
        });
        if (isNative) {
          ran++;
          expect(outcomes, `${op} of ${dtype}`).to.include('ran');
        } else if (cases.length > 0) {
          refused++;
          expect(diagnostic!.code, `${op} of ${dtype}`).to.equal('E002');
          expect(alternatives, `${op} of ${dtype}`).to.deep.equal(['js']);
          expect(new Set(outcomes), `${op} of ${dtype}`).to.deep.equal(new Set(['E_DTYPE']));
        }
      }
      console.log(`      ${ran} cells ran natively, ${refused} are another backend's`);
      expect(ran).to.be.greaterThan(200);
      await backend.close();
    });
  });
}
