import { expect } from 'chai';
import fc from 'fast-check';
import { generate } from '../../src/codegen/generate.js';
import { interpret, type KernelFunction } from '../../src/codegen/interpret.js';
import type { KernelIR } from '../../src/codegen/ir.js';
import { renderJs } from '../../src/codegen/render/js.js';
import { outOfRange } from '../../src/codegen/gather.js';
import { INTEGER_FUNCTIONS, SCALAR_FUNCTIONS } from '../../src/ops/math.js';
import { anyNest, resultOf } from '../support/anyNest.js';
import { propertyRuns, propertySeed } from '../support/property.js';

const generated = (ir: KernelIR): KernelFunction =>
  generate(renderJs(ir), { ...SCALAR_FUNCTIONS, integer: INTEGER_FUNCTIONS.binary, outOfRange }) as KernelFunction;

describe('an interpreted kernel', function () {
  this.timeout(300_000); // at its full size
  it('writes what the generated one writes, bit for bit, and nothing beside', () => {
    fc.assert(
      fc.property(anyNest, ({ ir, inputs }) => {
        const [got, want] = [resultOf(interpret(ir), ir, inputs), resultOf(generated(ir), ir, inputs)];
        expect(got.length).to.equal(want.length);
        want.forEach((value, i) =>
          expect(Object.is(got[i], value), `[${i}] generated ${value}, interpreted ${got[i]}`).to.equal(true),
        );
      }),
      { seed: propertySeed(), numRuns: propertyRuns(150, 5_000, 100_000) },
    );
  });
});
