/**
 * @file The example of the seed's section "ShapeInferenceContext", translated and executed.
 */
import { expect } from 'chai';
import { graph, input, named, param } from '../../src/graph/builder.js';
import { inferShapes } from '../../src/graph/shapes.js';
import { add, einsum, relu, softmax } from '../../src/ops/index.js';
import { formatShape } from '../../src/tensor/shape.js';
import { ones } from '../../src/tensor/fill.js';

describe('the ShapeInferenceContext example of the seed', () => {
  it('E44: from an input [64, 10] every shape is printed', () => {
    const model = graph({ x: input(['batch', 10]), w: param(ones([10, 3])), b: param(ones([3])) }, ({ x, w, b }) => {
      const scores = named('scores', add(named('product', einsum('bi,io->bo', x, w)), b));
      return { p: softmax(named('hidden', relu(scores)), { axis: -1 }) };
    });

    const inferred = inferShapes(model, { x: [64, 10] });
    const printed: string[] = [];
    for (const [name, shape] of inferred) printed.push(`${name}: ${formatShape(shape)}`);

    expect(printed).to.deep.equal([
      'x: [64, 10]',
      'w: [10, 3]',
      'b: [3]',
      'product: [64, 3]',
      'scores: [64, 3]',
      'hidden: [64, 3]',
      'p: [64, 3]',
    ]);
  });
});
