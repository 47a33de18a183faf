/** @file Ops written around einsum specs become ordinary nodes. */
import { expect } from 'chai';
import { parseGraph } from '../../../../src/graph/formats/parse.js';
import { serializeGraph } from '../../../../src/graph/formats/serialize.js';
import { isOpNode, nodesOf } from '../../../../src/graph/graph.js';
import { validate } from '../../../../src/graph/validate/validate.js';
import { tensor } from '../../../../src/tensor/create.js';
import { einsumNode, interchange } from '../../../support/interchange.js';
import { walkGraph } from '../../../support/walkGraph.js';

const graphOf = (spec: string, operands: number) => {
  const tensors = [...'xyz'.slice(0, operands), 'out'];
  return parseGraph(
    interchange({
      tensors,
      nodes: [
        einsumNode(
          spec,
          tensors.slice(1).map((_, k) => k),
          operands,
        ),
      ],
      outputs: [operands],
    }),
  );
};
const outcome = (spec: string, ...operands: readonly Parameters<typeof tensor>[0][]) => {
  const graph = graphOf(spec, operands.length);
  expect(validate(graph)).to.deep.equal([]);
  return walkGraph(graph, Object.fromEntries(operands.map((data, k) => ['xyz'[k], tensor(data)])))
    .get('out')!
    .toArray();
};
const m = [
  [1, 2],
  [3, 4],
];

describe('pseudo-specs (F148)', () => {
  const cases: readonly (readonly [string, readonly unknown[], unknown])[] = [
    ['sum(ab->a)', [m], [3, 7]],
    ['sum(ab->b)', [m], [4, 6]],
    ['sum(ab->)', [m], 10],
    ['sum(ab->ab)', [m], m],
    ['sum(ab->ba)', [m], [[1, 3], [2, 4]]], // prettier-ignore
    ['mean(ab->a)', [m], [1.5, 3.5]],
    ['max(ab->b)', [m], [3, 4]],
    ['min(ab->b)', [m], [1, 2]],
    ['prod(ab->a)', [m], [2, 12]],
    ['product(ab->a)', [m], [2, 12]],
    ['count(ab->a)', [[[0, 2], [0, 0]]], [1, 0]], // prettier-ignore
    ['any(ab->a)', [[[0, 2], [0, 0]]], [true, false]], // prettier-ignore
    ['all(ab->a)', [[[1, 2], [1, 0]]], [true, false]], // prettier-ignore
    ['sum(aa->)', [m], 5],
    ['max(aa->a)', [m], [1, 4]],
    ['mean(aab->ba)', [[[[1, 2], [3, 4]], [[5, 6], [7, 8]]]], [[1, 7], [2, 8]]], // prettier-ignore
    ['sum(abc->ca)', [[[[1, 2], [3, 4]]]], [[4], [6]]], // prettier-ignore
    ['subtract(a,->a)', [[5, 6], 1], [4, 5]],
    ['subtract(,a->a)', [1, [5, 6]], [-4, -5]],
    ['multiply(a,b->ab)', [[1, 2], [10, 20, 30]], [[10, 20, 30], [20, 40, 60]]], // prettier-ignore
    ['add(a,b->ba)', [[1, 2], [10, 20, 30]], [[11, 12], [21, 22], [31, 32]]], // prettier-ignore
    ['add(ab,ba->ab)', [m, m], [[2, 5], [5, 8]]], // prettier-ignore
    ['add(ac,b->abc)', [[[1, 2]], [10, 20]], [[[11, 12], [21, 22]]]], // prettier-ignore
    ['subtract(ab,b->b)', [m, [1, 1]], [3, 5]],
    ['sigmoid(a->a)', [[0]], [0.5]],
    ['square(ab->ba)', [m], [[1, 9], [4, 16]]], // prettier-ignore
    ['negate(aa->a)', [m], [-1, -4]],
    ['exp( a -> a )', [[0]], [1]],
    [' Exp(a->a)', [[0]], [1]],
    ['exp(ab->a)', [[[0, 0]]], [1]],
  ];
  for (const [spec, operands, expected] of cases) {
    it(`reads ${spec}`, () => {
      expect(outcome(spec, ...(operands as Parameters<typeof tensor>[0][]))).to.deep.equal(expected);
    });
  }

  it('become nodes that the format itself can say, where no axis has to move', () => {
    const graph = graphOf('subtract(ab,b->a)', 2);
    expect([...nodesOf(graph)].filter(isOpNode).map(({ op }) => op)).to.deep.equal(['sub', 'einsum', 'einsum']);
    const written = parseGraph(serializeGraph(graph, 'interchange'));
    expect(validate(written)).to.deep.equal([]);
  });

  const faults: readonly (readonly [string, number, string, string])[] = [
    ['frobnicate(a->a)', 1, 'E_OP', 'frobnicate'],
    ['__proto__(a->a)', 1, 'E_OP', '__proto__'],
    ['subtract(a->a)', 1, 'E_OP', 'subtract'],
    ['sum(ab,b->a)', 2, 'E_OP', 'sum'],
    ['sum(ab->a)', 2, 'E_OP', 'expected 1, got 2'],
    ['sum(ab->c)', 1, 'E_PARSE', 'letter c'],
    ['sum(...a->...)', 1, 'E_PARSE', 'ellipsis'],
    ['sum(a->a->a)', 1, 'E_PARSE', 'arrow'],
    ['sum(a1->a)', 1, 'E_PARSE', 'a-z'],
    ['sum((a->a))', 1, 'E_PARSE', ''],
  ];
  for (const [spec, operands, code, message] of faults) {
    it(`are faults of the graph where they cannot be read: ${spec}`, () => {
      const found = validate(graphOf(spec, operands)).filter(({ severity }) => severity === 'error');
      expect(found.map((diagnostic) => diagnostic.code)).to.deep.equal([code]);
      expect(found[0].message).to.include(message);
      expect(found[0].caret).to.not.equal(undefined);
    });
  }
});
