/** @file Every op on random operands: generated kernels, interpreted kernels and the evaluator give the same bits. */
import { expect } from 'chai';
import fc from 'fast-check';
import { EinstreamError, js, type Tensor } from '../../src/index.js';
import { evaluateOp } from '../../src/ops/evaluate.js';
import '../../src/ops/fused.js';
import { readParams } from '../../src/ops/params.js';
import { allOps } from '../../src/ops/registry.js';
import { applyInGraph } from '../oracle/throughGraph.js';
import { anyCall, type Call } from '../support/anyCall.js';
import { propertyRuns, propertySeed } from '../support/property.js';
import { differentOutcomes, type Outcome } from '../support/sameBits.js';

/** The value, or the code of the error. */
function outcome(compute: () => Tensor): Outcome {
  try {
    return compute();
  } catch (error) {
    if (error instanceof EinstreamError) return error.code;
    throw error;
  }
}

const ways = {
  generated: applyInGraph(js({ kernels: 'generate' }), { sizes: 'open' }),
  interpreted: applyInGraph(js({ kernels: 'interpret' })),
};

describe('every op', function () {
  this.timeout(300_000); // at its full size
  const runs = { seed: propertySeed(), numRuns: propertyRuns(3, 100, 1_000) };
  let values = 0;
  for (const op of allOps()) {
    it(`${op.name} gives the same bits on generated and interpreted kernels as evaluated, for any layout and dtype (N9)`, () => {
      fc.assert(
        fc.property(anyCall(op), ({ operands, params }: Call) => {
          const want = outcome(() => evaluateOp(op, operands, readParams(op, params, { op: op.name })));
          if (typeof want !== 'string') values++;
          for (const [way, apply] of Object.entries(ways)) {
            const got = outcome(() => apply(op.name, operands, params));
            expect(differentOutcomes(got, want), way).to.equal(undefined);
          }
        }),
        runs,
      );
    });
  }

  after(() => console.log(`    ${allOps().length} ops, ${values} calls with a value`));
});
