/** @file The corpus through graphs on the `wasm` backend: every case natively, plain and relaxed. */
import { expect } from 'chai';
import { EinstreamError, wasm, type Backend } from '../../src/index.js';
import { hasRelaxedSimd } from '../../src/backends/wasm/probe.js';
import { counting } from '../support/countingBackend.js';
import { COMPUTED_FAMILIES, computeCase } from './computeCase.js';
import { judge, loadCases, titleOf, type Case } from './corpus.js';
import { culpritOf } from './culprits.js';

const kinds: readonly (readonly [title: string, make: () => Promise<Backend>])[] = [
  ['plain', () => wasm({ deterministic: true })],
  ...(hasRelaxedSimd() ? [['relaxed', () => wasm()] as const] : []),
];

for (const [kind, make] of kinds) {
  describe(`the corpus on wasm, ${kind}`, () => {
    let backend: Backend;
    before(async () => {
      backend = await make();
    });

    const everyCase = (title: string, cases: readonly Case[], verdict: (c: Case) => string | undefined): void => {
      it(title, () => {
        const wrong = cases.flatMap((c) => {
          const message = verdict(c);
          return message === undefined ? [] : [`${titleOf(c)}: ${message}`];
        });
        console.log(`        ${title}: ${cases.length - wrong.length}/${cases.length}, all natively`);
        expect(wrong).to.deep.equal([]);
        expect(cases).to.not.have.length(0);
      });
    };

    for (const family of COMPUTED_FAMILIES) {
      for (const level of ['none', 'standard'] as const) {
        everyCase(`${family}, ${kind}, level ${level}`, loadCases(family), (c) =>
          judge(c, () => computeCase(family, c, backend, { level, fallback: 'never' })),
        );
      }
    }

    for (const family of ['einsum', 'binary', 'reduce', 'view'] as const) {
      const errors = loadCases(family).filter((c) => c.expected.error !== undefined);
      everyCase(`${family}, ${kind}: errors name the culprit before any kernel runs`, errors, (c) => {
        const { backend: counted, runs } = counting(backend);
        expect(() => computeCase(family, c, counted, { sizes: 'open' }), c.id).to.throw(EinstreamError, culpritOf(family, c));
        return runs() === 0 ? undefined : `${runs()} kernels ran`;
      });
    }
  });
}
