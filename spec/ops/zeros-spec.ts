/** @file Every parameter of every op set to zero and its like: a value or one of the engine's errors, nothing else. */
import { expect } from 'chai';
import { EinstreamError } from '../../src/errors/index.js';
import '../../src/ops/index.js';
import { allOps, ops } from '../../src/ops/registry.js';
import { tensor } from '../../src/tensor/create.js';
import { zeros } from '../../src/tensor/fill.js';
import type { Tensor } from '../../src/tensor/tensor.js';

const ZEROS: readonly unknown[] = [
  0,
  -0,
  -1,
  NaN,
  Infinity,
  0.5,
  [],
  [0],
  [-1],
  [0, 0],
  [[0, 0]],
  [[]],
  null,
  '',
  'x',
  false,
  {},
  [null],
  [{ kind: 'range', start: 0, stop: 0, step: 0 }],
];
const OPERANDS: readonly Tensor[] = [
  tensor(2),
  tensor([1, 2, 3]),
  zeros([0]),
  zeros([2, 0]),
  tensor([
    [1, 2],
    [3, 4],
  ]),
  tensor(Int32Array.of(0, 1)),
];
const ALLOWED = ['E_SHAPE', 'E_OP', 'E_ARGUMENT', 'E_DTYPE', 'E_LIMIT', 'E_PARSE', 'E_NUMERIC'];

describe('a parameter set to zero', () => {
  const withParams = allOps().filter((op) => Object.keys(op.params).length > 0);
  let [tried, refused, pairs] = [0, 0, 0];

  for (const op of withParams) {
    for (const key of Object.keys(op.params)) {
      it(`${op.name} with ${key} has a result or a typed error (G11)`, () => {
        pairs++;
        for (const value of ZEROS) {
          for (const operand of OPERANDS) {
            const count = op.maxInputs === Infinity ? 2 : op.minInputs;
            tried++;
            try {
              ops[op.name](...new Array<Tensor>(count).fill(operand), { [key]: value });
            } catch (error) {
              refused++;
              expect(error, `${String(error)} for ${JSON.stringify(value)}`).to.be.instanceOf(EinstreamError);
              expect(ALLOWED).to.include((error as EinstreamError).code);
            }
          }
        }
      });
    }
  }

  after(() => {
    const all = withParams.reduce((total, op) => total + Object.keys(op.params).length, 0);
    console.log(`    parameters covered: ${pairs}/${all} of ${withParams.length} ops, ${tried} calls, ${refused} typed refusals`);
  });

  it('axis 0 of a scalar is E_SHAPE in every op that has an axis, but for the one that makes it (G11)', () => {
    for (const op of withParams.filter(
      ({ name, params, minInputs }) => 'axis' in params && minInputs === 1 && name !== 'unsqueeze',
    )) {
      const params = 'repeats' in op.params ? { axis: 0, repeats: 1 } : { axis: 0 };
      expect(() => ops[op.name](tensor(1), params), op.name)
        .to.throw(EinstreamError)
        .with.property('code', 'E_SHAPE');
    }
  });
});
