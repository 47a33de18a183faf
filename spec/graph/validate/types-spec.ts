/** @file Specs, shapes and dtypes must fit together. */
import { ours, read, reportsEach, X } from '../../support/brokenGraphs.js';
import { einsumNode } from '../../support/interchange.js';

describe('the shapes and dtypes of a graph', () => {
  reportsEach([
    [
      'two arrows',
      read({ tensors: ['x', 'y'], nodes: [einsumNode('a->b->c', [0], 1)], inputs: [0], outputs: [1] }),
      'E_PARSE',
      'at most one arrow',
    ],
    [
      'a repeated output letter',
      read({ tensors: ['x', 'y'], nodes: [einsumNode('a->aa', [0], 1)], inputs: [0], outputs: [1] }),
      'E_PARSE',
      'hold letter a once',
    ],
    [
      'an unknown output letter',
      read({ tensors: ['x', 'y'], nodes: [einsumNode('a->b', [0], 1)], inputs: [0], outputs: [1] }),
      'E_PARSE',
      'b',
    ],
    [
      'an einsum with too few operands',
      read({ tensors: ['x', 'y'], nodes: [einsumNode('a,a->a', [0], 1)], inputs: [0], outputs: [1] }),
      'E_ARGUMENT',
      'one operand for each subscript',
    ],
    [
      'an einsum operand of another rank',
      ours(`${X},{"id":1,"op":"einsum","inputs":[0],"params":{"spec":"a->a"}}`),
      'E001',
      '"x"',
    ],
    [
      'shapes that clash',
      ours(
        '{"op":"input","name":"x","dims":[2,3]},{"id":1,"op":"einsum","name":"y","inputs":[0,2],"params":{"spec":"ij,jk->ik"}},{"id":2,"op":"input","name":"w","dims":[4,5]}',
        '"inputs":[0,2],"outputs":[{"name":"y","id":1}]',
      ),
      'E001',
      'expected j = 3 (axis 1 of "x", shape [2, 3]), got j = 4 (axis 0 of "w", shape [4, 5])',
    ],
    [
      'shapes that do not broadcast',
      ours(
        '{"op":"input","name":"x","dims":[2,3]},{"id":1,"op":"add","name":"y","inputs":[0,2]},{"id":2,"op":"input","name":"w","dims":[2]}',
        '"inputs":[0,2],"outputs":[{"name":"y","id":1}]',
      ),
      'E001',
      '"y" add',
    ],
    [
      'a negative size of an input (G4)',
      ours('{"op":"input","name":"x","dims":[-1]},{"id":1,"op":"relu","inputs":[0]}'),
      'E001',
      '≥ 0',
    ],
    [
      'a size with a fraction (G4)',
      ours('{"op":"input","name":"x","dims":[1.5]},{"id":1,"op":"relu","inputs":[0]}'),
      'E001',
      '1.5',
    ],
    [
      'sizes beyond 2^31 (G4)',
      ours('{"op":"input","name":"x","dims":[0,2147483648]},{"id":1,"op":"relu","inputs":[0]}'),
      'E_LIMIT',
      'element count',
    ],
    [
      'a product of sizes beyond the limit (G4)',
      ours('{"op":"input","name":"x","dims":[65536,"n",65536]},{"id":1,"op":"relu","inputs":[0]}'),
      'E_LIMIT',
      'element count',
    ],
    [
      'an input of a storage dtype',
      ours('{"op":"input","name":"x","dtype":"int8"},{"id":1,"op":"relu","inputs":[0]}'),
      'E002',
      'computed dtype',
    ],
    [
      'a constant of a storage dtype',
      ours(
        '{"op":"constant","name":"x","value":{"dtype":"int8","data":[1]}},{"id":1,"op":"relu","inputs":[0]}',
        '"inputs":[],"outputs":[{"name":"y","id":1}]',
      ),
      'E002',
      'storage type',
    ],
    [
      'an input that no list names',
      ours('{"op":"input","name":"x"},{"id":1,"op":"relu","inputs":[0]}', '"inputs":[],"outputs":[{"name":"y","id":1}]'),
      'E_GRAPH',
      'listed among the inputs',
    ],
  ]);
});
