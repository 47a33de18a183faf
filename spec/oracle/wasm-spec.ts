/** @file The corpus through graphs on the `wasm` backend: every case natively, on every kind of it. */
import { expect } from 'chai';
import { EinstreamError, type Backend } from '../../src/index.js';
import { counting } from '../support/countingBackend.js';
import { isLarge } from '../support/property.js';
import { onEachWasm } from '../support/wasmVariants.js';
import { COMPUTED_FAMILIES, computeCase, type ComputedFamily } from './computeCase.js';
import { compareValues, judge, loadCases, readFamily, titleOf, type Case } from './corpus.js';
import { culpritOf } from './culprits.js';
import { inOtherPrecision, withRounding } from './otherPrecision.js';

const bugs = readFamily('bugs') as readonly { readonly id: string; readonly area: string; readonly case: Case | null }[];
/** Rows of the feature table that a family stands for. */
const ROWS: Readonly<Partial<Record<ComputedFamily, string>>> = {
  unary: 'F143',
  binary: 'F144',
  reduce: 'F145',
  einsum: 'F146, F147',
};
const NEVER = { fallback: 'never' } as const;

onEachWasm('the corpus on wasm', (backend, { title: kind }) => {
  const isThorough = isLarge() || kind === 'plain';
  /** A short run takes every case once, on the plain kind, and of the rest every fifth. */
  const chosen = (cases: readonly Case[], isMain = false): readonly Case[] =>
    isLarge() || isMain ? cases : cases.filter((_, at) => at % 5 === 0);
  const tallied = { passed: 0, total: 0, kernels: 0 };

  /** Judges every case, prints how many agree and on how many kernels of this backend, and fails with all that do not. */
  const everyCase = (title: string, cases: readonly Case[], verdict: (c: Case, on: Backend) => string | undefined): void => {
    it(title, () => {
      let kernels = 0;
      const wrong = cases.flatMap((c) => {
        const { backend: counted, runs } = counting(backend());
        const message = verdict(c, counted);
        kernels += runs();
        return message === undefined ? [] : [`${titleOf(c)}: ${message}`];
      });
      const passed = cases.length - wrong.length;
      console.log(`        ${title}: ${passed}/${cases.length} passed, ${passed}/${cases.length} natively, ${kernels} kernels`);
      tallied.passed += passed;
      tallied.total += cases.length;
      tallied.kernels += kernels;
      expect(wrong).to.deep.equal([]);
      expect(cases).to.not.have.length(0);
    });
  };

  for (const family of COMPUTED_FAMILIES) {
    const row = ROWS[family] === undefined ? '' : ` (${ROWS[family]})`;
    const cases = loadCases(family);
    for (const [level, sizes] of [
      ['none', 'open'],
      ['standard', 'declared'],
    ] as const)
      // prettier-ignore
      everyCase(`${family}, ${kind}, level ${level}, sizes ${sizes}${row}`, chosen(cases, kind === 'plain' && level === 'standard'), (c, on) =>
        judge(c, () => computeCase(family, c, on, { level, sizes, ...NEVER })),
      );
    if (!isThorough) continue;
    const others = chosen(cases)
      .map(inOtherPrecision)
      .filter((c) => c !== undefined);
    everyCase(`${family}, ${kind}, in the other precision where its inputs are exact in it`, others, (c, on) => {
      const got = computeCase(family, c, on, NEVER);
      return compareValues(got, c.expected as never, withRounding(c), got.dtype === 'float32');
    });
  }

  everyCase(
    `reported faults of einsum, reduce and runtime that have values, ${kind}`,
    bugs.flatMap(({ id, area, case: c }) => (c !== null && ['einsum', 'reduce', 'runtime'].includes(area) ? [{ ...c, id }] : [])),
    (c, on) => judge(c, () => computeCase(c.kind as ComputedFamily, c, on, NEVER)),
  );

  for (const family of isThorough ? (['einsum', 'binary', 'reduce', 'view'] as const) : []) {
    for (const sizes of ['declared', 'open'] as const) {
      const errors = loadCases(family).filter((c) => c.expected.error !== undefined);
      everyCase(`${family}, ${kind}: errors name the culprit before any kernel runs, sizes ${sizes}`, errors, (c) => {
        const { backend: counted, runs } = counting(backend());
        expect(() => computeCase(family, c, counted, { sizes }), c.id).to.throw(EinstreamError, culpritOf(family, c));
        return runs() === 0 ? undefined : `${runs()} kernels ran`;
      });
    }
  }

  after(() =>
    console.log(`      ${kind}: ${tallied.passed}/${tallied.total}, all natively, ${tallied.kernels} kernels of this backend`),
  );
});
