/** @file What is not of the interchange form is refused at once. */
import { expect } from 'chai';
import { parseGraph } from '../../../../src/graph/formats/parse.js';

describe('a text that is not of the interchange form', () => {
  const malformed: readonly (readonly [string, string, string])[] = [
    ['no nodes', '{"tensors": []}', 'no "nodes"'],
    ['no tensors', '{"nodes": []}', 'no "tensors"'],
    ['a node without an op', '{"tensors": ["x"], "nodes": [{"inputs": [], "outputs": [0]}]}', 'node 0 must have "op"'],
    [
      'a node without inputs',
      '{"tensors": ["x"], "nodes": [{"op": {"Einsum": {"spec": "a"}}, "outputs": [0]}]}',
      'node 0 must have "inputs"',
    ],
    [
      'an op of two kinds',
      '{"tensors": [], "nodes": [{"op": {"ElemUnary": {"op": "abs"}, "Reduce": {"op": "sum"}}, "inputs": [], "outputs": []}]}',
      'one member',
    ],
    ['an op of no kind', '{"tensors": [], "nodes": [{"op": {}, "inputs": [], "outputs": []}]}', 'one member'],
    ['an op that is a string', '{"tensors": [], "nodes": [{"op": "relu", "inputs": [], "outputs": []}]}', 'an object'],
    [
      'an Einsum without a spec',
      '{"tensors": [], "nodes": [{"op": {"Einsum": {}}, "inputs": [], "outputs": []}]}',
      'must have a "spec"',
    ],
    ['a negative index', '{"tensors": ["x"], "nodes": [], "inputs": [-1], "outputs": [0]}', 'an integer ≥ 0'],
    ['an index with a fraction', '{"tensors": ["x"], "nodes": [], "inputs": [0.5], "outputs": [0]}', ''],
    ['tensors that are no strings', '{"tensors": [1], "nodes": []}', 'a string'],
    ['a list instead of a graph', '[]', 'an object'],
  ];
  for (const [what, text, message] of malformed) {
    it(`refuses ${what} at once: that is not the form`, () => {
      expect(() => parseGraph(text))
        .to.throw(message)
        .with.property('code', 'E_PARSE');
    });
  }
});
