/** @file The corpus through graphs on the `gpu` backend, in the modes that need no device. */
import { expect } from 'chai';
import { EinstreamError, type Backend } from '../../src/index.js';
import { gpu } from '../../src/gpu.js';
import { counting } from '../support/countingBackend.js';
import { COMPUTED_FAMILIES, computeCase, type ComputedFamily } from './computeCase.js';
import { judge, loadCases, titleOf, type Case } from './corpus.js';
import { culpritOf } from './culprits.js';
import { inFloat32 } from './inFloat32.js';

/** Why a case may be left to another backend. */
const ALLOWED: ReadonlySet<string> = new Set([
  'zero-size',
  'more than 7 inputs',
  'more than 2^22 outputs',
  'integers beyond 2^24',
  'values that float32 cannot hold',
]);

/** The backend's own reason, from its error. */
const reasonOf = ({ code, diagnostic }: EinstreamError): string | undefined =>
  code === 'E_CODEGEN' ? /^not (.*)$/.exec(diagnostic.expected ?? '')?.[1] : undefined;

for (const mode of ['cpu', 'webasm'] as const) {
  describe(`the corpus on gpu, mode ${mode}`, () => {
    let backend: Backend;
    const total = { cases: 0, native: 0 };
    before(async () => {
      backend = await gpu({ mode });
    });
    after(() => backend.close());

    const everyCase = (title: string, family: ComputedFamily, level: 'none' | 'standard'): void => {
      it(title, () => {
        const cases = loadCases(family);
        const wrong: string[] = [];
        const left = new Map<string, number>();
        const leave = (reason: string): void => void left.set(reason, (left.get(reason) ?? 0) + 1);
        for (const given of cases) {
          const c = inFloat32(given);
          if (c === undefined) {
            leave('values that float32 cannot hold');
            continue;
          }
          try {
            const message = judge(c, () => computeCase(family, c, backend, { level, fallback: 'never' }));
            if (message !== undefined) wrong.push(`${titleOf(c)}: ${message}`);
          } catch (error) {
            const reason = error instanceof EinstreamError ? reasonOf(error) : undefined;
            if (reason !== undefined && ALLOWED.has(reason)) leave(reason);
            else wrong.push(`${titleOf(c)}: ${String(error)}`);
          }
        }
        const others = [...left.values()].reduce((sum, each) => sum + each, 0);
        const native = cases.length - others;
        total.cases += cases.length;
        total.native += native;
        const rest = [...left].map(([reason, count]) => `${count} ${reason}`).join(', ');
        console.log(`        ${title}: ${native - wrong.length}/${native} passed natively${rest === '' ? '' : `; not run: ${rest}`}`);
        expect(wrong).to.deep.equal([]);
        expect(cases).to.not.have.length(0);
      });
    };

    for (const family of COMPUTED_FAMILIES)
      for (const level of ['none', 'standard'] as const)
        everyCase(`${family}, ${mode}, level ${level}`, family, level);

    it('runs at least 95 % of the cases natively', () => {
      console.log(`        ${mode}: ${total.native} of ${total.cases} natively`);
      expect(total.native / total.cases).to.be.at.least(0.95);
    });

    for (const family of ['einsum', 'binary', 'reduce', 'view'] as const) {
      it(`${family}, ${mode}: errors name the culprit before any kernel runs`, () => {
        const errors = loadCases(family).filter((c) => c.expected.error !== undefined);
        for (const c of errors) {
          const { backend: counted, runs } = counting(backend);
          expect(() => computeCase(family, c, counted, { sizes: 'open' }), c.id).to.throw(EinstreamError, culpritOf(family, c));
          expect(runs(), c.id).to.equal(0);
        }
      });
    }
  });
}
