/**
 * @file The example of the seed's section "GraphValidator", translated and executed.
 */
import { expect } from 'chai';
import { parseGraph } from '../../src/graph/formats/parse.js';
import { validationOf } from '../../src/graph/validation.js';
import { binary, einsumNode, interchange, reduce, unary } from '../support/interchange.js';

describe('the GraphValidator example of the seed', () => {
  it('E42: a broken graph lists every error', () => {
    const graph = parseGraph(
      interchange({
        tensors: ['x', 'missing', 'sum', 'loop', 'act', 'out', 'twice'],
        nodes: [
          binary('add', 0, 1, 2),
          binary('mul', 3, 0, 3),
          unary('frobnicate', 2, 4),
          einsumNode('ij->jk->', [4], 5),
          reduce('sum', [0], 42, 6),
          unary('abs', 0, 6),
        ],
        inputs: [0],
        outputs: [5, 5],
      }),
    );
    const result = validationOf(graph);
    const printed: string[] = [];

    if (!result.isValid) {
      for (const error of result.errors) printed.push(`Error: ${error.message}`);
    }

    expect(printed).to.deep.equal([
      'Error: "twice": a tensor must have one producer; got node 5 produces tensor 6 too',
      'Error: "sum" add: operand 1 must be a value of the graph; got tensor 1 "missing", which nothing produces (list it among the inputs, or add the node that produces it)',
      'Error: "act" ElemUnary:frobnicate: the op must be registered; got "ElemUnary:frobnicate" (see `ops` for all names)',
      'Error: "twice" sum: operand 0 must be a value of the graph; expected the index of a tensor, got index 42, out of bounds',
      'Error: "out": an output is listed once',
      'Error: "loop" mul: a graph must not depend on itself; got loop → loop (feed the earlier value back as an input of the next frame)',
      'Error: "out" einsum "ij->jk->": a spec has at most one arrow; got "->" (write a chain of two einsums as two calls)',
    ]);
    expect(result.warnings).to.have.length(4);
    expect(result.stats).to.deep.equal({ nodes: 7, operations: 6, inputs: 1, outputs: 2 });
  });
});
