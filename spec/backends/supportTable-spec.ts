/** @file The table of ops and dtypes: every cell is what happens. */
import { expect } from 'chai';
import { js, supportTable } from '../../src/backends/index.js';
import { graph, param } from '../../src/graph/builder.js';
import type { Example } from '../../src/ops/op.js';
import { allOps, ops } from '../../src/ops/registry.js';
import { evaluateSync } from '../../src/run/index.js';
import { tensor } from '../../src/tensor/create.js';
import { COMPUTED_DTYPES, isComputed, STORAGE_DTYPES } from '../../src/tensor/dtype.js';
import { exampleCases } from '../../src/testing/conformance/cases.js';
import { claiming } from '../support/claiming.js';
import { thrownBy } from '../support/thrownBy.js';

describe('the table of ops and dtypes (F086)', () => {
  it('has a cell for each op and each dtype, computed and stored', () => {
    expect(supportTable(js())).to.have.length(allOps().length * (COMPUTED_DTYPES.length + STORAGE_DTYPES.length));
  });

  it('says yes where js runs the op, and no where running gives that very error', () => {
    const definitions = new Map(allOps().map((op) => [op.name, op]));
    let [yes, no] = [0, 0];
    for (const { op, dtype, isNative, diagnostic, alternatives } of supportTable(js())) {
      const place = `${op} of ${dtype}`;
      const run = (): void => {
        if (isComputed(dtype)) {
          const cases = exampleCases(definitions.get(op)!, dtype);
          if (cases.length > 0) return cases.forEach(({ graph: g, feeds }) => void evaluateSync(g, feeds, { fallback: 'never' }));
        }
        const [example] = definitions.get(op)!.examples;
        const count = Array.isArray(example) ? 1 : (example as Example).inputs.length;
        const params = Array.isArray(example) ? {} : ((example as Example).params ?? {});
        // Stored alone, or refused by the op: the graph cannot be written.
        graph({ x: param(tensor([1, 1], { dtype })) }, ({ x }) => ({
          y: ops[op](...Array.from({ length: count }, () => x), params) as typeof x,
        }));
      };
      if (isNative) {
        run();
        yes++;
      } else {
        const error = thrownBy(run);
        expect(['E_DTYPE', 'E_OP', 'E_ARGUMENT'], place).to.include(error.code);
        expect(diagnostic!.code, place).to.equal(error.diagnostic.code);
        expect(alternatives, place).to.deep.equal([]);
        no++;
      }
    }
    console.log(`    ${yes} cells run, ${no} are refused`);
    expect(yes).to.be.greaterThan(250);
  });

  it('names js where another backend says no', () => {
    const narrow = claiming({ dtypes: ['float32'], excludes: [{ op: 'exp' }, { op: 'relu', dtypes: ['float32'] }] });
    const cell = (op: string, dtype: string) => supportTable(narrow).find((each) => each.op === op && each.dtype === dtype)!;
    expect(cell('exp', 'float32')).to.deep.include({ isNative: false, alternatives: ['js'] });
    expect(cell('exp', 'float32').diagnostic!.code).to.equal('E_OP');
    expect(cell('relu', 'float32').diagnostic!.code).to.equal('E002');
    expect(cell('tanh', 'float64').diagnostic!.message).to.match(
      /backend narrow must know the dtype.*float32.*float64.*use backend js/,
    );
    expect(cell('tanh', 'float32').isNative).to.equal(true);
    expect(cell('tanh', 'int8').alternatives).to.deep.equal([]);
  });
});
