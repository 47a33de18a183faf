/** @file The corpus through graphs on the `gpu` backend, in each mode that there is here. */
import { expect } from 'chai';
import { EinstreamError } from '../../src/index.js';
import type { GpuMode } from '../../src/gpu.js';
import { counting } from '../support/countingBackend.js';
import { inGpuModes } from '../support/gpuModes.js';
import { isLarge } from '../support/property.js';
import { COMPUTED_FAMILIES, computeCaseLater, type ComputedFamily } from './computeCase.js';
import { compare, loadCases, titleOf, type Case } from './corpus.js';
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

/** A short run takes some of the cases, and fewer of the many of einsum and where a software driver compiles each kernel for long. */
const strideOf = (mode: GpuMode, family: ComputedFamily): number =>
  isLarge() ? 1 : mode !== 'webgpu' && family !== 'einsum' ? 3 : 10;

/** Fusing joins what the other level proves apart: a short run takes the level that does more. */
const LEVELS = isLarge() ? (['none', 'standard'] as const) : (['standard'] as const);

/** gpu.js divides whole numbers as integers on WebGL, where 0/−1 is 0: cases that ask for −0 are judged by their values there. */
const isSignedZero = (mode: GpuMode): boolean => mode !== 'webgl2';

/** The backend's own reason, from its error. */
const reasonOf = (error: unknown): string | undefined =>
  error instanceof EinstreamError && error.code === 'E_CODEGEN'
    ? /^not (.*)$/.exec(error.diagnostic.expected ?? '')?.[1]
    : undefined;

interface Verdict {
  readonly left?: string;
  readonly wrong?: string;
}

async function verdictOf(c: Case, mode: GpuMode, compute: (c: Case) => ReturnType<typeof computeCaseLater>): Promise<Verdict> {
  const single = inFloat32(c);
  if (single === undefined) return { left: 'values that float32 cannot hold' };
  try {
    const got = await compute(single);
    const message = compare(got, isSignedZero(mode) ? single : { ...single, signedZero: false });
    return message === undefined ? {} : { wrong: `${titleOf(c)}: ${message}` };
  } catch (error) {
    if (error instanceof EinstreamError && c.expected.error !== undefined) return {};
    const reason = reasonOf(error);
    return reason !== undefined && ALLOWED.has(reason) ? { left: reason } : { wrong: `${titleOf(c)}: ${String(error)}` };
  }
}

inGpuModes(
  (mode) => `the corpus on gpu, mode ${mode}`,
  (backend, mode) => {
    const total = { cases: 0, native: 0 };

    const everyCase = (family: ComputedFamily, level: 'none' | 'standard'): void => {
      const title = `${family}, ${mode}, level ${level}`;
      it(title, async function () {
        this.timeout(120_000);
        const stride = strideOf(mode, family);
        const cases = loadCases(family).filter((c, at) => at % stride === 0 || c.group === 'special');
        const verdicts: Verdict[] = [];
        for (const c of cases)
          verdicts.push(
            await verdictOf(c, mode, (single) => computeCaseLater(family, single, backend(), { level, fallback: 'never' })),
          );
        const wrong = verdicts.flatMap((verdict) => verdict.wrong ?? []);
        const left = verdicts.flatMap((verdict) => verdict.left ?? []);
        const native = cases.length - left.length;
        total.cases += cases.length;
        total.native += native;
        const rest = [...new Set(left)].map((reason) => `${left.filter((each) => each === reason).length} ${reason}`);
        const note = rest.length === 0 ? '' : `; not run: ${rest.join(', ')}`;
        console.log(`        ${title}: ${native - wrong.length}/${native} passed natively${note}`);
        expect(wrong).to.deep.equal([]);
        expect(cases).to.not.have.length(0);
      });
    };

    for (const family of COMPUTED_FAMILIES) for (const level of LEVELS) everyCase(family, level);

    it('runs at least 95 % of the cases natively', () => {
      console.log(`        ${mode}: ${total.native} of ${total.cases} natively`);
      expect(total.native / total.cases).to.be.at.least(0.95);
    });

    for (const family of ['einsum', 'binary', 'reduce', 'view'] as const) {
      it(`${family}, ${mode}: errors name the culprit before any kernel runs`, async () => {
        const errors = loadCases(family).filter((c) => c.expected.error !== undefined);
        for (const c of errors) {
          const { backend: counted, runs } = counting(backend());
          const outcome = await computed(() => computeCaseLater(family, c, counted, { sizes: 'open' }));
          expect(outcome, c.id).to.be.instanceOf(EinstreamError);
          expect((outcome as Error).message, c.id).to.match(culpritOf(family, c));
          expect(runs(), c.id).to.equal(0);
        }
      });
    }
  },
);

/** The result, or what was thrown or rejected. */
const computed = async (compute: () => Promise<unknown>): Promise<unknown> => {
  try {
    return await compute();
  } catch (error) {
    return error;
  }
};
