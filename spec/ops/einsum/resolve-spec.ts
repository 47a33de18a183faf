import { expect } from 'chai';
import { EinstreamError } from '../../../src/errors/index.js';
import type { Dims } from '../../../src/ops/dims.js';
import { parseEinsum } from '../../../src/ops/einsum/parse.js';
import { resolveEinsum, type LetterSizes } from '../../../src/ops/einsum/resolve.js';

const outputOf = (spec: string, ...inputs: readonly (Dims | undefined)[]): Dims | undefined =>
  resolveEinsum(parseEinsum(spec), inputs).output;

/** The spec with the faulty part underlined, then the code and the message. */
function complaint(spec: string, inputs: readonly Dims[], sizes?: LetterSizes): readonly string[] {
  try {
    resolveEinsum(parseEinsum(spec), inputs, sizes, { op: 'einsum', place: 'y' });
  } catch (error) {
    const { code, message, diagnostic } = error as EinstreamError;
    const { text, at, length } = diagnostic.caret!;
    expect(message.startsWith(`"y" einsum ${JSON.stringify(spec)}: `), message).to.equal(true);
    return [
      text,
      ' '.repeat(at) + '^'.repeat(length),
      code,
      diagnostic.rule!,
      `${diagnostic.expected ?? ''} | ${diagnostic.actual ?? ''}`,
    ];
  }
  throw new Error(`"${spec}" was accepted`);
}

describe('the shape of an einsum', () => {
  it('follows from sizes, names and unknowns alike', () => {
    expect(outputOf('ni,io->no', ['n', 784], [784, 10])).to.deep.equal(['n', 10]);
    expect(outputOf('ij,jk->ik', ['n', null], ['m', 'k'])).to.deep.equal(['n', 'k']);
    expect(outputOf('...ij,...jk->...ik', ['b', 2, 3], [4, 3, 5])).to.deep.equal([4, 2, 5]);
    expect(outputOf('i,i->i', ['n'], ['m'])).to.deep.equal([null]);
    expect(outputOf('i,i->i', ['n'], [1])).to.deep.equal(['n']);
    expect(outputOf('ii->i', ['n', 5])).to.deep.equal([5]);
    expect(outputOf('ii->i', [null, 'n'])).to.deep.equal(['n']);
  });

  it('stretches 1 across operands, also to 0, and aligns ellipses of any rank at the right', () => {
    expect(outputOf('i,i->i', [1], [0])).to.deep.equal([0]);
    expect(outputOf('...,...', [2, 1], [0])).to.deep.equal([2, 0]);
    expect(outputOf('..., ..., ...', [], [1, 4], [3, 3, 4])).to.deep.equal([3, 3, 4]);
    expect(outputOf('i...k,k...j->i...j', [2, 1, 3], [3, 2])).to.deep.equal([2, 1, 2]);
  });

  it('sums the axes of an ellipsis that the output does not name, as torch and JAX do', () => {
    expect(outputOf('...i->i', [2, 3, 4])).to.deep.equal([4]);
  });

  it('is known without the rank of every operand, where the subscripts say enough', () => {
    expect(outputOf('ij,jk->ik', undefined, [3, 4])).to.deep.equal([null, 4]);
    expect(outputOf('...j,jk->k', undefined, [3, 4])).to.deep.equal([4]);
    expect(outputOf('...j,jk->...k', undefined, [3, 4])).to.equal(undefined);
  });

  it('needs a size for an output letter that no operand has', () => {
    expect(resolveEinsum(parseEinsum('a->ab'), [[2]], { b: 3 }).output).to.deep.equal([2, 3]);
    expect(complaint('a->ab', [[2]])).to.deep.equal([
      'a->ab',
      '    ^',
      'E_PARSE',
      'output letter b occurs in no operand, so its size is unknown',
      ' | ',
    ]);
  });

  it('lets given sizes agree with the operands, and fix a name', () => {
    expect(resolveEinsum(parseEinsum('ab->b'), [['n', 'm']], { b: 4 }).output).to.deep.equal([4]);
    expect(complaint('ab->b', [[2, 3]], { b: 4 })).to.deep.equal([
      'ab->b',
      ' ^',
      'E_SHAPE',
      'index b must have one size',
      'b = 3 (axis 1 of operand 0, shape [2, 3]) | b = 4 (option sizes)',
    ]);
    expect(complaint('ab->b', [[2, 3]], { c: 4 }).slice(2)).to.deep.equal([
      'E_ARGUMENT',
      'sizes may name letters of the spec alone',
      ' | "c"',
    ]);
  });
});

