/** @file Ops must be known and called rightly. */
import { ours, read, reportsEach, X } from '../../support/brokenGraphs.js';
import { reduce, unary } from '../../support/interchange.js';

describe('the ops of a graph', () => {
  reportsEach([
    [
      'an unknown unary op',
      read({ tensors: ['x', 'y'], nodes: [unary('frob', 0, 1)], inputs: [0], outputs: [1] }),
      'E_OP',
      '"y" ElemUnary:frob: the op must be registered',
    ],
    [
      'an op that the format does not have, though we do',
      read({ tensors: ['x', 'y'], nodes: [unary('softmax', 0, 1)], inputs: [0], outputs: [1] }),
      'E_OP',
      'ElemUnary:softmax',
    ],
    [
      'an unknown kind of node',
      read({ tensors: ['x', 'y'], nodes: [{ op: { Conv: { op: 'x' } }, inputs: [0], outputs: [1] }], inputs: [0], outputs: [1] }),
      'E_OP',
      'Conv',
    ],
    [
      'an unknown reduction',
      read({ tensors: ['x', 'y'], nodes: [reduce('median', [0], 0, 1)], inputs: [0], outputs: [1] }),
      'E_OP',
      'Reduce:median',
    ],
    ['an op called __proto__', ours(`${X},{"id":1,"op":"__proto__","inputs":[0]}`), 'E_OP', '__proto__'],
    [
      'too many operands',
      read({
        tensors: ['x', 'y'],
        nodes: [{ op: { ElemUnary: { op: 'relu' } }, inputs: [0, 0], outputs: [1] }],
        inputs: [0],
        outputs: [1],
      }),
      'E_OP',
      '"y" relu: the number of operands must fit; expected 1, got 2',
    ],
    [
      'too few operands',
      read({
        tensors: ['x', 'y'],
        nodes: [{ op: { ElemBinary: { op: 'add' } }, inputs: [0], outputs: [1] }],
        inputs: [0],
        outputs: [1],
      }),
      'E_OP',
      'expected 2, got 1',
    ],
    [
      'a parameter of the wrong kind',
      ours(`${X},{"id":1,"op":"sum","inputs":[0],"params":{"axis":"first"}}`),
      'E_ARGUMENT',
      'parameter axis must be',
    ],
    [
      'an unknown parameter',
      ours(`${X},{"id":1,"op":"relu","inputs":[0],"params":{"slope":1}}`),
      'E_ARGUMENT',
      'parameter "slope" is unknown',
    ],
    ['an axis at the rank', ours(`${X},{"id":1,"op":"sum","inputs":[0],"params":{"axis":2}}`), 'E001', 'axis 2'],
    [
      'an axis twice, once counted from the end',
      ours(`${X},{"id":1,"op":"sum","inputs":[0],"params":{"axis":[1,-1]}}`),
      'E001',
      'axis 1 must be named once',
    ],
  ]);
});
