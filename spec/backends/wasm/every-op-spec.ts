/** @file Every op on wasm: its examples, and random calls of any layout and dtype against its definition. */
import { expect } from 'chai';
import fc from 'fast-check';
import { EinstreamError, type Backend, type Tensor } from '../../../src/index.js';
import { evaluateOp } from '../../../src/ops/evaluate.js';
import type { AnyOp } from '../../../src/ops/op.js';
import { readParams } from '../../../src/ops/params.js';
import { allOps } from '../../../src/ops/registry.js';
import { applyInGraph } from '../../oracle/throughGraph.js';
import { differences, examplesOf } from '../../ops/examples.js';
import { anyCall, type Call } from '../../support/anyCall.js';
import { retyped } from '../../support/anyLayout.js';
import { farFrom, magnitudesOf } from '../../support/near.js';
import { propertyRuns, propertySeed } from '../../support/property.js';
import type { Outcome } from '../../support/sameBits.js';
import { onEachWasm, PLAIN_OR_ALL } from '../../support/wasmVariants.js';

/** The value, or the code of the error. */
function outcome(compute: () => Tensor): Outcome {
  try {
    return compute();
  } catch (error) {
    if (error instanceof EinstreamError) return error.code;
    throw error;
  }
}

/** Numbers far from the ends of their dtype: there float32 steps and float64 ones may differ, which the kernels' own specs measure. */
const plain = ({ gather }: AnyOp, operands: readonly Tensor[]): readonly Tensor[] =>
  operands.map((x, at) => (gather !== undefined && at === 1 ? x : retyped(x, x.dtype as 'float32', 'plain', at + 7)));

const defined = (op: AnyOp, operands: readonly Tensor[], params: Call['params']): Outcome =>
  outcome(() => evaluateOp(op, operands, readParams(op, params, { op: op.name })));

onEachWasm(
  'every op on wasm',
  (backend) => {
    const runs = { seed: propertySeed(), numRuns: propertyRuns(1, 60, 1_000) };
    const tally = { examples: 0, values: 0, errors: 0 };
    const ways = (on: Backend) => [
      applyInGraph(on, { level: 'none', sizes: 'open', fallback: 'never' }),
      applyInGraph(on, { level: 'standard', fallback: 'never' }),
    ];

    it('gives what its examples say', () => {
      for (const op of allOps()) {
        for (const { inputs, params, output } of examplesOf(op)) {
          for (const apply of ways(backend()))
            expect(differences(apply(op.name, inputs, params), output), op.name).to.deep.equal([]);
          tally.examples++;
        }
      }
    });

    it('is within its tolerance of its definition, natively, for any layout, dtype and parameters (N9)', () => {
      for (const op of allOps()) {
        fc.assert(
          fc.property(anyCall(op), ({ operands: drawn, params }) => {
            const operands = plain(op, drawn);
            const want = defined(op, operands, params);
            const scale = op.contract === undefined ? want : defined(op, operands.map(magnitudesOf), params);
            for (const apply of ways(backend())) {
              const far = farFrom(outcome(() => apply(op.name, operands, params)), want, op, scale); // prettier-ignore
              expect(far, op.name).to.equal(undefined);
            }
            if (typeof want === 'string') tally.errors++;
            else tally.values++;
          }),
          runs,
        );
      }
    });

    after(() =>
      console.log(
        `      ${allOps().length} ops: ${tally.examples} examples, ${tally.values} random calls with a value, ${tally.errors} refused as by definition; all natively`,
      ),
    );
  },
  PLAIN_OR_ALL,
);
