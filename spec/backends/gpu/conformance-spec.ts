/** @file The gpu backend against the definitions of all ops, in each mode that there is here. */
import { expect } from 'chai';
import {
  cos,
  evaluate,
  evaluateSync,
  graph,
  input,
  js,
  sin,
  supportTable,
  tan,
  type Backend,
  type EinstreamError,
  type Outputs,
} from '../../../src/index.js';
import type { GpuMode } from '../../../src/gpu.js';
import { MOST_RADIANS } from '../../../src/codegen/render/gpu/functions/trigonometric.js';
import { allOps } from '../../../src/ops/registry.js';
import { isComputed, type ComputedDType } from '../../../src/tensor/dtype.js';
import { describeBackend } from '../../../src/testing.js';
import { exampleCases, SPECIALS, type OpCase } from '../../../src/testing/conformance/cases.js';
import { differenceOf } from '../../../src/testing/conformance/difference.js';
import { DEVICE_MODES, GPU_MODES, inGpuModes } from '../../support/gpuModes.js';
import { isLarge } from '../../support/property.js';

/** Between loads and stores the first computes in float64; the others in float32, which costs a digit where terms cancel. */
const toleranceOf = (mode: GpuMode): number => (mode === 'cpu' ? 1e-6 : 1e-5);

/** One of the numbers that it tries is 1e30, where shading languages promise nothing of these functions. */
const BEYOND = /^unary: (sin|cos|tan) is/;

/** A software driver compiles each kernel for long, so that `npm test` leaves the devices to the corpus. */
const MODES = GPU_MODES.filter((each) => isLarge() || each === 'cpu' || each === 'webasm');

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
      const [backend, tolerance] = [made(), toleranceOf(mode)];
      const definitions = new Map(allOps().map((op) => [op.name, op]));
      let [ran, refused, native] = [0, 0, 0];
      const cells = supportTable(backend).filter(({ dtype }) => isComputed(dtype));
      for (const [at, { op, dtype, isNative, diagnostic, alternatives }] of cells.entries()) {
        if (isNative) native++;
        // A short run takes every fifth, of another dtype each time.
        if (!isLarge() && at % 5 !== 0) continue;
        const cases = exampleCases(definitions.get(op)!, dtype as ComputedDType);
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
      console.log(`      ${mode}: ${ran} cells ran natively, ${refused} are another backend's`);
      expect(native).to.be.greaterThan(200);
    });
  },
  MODES,
);

// In `npm test` the corpus and the examples of all ops stand for it.
inGpuModes(
  (mode) => `the conformance test of gpu, mode ${mode} (F003, F136)`,
  (backend, mode) => {
    const tolerance = toleranceOf(mode);
    const checks = describeBackend(() => ({ ...backend(), close: () => Promise.resolve() }), { tolerance });
    const isDevice = DEVICE_MODES.includes(mode);
    for (const { title, check } of checks) if (!isDevice || !BEYOND.test(title)) it(title, check);
    if (!isDevice) return;

    for (const [name, op] of Object.entries({ sin, cos, tan })) {
      it(`unary: ${name} is what its definition says, to where the remarks of the backend say that it is the driver's`, async () => {
        expect(backend().capabilities.remarks.join()).to.include(`sin, cos and tan beyond ${MOST_RADIANS}`);
        const near = SPECIALS.filter((x) => Math.abs(x) < MOST_RADIANS);
        const wide = Array.from({ length: 1_000 }, (_, at) => (at / 500 - 1) * (MOST_RADIANS - 1));
        // Nobody's own serves where there is no number to give.
        const x = [...near, ...wide, Infinity, -Infinity, NaN];
        const g = graph({ x: input([x.length]) }, (all) => ({ y: op(all.x) }));
        const [got, want] = await Promise.all(
          [backend(), js()].map((by) => evaluate(g, { x }, { backend: by, fallback: 'never' })),
        );
        expect(differenceOf(got.y, want.y, tolerance)).to.equal(undefined);
      });
    }
  },
  isLarge() ? MODES : [],
);
