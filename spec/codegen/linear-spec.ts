import { expect } from 'chai';
import fc from 'fast-check';
import { EinstreamError } from '../../src/errors/index.js';
import { isTruth, linearize, type Instruction } from '../../src/codegen/linear.js';
import { evaluateScalar } from '../../src/ops/evaluate/scalar.js';
import { s, type Scalar } from '../../src/ops/scalar.js';
import { js } from '../../src/backends/index.js';
import { tensorOver } from '../../src/tensor/tensor.js';
import { anyDType } from '../support/anyLayout.js';
import { anyTerm } from '../support/anyNest.js';
import { propertyRuns, propertySeed } from '../support/property.js';

const x = s.operand(0);
const kinds = (list: readonly Instruction[]): string => list.map((i) => ('fn' in i ? i.fn : i.kind)).join(' ');
const codeOf = (term: unknown): string => {
  try {
    linearize(term as Scalar, 'float64', 1);
  } catch (error) {
    return error instanceof EinstreamError ? error.code : String(error);
  }
  return 'nothing was thrown';
};

describe('a scalar expression as instructions', () => {
  it('lists arguments before what reads them, the value last', () => {
    expect(kinds(linearize(s.div(1, s.add(1, s.exp(s.neg(x)))), 'float32', 1))).to.equal(
      'constant constant operand neg exp add div',
    );
  });

  it('computes a shared term once, and one that two domains share once for each', () => {
    const square = s.mul(x, x);
    expect(kinds(linearize(s.add(square, square), 'float32', 1))).to.equal('operand mul add');
    const wraps = s.roundTo('int32', square);
    expect(kinds(linearize(s.add(square, wraps), 'float32', 1))).to.equal('operand mul operand mul round add');
    expect(linearize(s.add(square, wraps), 'float32', 1)[1]).to.deep.include({ domain: 'float' });
    expect(linearize(s.add(square, wraps), 'float32', 1)[3]).to.deep.include({ domain: 'integer' });
  });

  it('computes in integers what is rounded to int32, by the kernel or by a round', () => {
    expect(linearize(s.mul(x, x), 'int32', 1)[1]).to.deep.include({ domain: 'integer' });
    expect(linearize(s.roundTo('float32', s.mul(x, x)), 'int32', 1)[1]).to.deep.include({ domain: 'float' });
  });

  it('puts the number of folded elements in the place of count', () => {
    expect(linearize(s.div(s.fold(0), s.count), 'float64', 12)[1]).to.deep.equal({ kind: 'constant', value: 12 });
  });

  it('stays linear where a term doubles forty times', () => {
    let term: Scalar = x;
    for (let k = 0; k < 40; k++) term = s.add(term, term);
    expect(linearize(term, 'float32', 1)).to.have.length(41);
  });

  it('says truth only of what is 0 or 1 for every operand', () => {
    fc.assert(
      fc.property(anyTerm(2, 0, false), fc.double(), fc.double(), anyDType, (term, a, b, dtype) => {
        if (!isTruth(linearize(term, dtype, 1).at(-1)!)) return;
        expect([0, 1]).to.include(evaluateScalar(term, [a, b], [], 0, 1, dtype) + 0);
      }),
      { seed: propertySeed(), numRuns: propertyRuns(500, 5_000, 50_000) },
    );
  });

  it('refuses constants that are no numbers (J3)', () => {
    const values: readonly unknown[] = [
      '1',
      '1;globalThis.PWN=4',
      null,
      undefined,
      {},
      [],
      [1],
      5n,
      true,
      Symbol('s'),
      new Number(1),
      { valueOf: () => 1 },
    ];
    for (const value of values) expect(codeOf(s.add(x, { kind: 'constant', value } as Scalar))).to.equal('E_CODEGEN');
    for (const value of values.filter((each) => typeof each !== 'object')) expect(codeOf(value)).to.equal('E_CODEGEN');
  });

  it('takes huge numbers, −0, NaN and the infinities as they are (J3)', () => {
    for (const value of [1.7976931348623157e308, 5e-324, -0, NaN, Infinity, -Infinity, 2 ** 53]) {
      expect(linearize(s.constant(value), 'float64', 1)).to.deep.equal([{ kind: 'constant', value }]);
    }
  });

  it('refuses words that are none of ours, in both kinds of kernel (J2)', () => {
    const evil = "constructor.constructor('globalThis.PWN=4')()";
    const terms = [
      { kind: 'unary', fn: evil, x },
      { kind: 'binary', fn: 'toString', x, y: x },
      { kind: 'operand', index: '0];globalThis.PWN=4;[0' },
      { kind: 'operand', index: -1 },
      { kind: 'fold', index: 0.5 },
      { kind: 'round', dtype: evil, x },
      { kind: '__proto__' },
      s.neg({ kind: evil } as unknown as Scalar),
    ];
    for (const term of terms) expect(codeOf(term), JSON.stringify(term)).to.equal('E_CODEGEN');
    for (const kernels of ['generate', 'interpret'] as const) {
      for (const result of terms as Scalar[]) {
        const out = { dtype: 'float32', strides: [], offset: 0 } as const;
        const compile = () =>
          js({ kernels })
            .compile({ kind: 'nest', extents: [], outer: 0, inputs: [out], folds: [], result, emits: 'group', output: out })
            .run([tensorOver(Float32Array.of(1), 'float32', [])], [tensorOver(Float32Array.of(1), 'float32', [])]);
        expect(compile).to.throw(EinstreamError).with.property('code', 'E_CODEGEN');
      }
    }
    expect('PWN' in globalThis).to.equal(false);
  });
});
