/** @file Every op's kernels as WebAssembly against the interpreter of the same loop IR, for any layout and dtype. */
import { expect } from 'chai';
import fc from 'fast-check';
import { EinstreamError, tensor, type DType, type Tensor } from '../../../../src/index.js';
import type { WasmKernel } from '../../../../src/codegen/render/wasm/kernel.js';
import { moduleBytes } from '../../../../src/codegen/render/wasm/module.js';
import { renderWasm } from '../../../../src/codegen/render/wasm/render.js';
import '../../../../src/ops/fused.js';
import type { AnyOp } from '../../../../src/ops/op.js';
import { allOps } from '../../../../src/ops/registry.js';
import { anyCall, type Call } from '../../../support/anyCall.js';
import { anyDType, anyLie, anySmallShape, lying, tensorLike, type Lie } from '../../../support/anyLayout.js';
import { exactChain } from '../../../support/exactChain.js';
import { stepsOf, type Step } from '../../../support/lowered.js';
import { PLAIN, TARGETS, runWasm } from '../../../support/runWasm.js';
import { propertyRuns, propertySeed } from '../../../support/property.js';

const DEFAULT = { relative: 1e-6, absolute: 1e-7 };

/** Numbers whose squares and products may leave the dtype. */
const LIMITS: Readonly<Partial<Record<DType, number>>> = { float32: 2 ** 60, float64: 2 ** 500 };
const isExtreme = ({ dtype, buffer }: Tensor): boolean => {
  const limit = LIMITS[dtype] ?? Infinity;
  const leaves = (x: number): boolean => Number.isFinite(x) && x !== 0 && (Math.abs(x) > limit || Math.abs(x) < 1 / limit);
  return (buffer.array as Float32Array).some(leaves);
};

/**
 * What the contract leaves open among extremes: float32 lanes overflow where an intermediate does and float64 would not,
 * and where a fold overflows, or a product underflows, depends on its order. The kernel says what is folded: a group has
 * folds of which its op's name says nothing.
 */
function isOpen({ ir, inputs, want }: Step, got: number, wanted: number): boolean {
  const folds = ir.kind === 'nest' ? ir.folds : [];
  if (want.dtype !== 'int32' && folds.some(({ monoid }) => monoid === 'prod')) return inputs.some(isExtreme);
  if (want.dtype === 'float32') return !Number.isFinite(got) && inputs.some(isExtreme);
  const isOver = want.dtype === 'float64' && (!Number.isFinite(got) || !Number.isFinite(wanted));
  return isOver && folds.length > 0 && inputs.some(isExtreme);
}

function expectNear(got: Tensor, step: Step, op: AnyOp): void {
  const { want } = step;
  const { relative, absolute } = op.tolerance ?? DEFAULT;
  const [a, b] = [got.buffer.array as Float64Array, want.buffer.array as Float64Array];
  const isFloat = want.dtype === 'float32' || want.dtype === 'float64';
  b.forEach((wanted, i) => {
    const slack = isFloat ? relative * Math.abs(wanted) + absolute : 0;
    const isNear = Math.abs(a[i] - wanted) <= slack && !(a[i] === 0 && wanted === 0);
    if (!(Object.is(a[i], wanted) || isNear || isOpen(step, a[i], wanted))) expect.fail(`[${i}] expected ${wanted}, got ${a[i]}`);
  });
}

function steps(op: AnyOp, call: Call): readonly Step[] {
  try {
    return stepsOf(op, call);
  } catch (error) {
    if (error instanceof EinstreamError) return [];
    throw error;
  }
}

/** Sizes around the steps that kernels take: lanes, vectors a step, rows and columns at a time. */
const anyLong = fc
  .array(fc.constantFrom(1, 2, 3, 4, 5, 7, 9, 16, 31, 33, 64, 67, 130, 1030), { minLength: 1, maxLength: 3 })
  .map((shape) => {
    let count = 1;
    return shape.map((size) => {
      const kept = count * size > 8000 ? 2 : size;
      count *= kept;
      return kept;
    });
  });

/** Matrices, of which rows are worth adding up together. */
const wide = fc.tuple(fc.constantFrom(8, 9, 31), fc.constantFrom(64, 67, 130, 1030));
const longShape = fc.oneof(anyLong, wide);

/** Elements without gaps, in any order of axes: what whole vectors are read from. */
const dense = fc
  .nat(2)
  .map((order): Lie => ({ order, gap: 1, flips: 0, repeats: 0, overlaps: null, salt: order, values: 'plain' }));
const longLie = fc.oneof({ arbitrary: dense, weight: 3 }, { arbitrary: anyLie(fc.constant('plain')), weight: 1 });

const longCall = (op: AnyOp): fc.Arbitrary<Call> =>
  longShape.chain((shape) =>
    fc
      .tuple(
        fc.tuple(...Array.from({ length: op.minInputs }, () => tensorLike(shape, anyDType, longLie))),
        fc.oneof(fc.constant([0]), fc.shuffledSubarray(shape.map((_, axis) => axis))),
      )
      .map(([operands, axis]) => ({ op: op.name, operands, params: op.fold === undefined ? {} : { axis } })),
  );
