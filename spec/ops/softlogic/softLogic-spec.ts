import { expect } from 'chai';
import fc from 'fast-check';
import { EinstreamError } from '../../../src/errors/index.js';
import {
  nand,
  nor,
  oneMinus,
  orMax,
  orProbSum,
  softLogic,
  xor,
  type Logic,
  type SoftLogic,
  type SoftLogicOptions,
} from '../../../src/ops/index.js';
import { tensor, type Tensor } from '../../../src/tensor/index.js';
import { propertyRuns, propertySeed } from '../../support/property.js';

const LOGICS: readonly Logic[] = ['product', 'lukasiewicz', 'godel'];
const runs = { seed: propertySeed(), numRuns: propertyRuns(200, 2_000, 20_000) };
/** Multiples of 1/64: sums and differences are exact. */
const truth = fc.integer({ min: 0, max: 64 }).map((n) => n / 64);
const value = (t: Tensor): number => (t.data as Float64Array)[0];
const scalar = (x: number): Tensor => tensor(Float64Array.of(x), { shape: [] });

type Rule = (a: number, b: number) => number;
const binary =
  (logic: SoftLogic, name: 'and' | 'or' | 'implies' | 'xor' | 'nand' | 'nor'): Rule =>
  (a, b) =>
    value(logic[name](scalar(a), scalar(b)));

describe('softLogic', () => {
  for (const name of LOGICS) {
    describe(name, () => {
      const logic = softLogic(name);
      const and = binary(logic, 'and');
      const or = binary(logic, 'or');
      const implies = binary(logic, 'implies');

      it('is classical on 0 and 1, with every option that is a fold', () => {
        const options: readonly SoftLogicOptions[] = [
          {},
          { implies: 'material' },
          { not: 'godel' },
          { exists: 'max', forall: 'dual' },
          { forall: 'min' },
        ];
        for (const given of options) {
          const classical = softLogic(name, given);
          for (const a of [0, 1]) {
            expect(value(classical.not(scalar(a)))).to.equal(1 - a);
            for (const b of [0, 1]) {
              const table = { and: a & b, or: a | b, xor: a ^ b, nand: 1 - (a & b), nor: 1 - (a | b), implies: a <= b ? 1 : 0 };
              for (const [op, want] of Object.entries(table))
                expect(binary(classical, op as keyof typeof table)(a, b), `${op}(${a}, ${b})`).to.equal(want);
              expect(value(classical.forall(tensor([a, b])))).to.equal(a & b);
              expect(value(classical.exists(tensor([a, b])))).to.equal(a | b);
            }
          }
        }
      });

      it('and is commutative, associative, monotone, with 1 neutral; or is its dual', () => {
        fc.assert(
          fc.property(truth, truth, truth, (a, b, c) => {
            expect(and(a, b)).to.equal(and(b, a));
            expect(and(a, and(b, c))).to.be.closeTo(and(and(a, b), c), 1e-12);
            expect(and(a, 1)).to.equal(a);
            if (a <= c) expect(and(a, b)).to.be.at.most(and(c, b));
            expect(or(a, b)).to.be.closeTo(1 - and(1 - a, 1 - b), 1e-12);
            for (const rule of [and, or, implies]) expect(rule(a, b)).to.be.within(0, 1);
          }),
          runs,
        );
      });

      it('implies is the residuum: and(a, z) ≤ b exactly for z ≤ implies(a, b)', () => {
        fc.assert(
          fc.property(truth, truth, truth, (a, b, z) => {
            const most = implies(a, b);
            // Quotients are rounded, so z on the edge may fall to either side.
            fc.pre(Math.abs(z - most) > 1e-12 || z === most);
            if (z <= most) expect(and(a, z)).to.be.at.most(b + 1e-12);
            else expect(and(a, z)).to.be.above(b - 1e-12);
          }),
          runs,
        );
      });

      it('material implication is or(not a, b), nand and nor are the negations', () => {
        const material = binary(softLogic(name, { implies: 'material' }), 'implies');
        fc.assert(
          fc.property(truth, truth, (a, b) => {
            expect(material(a, b)).to.equal(or(1 - a, b));
            expect(binary(logic, 'nand')(a, b)).to.equal(1 - and(a, b));
            expect(binary(logic, 'nor')(a, b)).to.equal(1 - or(a, b));
          }),
          runs,
        );
      });

      it('quantifiers are and and or folded over the axis', () => {
        fc.assert(
          fc.property(fc.array(truth, { minLength: 1, maxLength: 5 }), (values) => {
            const t = tensor(Float64Array.from(values));
            expect(value(logic.forall(t))).to.be.closeTo(values.reduce(and), 1e-12);
            expect(value(logic.exists(t))).to.be.closeTo(values.reduce(or), 1e-12);
            expect(value(softLogic(name, { forall: 'dual' }).forall(t))).to.be.closeTo(value(logic.forall(t)), 1e-12);
          }),
          runs,
        );
      });

      it('keeps float32', () => {
        const half = tensor([0.5]);
        for (const op of ['and', 'or', 'implies', 'xor', 'nand', 'nor'] as const)
          expect(logic[op](half, half).dtype).to.equal('float32');
        expect(logic.exists(half).dtype).to.equal('float32');
      });
    });
  }

  it('takes further quantifiers by name', () => {
    const t = tensor([
      [0.25, 0.75],
      [1, 0],
    ]);
    const of = (options: SoftLogicOptions) => softLogic('product', options);
    expect(of({ exists: 'mean' }).exists(t, { axis: 1 }).toArray()).to.deep.equal([0.5, 0.5]);
    expect(of({ exists: 'sum' }).exists(t, { axis: 0 }).toArray()).to.deep.equal([1.25, 0.75]);
    expect(of({ exists: 'max' }).exists(t).toArray()).to.equal(1);
    expect(of({ exists: 'logsumexp' }).exists(t, { axis: 1, keepdims: true }).toArray()).to.deep.equal([[1], [1]]);
    expect(of({ forall: 'mean' }).forall(t, { axis: 1 }).toArray()).to.deep.equal([0.5, 0.5]);
    expect(of({ forall: 'min' }).forall(t, { axis: 1 }).toArray()).to.deep.equal([0.25, 0]);
  });

  it('refuses an unknown logic or option', () => {
    const faults = [
      () => softLogic('fuzzy' as Logic),
      () => softLogic('godel', { implies: 'relu' as 'material' }),
      () => softLogic('godel', { exist: 'max' } as SoftLogicOptions),
    ];
    for (const act of faults) expect(act).to.throw(EinstreamError).with.property('code', 'E_ARGUMENT');
  });
});

describe('the interchange format’s soft formulas', () => {
  it('are classical on 0 and 1, and follow their formula between', () => {
    fc.assert(
      fc.property(truth, truth, (a, b) => {
        const of = (op: typeof nand): number => value(op(scalar(a), scalar(b)));
        expect(of(nand)).to.equal(1 - a * b);
        expect(of(nor)).to.equal(1 - Math.max(a, b));
        expect(of(xor)).to.equal(a + b - 2 * a * b);
        expect(of(orMax)).to.equal(Math.max(a, b));
        expect(of(orProbSum)).to.equal(a + b - a * b);
        expect(value(oneMinus(scalar(a)))).to.equal(1 - a);
      }),
      runs,
    );
  });
});
