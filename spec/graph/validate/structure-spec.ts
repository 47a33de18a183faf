/** @file What must hold before shapes are looked at. */
import { ours, read, reportsEach, X } from '../../support/brokenGraphs.js';
import { binary, unary } from '../../support/interchange.js';

describe('the structure of a graph', () => {
  reportsEach([
    [
      'an operand index out of bounds',
      read({ tensors: ['x', 'y'], nodes: [unary('abs', 7, 1)], inputs: [0], outputs: [1] }),
      'E_GRAPH',
      '"y" abs: operand 0 must be a value of the graph; expected the index of a tensor, got index 7, out of bounds',
    ],
    [
      'an output index of a node out of bounds',
      read({ tensors: ['x', 'y'], nodes: [unary('abs', 0, 1), unary('neg', 0, 5)], inputs: [0], outputs: [1] }),
      'E_GRAPH',
      'index 5, out of bounds',
    ],
    [
      'an input index out of bounds',
      read({ tensors: ['x', 'y'], nodes: [unary('abs', 0, 1)], inputs: [0, 4], outputs: [1] }),
      'E_GRAPH',
      'index 4, out of bounds',
    ],
    [
      'an output index out of bounds',
      read({ tensors: ['x', 'y'], nodes: [unary('abs', 0, 1)], inputs: [0], outputs: [1, 2] }),
      'E_GRAPH',
      'an output must be a value of the graph; expected the index of a tensor, got index 2, out of bounds',
    ],
    ['an id that no node has', ours(`${X},{"id":1,"op":"relu","inputs":[5]}`), 'E_GRAPH', 'got #5, which is no node'],
    [
      'a node that reads itself',
      read({ tensors: ['x', 'y'], nodes: [binary('add', 0, 1, 1)], inputs: [0], outputs: [1] }),
      'E_CYCLE',
      'y → y',
    ],
    [
      'a cycle of two',
      read({ tensors: ['x', 'a', 'b'], nodes: [binary('add', 0, 2, 1), unary('neg', 1, 2)], inputs: [0], outputs: [2] }),
      'E_CYCLE',
      'a → b → a',
    ],
    [
      'a tensor that is read and never produced',
      read({ tensors: ['x', 'ghost', 'y'], nodes: [binary('add', 0, 1, 2)], inputs: [0], outputs: [2] }),
      'E_GRAPH',
      'tensor 1 "ghost", which nothing produces',
    ],
    [
      'an output that is never produced',
      read({ tensors: ['x', 'ghost'], nodes: [], inputs: [0], outputs: [0, 1] }),
      'E_GRAPH',
      '"ghost": an output must be a value of the graph; got tensor 1 "ghost", which nothing produces',
    ],
    [
      'two producers of a tensor',
      read({ tensors: ['x', 'y'], nodes: [unary('abs', 0, 1), unary('neg', 0, 1)], inputs: [0], outputs: [1] }),
      'E_GRAPH',
      '"y": a tensor must have one producer; got node 1 produces tensor 1 too',
    ],
    [
      'an output listed twice within a node',
      read({ tensors: ['x', 'y'], nodes: [unary('abs', 0, 1, 1)], inputs: [0], outputs: [1] }),
      'E_GRAPH',
      'one producer',
    ],
    [
      'a node without an output',
      read({ tensors: ['x', 'y'], nodes: [unary('abs', 0, 1), unary('neg', 0)], inputs: [0], outputs: [1] }),
      'E_GRAPH',
      'a node must have an output',
    ],
    [
      'an input that a node produces',
      read({ tensors: ['x', 'y'], nodes: [unary('abs', 0, 1)], inputs: [0, 1], outputs: [1] }),
      'E_GRAPH',
      '"y" abs: an input must not be produced by a node',
    ],
    [
      'an input listed twice',
      read({ tensors: ['x', 'y'], nodes: [unary('abs', 0, 1)], inputs: [0, 0], outputs: [1] }),
      'E_GRAPH',
      '"x" input: an input is listed once',
    ],
    ['no outputs', read({ tensors: ['x'], nodes: [], inputs: [0], outputs: [] }), 'E_GRAPH', 'a graph must have an output'],
    ['an empty graph', read({ tensors: [], nodes: [], inputs: [], outputs: [] }), 'E_GRAPH', 'a graph must have an output'],
    [
      'an output listed twice',
      read({ tensors: ['x', 'y'], nodes: [unary('abs', 0, 1)], inputs: [0], outputs: [1, 1] }),
      'E_GRAPH',
      '"y": an output is listed once',
    ],
    [
      'two nodes with one id',
      ours(`${X},{"id":0,"op":"relu","inputs":[0]},{"id":1,"op":"relu","inputs":[0]}`),
      'E_GRAPH',
      'two nodes with id 0',
    ],
  ]);
});