const LONG = ['add', 'relu', 'sigmoid', 'less', 'where', 'identity'];
/** Not products: of so many factors they leave float64, and on which side depends on the order. */
const isLong = ({ name, fold }: AnyOp): boolean =>
  LONG.includes(name) || (fold !== undefined && name !== 'layerNorm' && name !== 'prod');

describe('kernels as WebAssembly', () => {
  const runs = { seed: propertySeed(), numRuns: propertyRuns(4, 300, 3_000) };
  const keys = new Map<string, Buffer>();
  let kernels = 0;
  /** A backend compiles one module for a key, so whatever has the key must be that module. */
  const oneModule = (kernel: WasmKernel): Uint8Array => {
    const { key } = kernel;
    const bytes = Buffer.from(moduleBytes(kernel.source()));
    expect(bytes.equals(keys.get(key) ?? bytes), `two modules for ${key}`).to.equal(true);
    keys.set(key, bytes);
    return bytes;
  };
  const check = (op: AnyOp, call: Call): void => {
    for (const step of steps(op, call)) {
      const { ir, inputs, before } = step;
      for (const target of TARGETS) {
        const kernel = renderWasm(ir, target);
        kernels++;
        runWasm(ir, kernel, inputs, before, oneModule(kernel));
        expectNear(before, step, op);
      }
    }
  };
  for (const op of allOps()) {
    it(`of ${op.name} give what the interpreter gives, for any layout and dtype`, () => {
      fc.assert(
        fc.property(anyCall(op), (call) => check(op, call)),
        runs,
      );
    });
  }

  for (const op of allOps().filter(isLong)) {
    it(`of ${op.name} give what the interpreter gives along axes of any length`, () => {
      fc.assert(
        fc.property(longCall(op), (call) => check(op, call)),
        { ...runs, numRuns: propertyRuns(2, 300, 3_000) },
      );
    });
  }

  it('of fused chains of exactly rounded ops give the bits of the interpreter, in any mixture of dtypes', () => {
    const op = allOps().find(({ name }) => name === 'fused')!;
    fc.assert(
      fc.property(exactChain(anySmallShape({ maxRank: 3 }), anyLie(fc.constant('plain'))), (call) =>
        check({ ...op, tolerance: { relative: 0, absolute: 0 } }, call),
      ),
      runs,
    );
  });

  it('are at most three modules for every batch size from 1 to 64', () => {
    const lie: Lie = { order: 0, gap: 1, flips: 0, repeats: 0, overlaps: null, salt: 0, values: 'plain' };
    const cases = {
      sigmoid: {},
      add: {},
      sum: { axis: [0] },
      mean: { axis: [1] },
      softmax: { axis: [1] },
      argmax: { axis: [1] },
    };
    for (const [name, params] of Object.entries(cases)) {
      const op = allOps().find((each) => each.name === name)!;
      const made = new Set<string>();
      for (let batch = 1; batch <= 64; batch++) {
        const operands = Array.from({ length: op.minInputs }, (_, k) => lying(k === 0 ? [batch, 80] : [80], 'float32', lie));
        for (const { ir } of steps(op, { op: name, operands, params })) made.add(renderWasm(ir, PLAIN).key);
      }
      expect(made.size, name).to.be.within(1, 3);
    }
  });

  it('turn copies of which other axes lie together than before', () => {
    const shape = fc.array(fc.constantFrom(3, 4, 5, 8, 33, 34), { minLength: 2, maxLength: 3 });
    const copy = shape.chain((sizes) =>
      tensorLike(
        sizes,
        fc.constantFrom('float32', 'int32'),
        dense.map((lie) => ({ ...lie, order: 1 })),
      ),
    );
    const identity = allOps().find(({ name }) => name === 'identity')!;
    // One that is turned for certain, whatever is drawn.
    const turned = lying([33, 34], 'float32', {
      order: 1,
      gap: 1,
      flips: 0,
      repeats: 0,
      overlaps: null,
      salt: 1,
      values: 'plain',
    });
    check(identity, { op: 'identity', operands: [turned], params: {} });
    // And rows of columns that are added.
    const total = allOps().find(({ name }) => name === 'sum')!;
    const wideRows = lying([9, 130], 'float32', {
      order: 0,
      gap: 1,
      flips: 0,
      repeats: 0,
      overlaps: null,
      salt: 1,
      values: 'plain',
    });
    check(total, { op: 'sum', operands: [wideRows], params: { axis: [0] } });
    fc.assert(
      fc.property(copy, (x) => check(identity, { op: 'identity', operands: [x], params: {} })),
      runs,
    );
  });

  it('are of every form: maps, folds along and across the vectors, rows of columns, turned copies, gathers', () => {
    // One that is gathered for certain, whatever was drawn.
    const take = allOps().find(({ name }) => name === 'take')!;
    const rows = tensor([[1, 2], [3, 4]]); // prettier-ignore
    check(take, { op: 'take', operands: [rows, tensor([1, 0], { dtype: 'int32' })], params: { axis: 0 } });
    const forms: Record<string, number> = {};
    for (const key of keys.keys()) {
      const [kind, , , form] = key.split('|');
      const name = kind === 'nest' ? form : kind;
      forms[name] = (forms[name] ?? 0) + 1;
    }
    console.log(`      ${kernels} kernels; structures of each form: ${JSON.stringify(forms)}`);
    expect(Object.keys(forms)).to.include.members(['across', 'along', 'columns', 'turned', 'gather']);
  });
});