describe('an einsum whose operands do not fit', () => {
  it('names the index, both operands, axes and sizes, with a caret under the letter', () => {
    expect(
      complaint('ij,jk->ik', [
        [64, 128],
        [256, 10],
      ]),
    ).to.deep.equal([
      'ij,jk->ik',
      '   ^',
      'E_SHAPE',
      'index j must have one size',
      'j = 128 (axis 1 of operand 0, shape [64, 128]) | j = 256 (axis 0 of operand 1, shape [256, 10])',
    ]);
    expect(complaint('i, ...i , i', [[3], [2, 2, 1], [4]])).to.deep.equal([
      'i, ...i , i',
      '          ^',
      'E_SHAPE',
      'index i must have one size',
      'i = 3 (axis 0 of operand 0, shape [3]) | i = 4 (axis 0 of operand 2, shape [4])',
    ]);
  });

  it('calls operands by name where they have one', () => {
    const fail = () =>
      resolveEinsum(
        parseEinsum('ij,jk'),
        [
          [2, 3],
          [4, 5],
        ],
        undefined,
        { inputs: ['x', 'w'] },
      );
    expect(fail).to.throw(
      EinstreamError,
      'expected j = 3 (axis 1 of "x", shape [2, 3]), got j = 4 (axis 0 of "w", shape [4, 5]) (give the axes',
    );
  });

  it('does not stretch a diagonal within its operand', () => {
    expect(complaint('aii->i', [[5, 1, 3]])).to.deep.equal([
      'aii->i',
      '  ^',
      'E_SHAPE',
      'index i stands twice in operand 0, so both axes must have one size',
      'i = 1 (axis 1 of operand 0, shape [5, 1, 3]) | i = 3 (axis 2 of operand 0, shape [5, 1, 3])',
    ]);
    expect(outputOf('ii,i->i', [1, 1], [3])).to.deep.equal([3]);
  });

  it('points at the dots when the axes under them clash', () => {
    expect(
      complaint('a...,...b->...', [
        [9, 2, 3],
        [2, 4, 9],
      ]),
    ).to.deep.equal([
      'a...,...b->...',
      '     ^^^',
      'E_SHAPE',
      'the axes under "..." must broadcast from the right: equal sizes, or one of them 1',
      'size = 3 (axis 2 of operand 0, shape [9, 2, 3]) | size = 4 (axis 1 of operand 1, shape [2, 4, 9])',
    ]);
  });

  it('names the operand of wrong rank and its own subscript', () => {
    expect(complaint('A, A->A', [[2], [2, 2]])).to.deep.equal([
      'A, A->A',
      '  ^^',
      'E_SHAPE',
      'operand 1 must have an axis for each letter of its subscript "A"',
      '1 axis | 2 (shape [2, 2])',
    ]);
    expect(complaint('b...ij->b', [[2, 3]]).slice(3)).to.deep.equal([
      'operand 0 must have an axis for each letter of its subscript "b...ij"',
      'at least 3 axes | 2 (shape [2, 3])',
    ]);
  });

  it('counts operands', () => {
    expect(complaint('i,j', [[2]]).slice(1)).to.deep.equal([
      '  ^',
      'E_ARGUMENT',
      'there must be one operand for each subscript',
      '2 operands | 1',
    ]);
  });
});

describe('a contraction', () => {
  it('has a label for each letter and each axis of the ellipsis, and no letters', () => {
    expect(
      resolveEinsum(parseEinsum('...ij,...j->...i'), [
        [4, 1, 2, 3],
        [5, 3],
      ]).contraction,
    ).to.deep.equal({
      sizes: [2, 3, 4, 5],
      operands: [
        [2, 3, 0, 1],
        [3, 1],
      ],
      output: [2, 3, 0],
      names: ['i', 'j', '…0', '…1'],
      shapes: [
        [4, 1, 2, 3],
        [5, 3],
      ],
    });
  });

  it('exists only when every size is known', () => {
    expect(resolveEinsum(parseEinsum('i,i->i'), [['n'], [3]])).to.deep.equal({ output: [3] });
    expect(resolveEinsum(parseEinsum('i->'), [['n']])).to.deep.equal({ output: [] });
  });
});
