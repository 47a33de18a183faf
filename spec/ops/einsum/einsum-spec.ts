import { expect } from 'chai';
import { expectTypeOf } from 'expect-type';
import { EinstreamError } from '../../../src/errors/index.js';
import { einsum, type EinsumOptions } from '../../../src/ops/index.js';
import { INTERPRETER, type Interpreter, type Traced } from '../../../src/ops/interpreter.js';
import type { AnyOp, Params } from '../../../src/ops/op.js';
import { findOp, ops } from '../../../src/ops/registry.js';
import { tensor, type Tensor } from '../../../src/tensor/index.js';

const a = tensor([
  [1, 2],
  [3, 4],
]);
const b = tensor([
  [5, 6],
  [7, 8],
]);
const product = [
  [19, 22],
  [43, 50],
];

/** A symbol that says how it was applied. */
interface Noted extends Traced {
  readonly op: string;
  readonly params: Params;
  readonly operands: number;
}
const noting: Interpreter = {
  level: 2,
  apply: (op: AnyOp, operands, params) => ({ [INTERPRETER]: noting, op: op.name, params, operands: operands.length }) as Noted,
};
const symbol = { [INTERPRETER]: noting, op: 'input', params: {}, operands: 0 } as Noted;

describe('einsum', () => {
  it('computes on tensors, and numbers count as scalars', () => {
    expect(einsum('ij,jk->ik', a, b).toArray()).to.deep.equal(product);
    expect(einsum('ij,->ji', a, 10).toArray()).to.deep.equal([
      [10, 30],
      [20, 40],
    ]);
    expect(einsum('', 3).toArray()).to.equal(3);
  });

  it('adds a node where an operand is a symbol, with spec and sizes as its parameters', () => {
    const y = einsum('i,->ij', symbol, a, { sizes: { j: 3 } });
    expectTypeOf(y).toEqualTypeOf<Noted>();
    expect({ ...y.params, sizes: { ...(y.params['sizes'] as object) } }).to.deep.equal({ spec: 'i,->ij', sizes: { j: 3 } });
    expect([y.op, y.operands]).to.deep.equal(['einsum', 2]);
    expectTypeOf(einsum('ij,jk', a, b)).toEqualTypeOf<Tensor>();
  });

  it('repeats along output letters of given size', () => {
    expect(einsum('a->ab', tensor([1, 2]), { sizes: { b: 3 } }).toArray()).to.deep.equal([
      [1, 1, 1],
      [2, 2, 2],
    ]);
    expect(einsum('->ab', 7, { sizes: { a: 1, b: 2 } }).toArray()).to.deep.equal([[7, 7]]);
    expect(einsum('a->ab', tensor([1, 2]), { sizes: { b: 0 } }).shape).to.deep.equal([2, 0]);
  });

  it('is found by name, with the spec first or among the parameters', () => {
    expect((ops['einsum']('ij,jk->ik', a, b) as Tensor).toArray()).to.deep.equal(product);
    expect((ops['einsum'](a, b, { spec: 'ij,jk->ik' }) as Tensor).toArray()).to.deep.equal(product);
    expect((ops['einsum']([a, b], { spec: 'ij,jk->ik' }) as Tensor).toArray()).to.deep.equal(product);
    expect(ops['einsum'].definition).to.equal(findOp('einsum'));
  });

  it('gives the highest dtype; bool and int32 give int32, which wraps', () => {
    const truths = tensor([true, false, true]);
    const integers = tensor(Int32Array.of(2 ** 31 - 1, 1, 0));
    expect(einsum('i,i->', truths, truths)).to.include({ dtype: 'int32' });
    expect(einsum('i,i->', truths, truths).toArray()).to.equal(2);
    expect(einsum('i->', integers).toArray()).to.equal(-(2 ** 31));
    expect(einsum('i,i->i', integers, tensor([1, 1, 1])).dtype).to.equal('float32');
    expect(einsum('i,i->i', tensor(Float64Array.of(1)), tensor([1])).dtype).to.equal('float64');
  });

  it('reads views where they lie', () => {
    expect(einsum('ij->ji', einsum('ij->ji', a)).toArray()).to.deep.equal(a.toArray());
  });

  it("refuses arguments that are none, each with the engine's own error", () => {
    const wrong: readonly (readonly [args: readonly unknown[], code: string, text: string | RegExp])[] = [
      [[5], 'E_ARGUMENT', "the first argument is the spec; expected a string such as 'ij,jk->ik', got number"],
      [['i'], 'E_ARGUMENT', 'the number of operands must fit'],
      [['i', [1, 2]], 'E_ARGUMENT', 'wrap'],
      [['i', new Float32Array(2)], 'E_ARGUMENT', 'wrap'],
      [['i', null], 'E_ARGUMENT', 'operands are tensors'],
      [['i->ij', tensor([1]), { size: {} }], 'E_ARGUMENT', 'parameter "size" is unknown'],
      [['i->ij', tensor([1]), { sizes: { j: -1 } }], 'E_ARGUMENT', 'parameter sizes must be an object of letters and sizes'],
      [['i->ij', tensor([1]), { sizes: { j: 1.5 } }], 'E_ARGUMENT', 'parameter sizes'],
      [['i->ij', tensor([1]), { sizes: { jj: 1 } }], 'E_ARGUMENT', 'parameter sizes'],
      [['i->ij', tensor([1]), { sizes: JSON.parse('{"__proto__": 1}') }], 'E_ARGUMENT', 'parameter sizes'],
      [['i->ij', tensor([1]), { sizes: [3] }], 'E_ARGUMENT', 'parameter sizes'],
      [['i->i,', tensor([1])], 'E_PARSE', /^einsum "i->i,": the output is one subscript/],
      [['i->ij', tensor([1]), { sizes: { j: 2 ** 40 } }], 'E_LIMIT', 'element count'],
    ];
    for (const [args, code, text] of wrong) {
      const call = (): unknown => (einsum as (...all: readonly unknown[]) => unknown)(...args);
      expect(call, String(args)).to.throw(EinstreamError, text).with.property('code', code);
    }
    expect(({} as EinsumOptions).sizes).to.equal(undefined);
  });
});
