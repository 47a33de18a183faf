import { expect } from 'chai';
import { fault } from '../../src/errors/index.js';
import { tensorOver } from '../../src/tensor/tensor.js';
import { compare, decode, judge, loadCases, readFamily, tensorOf, type Case, type CaseNumber } from './corpus.js';

const caseOf = (data: readonly CaseNumber[], more: Partial<Case> = {}): Case => ({
  id: 'made-up',
  kind: 'unary',
  note: '',
  inputs: [{ shape: [1], dtype: 'float64', data: [0] }],
  expected: { shape: [data.length], data },
  rtol: 0,
  atol: 0,
  ...more,
});
const doubles = (...values: number[]) => tensorOver(Float64Array.from(values), 'float64', [values.length]);
const single: Partial<Case> = { inputs: [{ shape: [1], dtype: 'float32', data: [0] }] };

describe('the oracle corpus', () => {
  it('holds 956 cases in ten families', () => {
    const counts = (
      ['binary', 'bugs', 'einsum', 'grad', 'quant', 'reduce', 'softlogic', 'softmax', 'unary', 'view'] as const
    ).map((f) => readFamily(f).length);
    expect(counts).to.deep.equal([114, 62, 290, 150, 62, 77, 31, 24, 75, 71]);
  });

  it('spells what JSON cannot say', () => {
    expect(decode('NaN')).to.be.NaN;
    expect(decode('-Infinity')).to.equal(-Infinity);
    expect(Object.is(decode('-0'), -0)).to.equal(true);
    expect(() => decode('nonsense')).to.throw('no number');
  });

  it('has inputs that fill their shapes, in every family', () => {
    for (const family of ['binary', 'einsum', 'grad', 'quant', 'reduce', 'softlogic', 'softmax', 'unary', 'view'] as const) {
      for (const c of loadCases(family)) for (const input of c.inputs) expect(tensorOf(input).size).to.equal(input.data.length);
    }
  });

  it('lets a result differ by atol + rtol·|want| and no more', () => {
    expect(compare(doubles(10.2), caseOf([10], { rtol: 0.01, atol: 0.1 }))).to.equal(undefined);
    expect(compare(doubles(10.21), caseOf([10], { rtol: 0.01, atol: 0.1 }))).to.match(
      /1 of 1 elements differ.*expected 10, got 10.21/,
    );
  });

  it('matches NaN with NaN alone and an infinity with itself alone', () => {
    expect(compare(doubles(NaN, Infinity, -Infinity), caseOf(['NaN', 'Infinity', '-Infinity']))).to.equal(undefined);
    for (const [got, want] of [
      [0, 'NaN'],
      [NaN, 0],
      [NaN, 'Infinity'],
      [-Infinity, 'Infinity'],
      [Infinity, 1],
      [1e308, 'Infinity'],
    ] as const) {
      expect(compare(doubles(got), caseOf([want], { rtol: 0.5, atol: 1 })), `${got} for ${want}`).to.be.a('string');
    }
  });

  it('tells -0 from 0 where the case asks', () => {
    expect(compare(doubles(0), caseOf(['-0']))).to.equal(undefined);
    expect(compare(doubles(0), caseOf(['-0'], { signedZero: true }))).to.contain('expected -0, got 0');
    expect(compare(doubles(-0), caseOf([0], { signedZero: true }))).to.contain('expected 0, got -0');
  });

  it('reads the decimals of a float32 case as float32 numbers', () => {
    const got = tensorOver(Float32Array.of(0.1), 'float32', [1]);
    expect(compare(got, caseOf([0.1], single))).to.equal(undefined);
    expect(compare(got, caseOf([0.1]))).to.be.a('string');
  });

  it('compares shapes first', () => {
    expect(compare(tensorOver(Float64Array.of(1), 'float64', []), caseOf([1]))).to.equal('shape: expected [1], got []');
  });

  it("wants an error to be thrown, and to be the engine's own", () => {
    const wrong = caseOf([], { expected: { error: 'rank' } });
    expect(judge(wrong, () => doubles(1))).to.contain('expects an error (rank)');
    expect(
      judge(wrong, () => {
        throw new TypeError('no');
      }),
    ).to.contain('expected an EinstreamError');
    expect(
      judge(wrong, () => {
        throw fault('E_SHAPE', { rule: 'no' });
      }),
    ).to.equal(undefined);
    expect(() =>
      judge(caseOf([1]), () => {
        throw new TypeError('no');
      }),
    ).to.throw(TypeError);
  });
});
