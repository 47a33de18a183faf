/** @file Maps of operands that lie along another axis than what they write, as WebAssembly. */
import { expect } from 'chai';
import fc from 'fast-check';
import { add, evaluate, graph, input, js, mul, run, transpose, wasm, type ComputedDType } from '../../../../src/index.js';
import { renderWasm } from '../../../../src/codegen/render/wasm/render.js';
import '../../../../src/ops/fused.js';
import { knownOp } from '../../../../src/ops/known.js';
import type { Call } from '../../../support/anyCall.js';
import { anyLie, lying, type Lie } from '../../../support/anyLayout.js';
import { exactChain } from '../../../support/exactChain.js';
import { stepsOf } from '../../../support/lowered.js';
import { propertyRuns, propertySeed } from '../../../support/property.js';
import { TARGETS, runWasm } from '../../../support/runWasm.js';
import { differentBits } from '../../../support/sameBits.js';
import { firstValueFrom, of } from 'rxjs';

/** Two axes that are worth turning, around the sizes of tiles and blocks, and one that may be beside them. */
const side = fc.constantFrom(4, 5, 7, 8, 9, 31, 32, 33, 40, 67, 260);
const shapes = fc.tuple(side, side, fc.constantFrom(0, 1, 2, 3), fc.nat(2)).map(([a, b, other, at]) => {
  const pair = a * b < 1024 ? [a, Math.ceil(1024 / a)] : [a, b];
  return other === 0 || a * b > 4096 ? pair : pair.toSpliced(at, 0, other);
});

/** Elements without gaps, whose axes lie in any order. */
const dense = fc.record({
  order: fc.nat(2),
  gap: fc.constant(1),
  flips: fc.constant(0),
  repeats: fc.constant(0),
  overlaps: fc.constant(null),
  salt: fc.nat(1000),
  values: fc.constantFrom<Lie['values']>('plain', 'special'),
});
const lies = fc.oneof({ arbitrary: dense, weight: 5 }, { arbitrary: anyLie(), weight: 1 });

/** Numbers of one dtype, and truth values beside them. */
const chains = fc.oneof(
  ...(['float32', 'int32', 'float64'] as const).map((dtype) =>
    exactChain(shapes, lies, fc.constantFrom<ComputedDType>(dtype, dtype, dtype, 'bool')),
  ),
);

const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, k) => from + k);

describe('maps of turned operands, as WebAssembly', () => {
  const forms = new Map<string, number>();
  const check = (call: Call): void => {
    for (const { ir, inputs, before, want } of stepsOf(knownOp(call.op)!, call)) {
      for (const target of TARGETS) {
        const kernel = renderWasm(ir, target);
        const form = kernel.key.split('|')[3];
        forms.set(form, (forms.get(form) ?? 0) + 1);
        runWasm(ir, kernel, inputs, before);
        expect(differentBits(before, want), form).to.equal(undefined);
      }
    }
  };

  it('give the bits of the interpreter, beside operands that lie as they are written or stand still', () => {
    fc.assert(
      fc.property(chains, (call) => check(call)),
      { seed: propertySeed(), numRuns: propertyRuns(60, 1_000, 10_000) },
    );
    console.log(`      structures of each form: ${JSON.stringify(Object.fromEntries(forms))}`);
  });

  it('take the form of tiles at every remainder of both axes', () => {
    const lie = (order: number, salt: number): Lie =>
      ({ order, gap: 1, flips: 0, repeats: 0, overlaps: null, salt, values: 'plain' }); // prettier-ignore
    const sizes = range(33, 41).flatMap((rows) => range(33, 36).map((columns) => [rows, columns]));
    for (const dtype of ['float32', 'int32', 'float64'] as const) {
      for (const [rows, columns] of sizes) {
        const operands = [lying([rows, columns], dtype, lie(1, rows)), lying([rows, columns], dtype, lie(0, columns))];
        const steps = [
          { op: 'add', params: {}, args: [0, 1] },
          { op: 'relu', params: {}, args: [2] },
        ];
        forms.clear();
        check({ op: 'fused', operands, params: { steps } });
        expect([...forms.keys()], `${rows} by ${columns} ${dtype}`).to.deep.equal(['turned']);
      }
    }
  });

  it('never read an element after another was written over it', async () => {
    const g = graph({ x: input([48, 48]) }, ({ x }) => {
      const twice = mul(x, 2);
      return { y: add(twice, transpose(twice)) };
    });
    const x = Float32Array.from({ length: 48 * 48 }, (_, k) => k);
    const want = await evaluate(g, { x }, { backend: js() });
    const backend = await wasm();
    const { y } = await firstValueFrom(of({ x }).pipe(run(g, { backend })));
    await backend.close();
    expect(differentBits(y, want.y)).to.equal(undefined);
  });
});
