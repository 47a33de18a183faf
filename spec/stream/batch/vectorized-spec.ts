/** @file The items of a batch in one run: the same numbers, one kernel call each (F014). */
import { expect } from 'chai';
import fc from 'fast-check';
import { of } from 'rxjs';
import {
  add,
  EinstreamError,
  einsum,
  evaluateSync,
  graph,
  input,
  js,
  param,
  relu,
  reshape,
  softmax,
  sum,
  tensor,
  vectorized,
  type Diagnostic,
  type Outputs,
  type VectorizedOptions,
} from '../../../src/index.js';
import { counting } from '../../support/countingBackend.js';
import { plain } from '../../support/marbles.js';
import { propertyRuns, propertySeed } from '../../support/property.js';
import { expectNothingUncaught } from '../../support/uncaught.js';
import { watch } from '../../support/watch.js';

const w = tensor([[1, 2], [0.1, -4], [7, 0.3]]); // prettier-ignore
const g = graph({ x: input(['n', 3]), w: param(w) }, (all) => ({
  y: softmax(relu(add(einsum('ni,io->no', all.x, all.w), 0.7)), { axis: 1 }),
  rows: sum(all.x, { axis: 1 }),
}));
const across = graph({ x: input(['n', 3]) }, ({ x }) => ({ y: sum(x) }));
type Items = readonly { readonly x: number[][] }[];
const codeOf = (error: unknown): unknown => (error instanceof EinstreamError ? error.code : error);

describe('vectorized (F014)', () => {
  expectNothingUncaught();

  it('gives each item what it would have alone, bit for bit, in one run of each kernel', () => {
    const row = fc.tuple(...[0, 1, 2].map(() => fc.double({ min: -9, max: 9, noNaN: true })));
    const batch = fc.array(fc.record({ x: fc.array(row, { minLength: 1, maxLength: 4 }) }), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(batch, (items) => {
        const { backend, taken } = counting();
        const { values } = watch(of(items as unknown as Items).pipe(vectorized(g, { fallback: 'never', run: { backend } })));
        const kernels = taken();
        const alone = items.map((item) => evaluateSync(g, item as never, { backend }) as Outputs);
        expect(taken()).to.equal(kernels * items.length);
        expect(values[0].map((each) => plain({ ...each }))).to.deep.equal(alone.map((each) => plain({ ...each })));
      }),
      { seed: propertySeed(), numRuns: propertyRuns(8, 300, 3000) },
    );
  });

  it('hands rows out as views of one output', () => {
    const [items] = watch(of([{ x: [[1, 2, 3]] }, { x: [[4, 5, 6]] }]).pipe(vectorized(g))).values;
    expect(items[0].rows.buffer).to.equal(items[1].rows.buffer);
    expect(watch(of([] as Items).pipe(vectorized(g))).values).to.deep.equal([[]]);
  });

  describe('where items cannot be joined', () => {
    /** What came, why items ran alone, and how many kernels it took. */
    const outcome = (batches: readonly (readonly object[])[], options: VectorizedOptions = {}, of_ = across) => {
      const { backend, taken } = counting(js());
      const told: Diagnostic[] = [];
      const seen = watch(of(...(batches as never[])).pipe(vectorized(of_ as never, { onDiagnostic: (each) => told.push(each), run: { backend }, ...options }))); // prettier-ignore
      const values = seen.values.map((items) => items.map((each) => Object.values(each)[0].toArray()));
      return {
        values,
        told: told.map(({ message, severity }) => `${severity} ${message}`),
        error: codeOf(seen.error),
        kernels: taken(),
      };
    };

    it('runs them one by one, and says why, once', () => {
      const batch = [{ x: [[1, 2, 3]] }, { x: [[4, 5, 6], [1, 1, 1]] }]; // prettier-ignore
      const { values, told, kernels } = outcome([batch, batch]);
      expect(values).to.deep.equal([[6, 18], [6, 18]]); // prettier-ignore
      expect(kernels).to.equal(4);
      expect(told).to.have.length(1);
      expect(told[0]).to.match(/^info .*rows alike.*no rows/);
    });

    it('does so for an item that feeds a param, and for sizes that differ behind the rows', () => {
      const other = tensor([[0, 0], [0, 0], [0, 1]]); // prettier-ignore
      const fed = outcome([[{ x: [[1, 2, 3]] }, { x: [[1, 2, 3]], w: other }]], {}, g);
      expect(fed.told[0]).to.match(/feeds the param w/);
      const open = graph({ x: input(['n', 'm']) }, ({ x }) => ({ y: sum(x, { axis: 1 }) }));
      const differing = outcome([[{ x: [[1, 2, 3]] }, { x: [[1, 2]] }]], {}, open);
      expect(differing.values).to.deep.equal([[[6], [3]]]);
      expect(differing.told).to.have.length(1);
    });

    it('does so where outputs have other rows than inputs, as sizes show', () => {
      const g2 = graph({ x: input(['n', 'a', 'b']) }, ({ x }) => ({ y: reshape(x, { shape: [-1, 35] }) }));
      const block = Array.from({ length: 10 }, () => Array.from({ length: 7 }, () => 1));
      const { values, told } = outcome([[{ x: [block] }, { x: [block] }]], {}, g2);
      expect((values[0] as number[][][]).map(({ length }) => length)).to.deep.equal([2, 2]);
      expect(told[0]).to.match(/other rows/);
    });

    it("is an error with fallback 'never': of the graph at the call, of a batch on the stream", () => {
      expect(() => vectorized(across, { fallback: 'never' }))
        .to.throw(EinstreamError, /no rows/)
        .with.property('code', 'E_ARGUMENT');
      const open = graph({ x: input(['n', 'm']) }, ({ x }) => ({ y: sum(x, { axis: 1 }) }));
      expect(outcome([[{ x: [[1, 2, 3]] }, { x: [[1, 2]] }]], { fallback: 'never' }, open).error).to.equal('E_ARGUMENT');
    });

    it('passes on what a callback throws', () => {
      const broken = (): never => {
        throw new Error('mine');
      };
      expect(outcome([[{ x: [[1, 2, 3]] }]], { onDiagnostic: broken }).error).to.equal('E_CONSUMER');
    });
  });

  it('refuses wrong options at the call', () => {
    for (const options of [{ fallback: 'js' }, { run: { outputs: 'borrow' } }, { concurrency: 3 }])
      expect(() => vectorized(g, options as never))
        .to.throw(EinstreamError)
        .with.property('code', 'E_ARGUMENT');
  });
});
