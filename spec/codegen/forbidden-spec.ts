/** @file Where generating code is forbidden, and where shared prototypes are frozen: in processes of their own. */
import { isLarge } from '../support/property.js';
import { expect } from 'chai';
import { js, wasm } from '../../src/index.js';
import { runBundled } from '../support/bundled.js';
import { runCorpus, type CorpusResult } from '../support/corpusDigest.js';

describe('a page that forbids generated code (J5, X5)', () => {
  if (isLarge()) {
    it('passes the corpus on the default backend and on wasm with the same bits, and says that it interprets', async function () {
      this.timeout(60_000);
      const printed = runBundled('spec/support/children/forbidden.ts', ['--disallow-code-generation-from-strings']);
      const there = JSON.parse(printed) as CorpusResult & { readonly onWasm: CorpusResult } & Readonly<
          Record<'remarks' | 'features' | 'evaluating' | 'generating', unknown>
        >;
      const here = runCorpus(js({ kernels: 'generate' }));
      console.log(`      without generated code ${there.passed}/${there.total}, with it ${here.passed}/${here.total}`);
      expect(there.evaluating).to.match(/^EvalError/);
      expect(there.generating).to.equal('E_BACKEND');
      expect([there.passed, there.total]).to.deep.equal([here.total, here.total]);
      expect(there.digest).to.equal(here.digest);
      const wasmHere = runCorpus(await wasm({ deterministic: true }));
      console.log(
        `      on wasm without generated code ${there.onWasm.passed}/${there.onWasm.total}, with it ${wasmHere.passed}/${wasmHere.total}`,
      );
      expect(there.onWasm).to.deep.equal(wasmHere);
      expect(wasmHere.passed).to.equal(wasmHere.total);
      expect(there.features).to.deep.equal([]);
      expect(String(there.remarks)).to.match(/kernels are interpreted/);
    });
  }
});

if (isLarge()) {
  describe('a page that froze Object.prototype (J2)', () => {
    it('builds, reads and runs graphs with malicious names as any other', function () {
      this.timeout(60_000);
      const said = JSON.parse(runBundled('spec/support/children/frozen.ts')) as {
        right: number;
        refused: number;
        names: number;
        wrong: unknown;
        sums: unknown;
      };
      console.log(`      ${said.names} names: ${said.right} ran, ${said.refused} were refused`);
      expect(said.wrong).to.deep.equal([]);
      expect(said.sums).to.deep.equal([6, 6]);
      expect(said.right).to.be.greaterThan(1000);
    });
  });
}
