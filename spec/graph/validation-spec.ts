/** @file A validation as a record with counts. */
import { expect } from 'chai';
import { constant, graph, input } from '../../src/graph/builder.js';
import { validateOrThrow, validationOf } from '../../src/graph/validation.js';
import { add } from '../../src/ops/index.js';
import { tensor } from '../../src/tensor/create.js';

describe('validationOf (F093)', () => {
  const sound = graph({ x: input([2]), c: input([2]) }, ({ x }) => ({ y: add(x, 1) }));

  it('sums up: valid or not, errors, warnings, counts', () => {
    const { isValid, errors, warnings, stats } = validationOf(sound);
    expect([isValid, errors.length, warnings.length]).to.deep.equal([true, 0, 1]);
    expect(stats).to.deep.equal({ nodes: 4, operations: 1, inputs: 2, outputs: 1 });
  });

  it('merges with another', () => {
    const both = validationOf(sound).merge(validationOf(graph({ c: constant(tensor(1)) }, () => ({}))));
    expect([both.isValid, both.errors.length, both.warnings.length]).to.deep.equal([false, 1, 2]);
    expect(both.stats).to.deep.equal({ nodes: 5, operations: 1, inputs: 2, outputs: 1 });
  });

  it('comes or throws: validateOrThrow', () => {
    expect(validateOrThrow(sound).isValid).to.equal(true);
    expect(() => validateOrThrow(graph({ c: constant(tensor(1)) }, () => ({}))))
      .to.throw('must have an output')
      .with.property('code', 'E_GRAPH');
  });
});
