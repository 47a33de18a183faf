/** @file Calibration: weights from the times of kernels, under a clock that the kernels themselves move. */
import { expect } from 'chai';
import { add, calibrate, exp, fuse, fusionCost, graph, input, js, neg, relu, type Backend, type FusionCostModel, type Graph, type KernelIR } from '../../src/index.js'; // prettier-ignore
import { subterms, type Scalar } from '../../src/ops/scalar.js';
import { counting } from '../support/countingBackend.js';
import { isLarge } from '../support/property.js';

/** What a kernel takes in nanoseconds on a machine of known speed. */
interface Machine {
  readonly launch: number;
  readonly byte: number;
  /** A byte where a kernel moves more than `cache` bytes. */
  readonly farByte: number;
  readonly cache: number;
  /** By operation: of folds, of contractions, of functions, of divisions, of other ops. */
  readonly fold: number;
  readonly contraction: number;
  readonly exp: number;
  readonly division: number;
  readonly other: number;
}

/** Copies read one operand and compute nothing; folds have one operand too, contractions two. */
function nanoseconds(ir: KernelIR, machine: Machine): number {
  if (ir.kind === 'gather') throw new Error('no probe gathers');
  const size = (axes: readonly number[]): number => axes.reduce((count, each) => count * each, 1);
  const read = ir.inputs.map(({ strides }) => size(ir.extents.filter((_, axis) => strides[axis] !== 0)));
  const written = size(ir.extents.slice(0, ir.outer));
  const bytes = 4 * (read.reduce((sum, count) => sum + count, 0) + written);
  const all = size(ir.extents);
  const isFolded = ir.folds.length > 0;
  const onEach = (term: Scalar): number =>
    [...partsOf(term)].reduce((sum, { kind, fn }) => sum + (kind === 'round' || fn === undefined ? 0 : machine[fn === 'exp' || fn === 'div' ? KINDS[fn] : 'other']), 0); // prettier-ignore
  const computing = isFolded
    ? ir.inputs.length > 1
      ? machine.contraction * 2 * all
      : machine.fold * (all + written)
    : onEach(ir.result) * all;
  return machine.launch + (bytes > machine.cache ? machine.farByte : machine.byte) * bytes + computing;
}

const KINDS = { exp: 'exp', div: 'division' } as const;

/** Each part of a term once. */
function partsOf(term: Scalar): ReadonlySet<Scalar & { readonly fn?: string }> {
  const parts = new Set([term]);
  for (const each of parts) for (const part of subterms(each)) parts.add(part);
  return parts;
}

/** A backend whose kernels compute nothing and move a clock. */
function machineOf(machine: Machine, noise: () => number = () => 0) {
  let now = 0;
  let calls = 0;
  const backend: Backend = {
    ...js(),
    compile: (ir) => ({ run: () => void (now += (nanoseconds(ir, machine) + noise()) / 1e6), dispose: () => undefined }),
  };
  const clock = (): number => {
    calls++;
    return now;
  };
  return { backend, clock, calls: () => calls };
}

const known: Machine = { launch: 400, byte: 0.05, farByte: 0.2, cache: 2 ** 23, fold: 0.3, contraction: 0.02, exp: 4, division: 1, other: 0.5 }; // prettier-ignore
const near = (got: FusionCostModel, want: Machine): void => {
  expect(got.launch).to.be.closeTo(want.launch + want.byte * 8, 0.01);
  expect(got.memoryAccess).to.be.closeTo(want.farByte * 4, 1e-4);
  expect(got.cacheAccess).to.be.closeTo(want.byte * 4, 1e-4);
  expect(got.cacheBytes).to.equal(want.cache);
  expect(got.bandwidth).to.be.closeTo(1e9 / want.farByte, 1e7);
  expect(got.computeOf!.fold).to.be.closeTo(want.fold, 1e-4);
  expect(got.computeOf!.contraction).to.be.closeTo(want.contraction, 1e-4);
  expect(got.computeOf!.elementwise).to.be.closeTo(want.other, 1e-4);
  expect(got.computeOf!.division).to.be.closeTo(want.division, 1e-4);
  expect(got.computeOf!.function).to.be.closeTo(want.exp, 1e-4);
  expect(got.compute).to.equal(got.computeOf!.elementwise);
};

describe('calibrate (F048)', () => {
  it('finds the speeds of a machine', async () => {
    near(await calibrate(machineOf(known)), known);
    if (!isLarge()) return;
    const other = { launch: 9000, byte: 0.4, farByte: 0.6, cache: 2 ** 25, fold: 0.01, contraction: 1, exp: 20, division: 7, other: 3 }; // prettier-ignore
    near(await calibrate(machineOf(other)), other);
  });

  if (isLarge())
    it('gives the same under the same clock, which alone it asks for the time', async () => {
      const [a, b] = [machineOf(known), machineOf(known)];
      expect(await calibrate(a)).to.deep.equal(await calibrate(b));
      expect(a.calls()).to.equal(b.calls());
      expect(a.calls()).to.be.greaterThan(0);
    });

  if (isLarge())
    it('is not misled by rounds that something else made longer', async () => {
      let count = 0;
      near(await calibrate(machineOf(known, () => (count++ % 8000 === 0 ? 1e9 : 0))), known);
    });

  it('waits for kernels that take a while, and leaves none behind', async () => {
    let [open, now] = [0, 0];
    const backend: Backend = {
      ...js(),
      compile: (ir) => {
        open++;
        return {
          run: () => Promise.resolve().then(() => void (now += nanoseconds(ir, known) / 1e6)),
          dispose: () => void open--,
        };
      },
    };
    near(await calibrate({ backend, clock: () => now }), known);
    expect(open).to.equal(0);
  });

  if (isLarge())
    it('gives weights that plans are made by: where launches are dear, small kernels are joined', async () => {
      const g = graph({ x: input([4096]), y: input([4096]) }, ({ x, y }) => ({ z: relu(add(exp(neg(x)), y)) })) as Graph;
      const slow = await calibrate(machineOf({ ...known, launch: 1e6 }));
      const costly = await calibrate(machineOf({ ...known, launch: 1, byte: 1e-6, farByte: 1e-5, exp: 1000, other: 1000 }));
      expect(fusionCost(g, [2, 3], { costs: slow }).benefit).to.be.greaterThan(0.45);
      expect(fusionCost(g, [2, 3], { costs: costly }).benefit).to.be.lessThan(0.01);
      expect([fuse(g, { costs: slow, maxDepth: 4 }).plan.opportunities.length, fuse(g, { costs: costly }).plan.opportunities.length]).to.deep.equal([1, 0]); // prettier-ignore
    });

  // In `npm test` the example of its documentation stands for it.
  if (isLarge())
    it('measures kernels that truly run', async () => {
      const { backend, runs, compiled } = counting();
      let now = 0;
      const costs = await calibrate({ backend, clock: () => (now += 1 + runs() / 1e4) });
      expect(runs()).to.be.greaterThan(1000);
      expect(compiled.length).to.equal(12);
      for (const weight of [costs.launch, costs.memoryAccess, costs.bandwidth]) expect(weight).to.be.greaterThan(0);
    });

  it('refuses a clock that is none, or that stands still', async () => {
    for (const clock of [5 as never, () => 0]) {
      const failure = await calibrate({ backend: machineOf(known).backend, clock }).then(() => 'none', (error: { code: string }) => error.code); // prettier-ignore
      expect(failure).to.equal('E_ARGUMENT');
    }
  });
});
