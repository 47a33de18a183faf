/** @file Shapes of all values, from what is known of the inputs. */
import { expect } from 'chai';
import fc from 'fast-check';
import { graph, input, named, param } from '../../src/graph/builder.js';
import { compatibleWith, dim, dynamic, rankOf, symbol } from '../../src/graph/dimension.js';
import { parseGraph } from '../../src/graph/formats/parse.js';
import { nodeOf } from '../../src/graph/graph.js';
import { inferShapes, inferTypes } from '../../src/graph/shapes.js';
import { isStatic } from '../../src/ops/dims.js';
import { add, einsum, relu, reshape, softmax, sum, where } from '../../src/ops/index.js';
import { ones } from '../../src/tensor/fill.js';
import { binary, einsumNode, interchange, reduce, unary } from '../support/interchange.js';
import { propertyRuns, propertySeed } from '../support/property.js';
import { randomGraph } from '../support/random-graph.js';
import { walkGraph } from '../support/walkGraph.js';

const layer = graph({ x: input(['n', 784]), w: param(ones([784, 10])) }, ({ x, w }) => ({
  y: softmax(named('h', relu(einsum('ni,io->no', x, w)))),
}));
const pair = graph({ x: input(['n', 3]), z: input(['n', 'm']) }, ({ x, z }) => ({ y: einsum('na,nb->ab', x, z) }));

describe('inferShapes', () => {
  it('gives the shape of every value by name (F094)', () => {
    expect([...inferShapes(layer, { x: [32, 784] })]).to.deep.equal([
      ['x', [32, 784]],
      ['w', [784, 10]],
      ['einsum_2', [32, 10]],
      ['h', [32, 10]],
      ['y', [32, 10]],
    ]);
  });

  it('goes on with symbols where nothing is given (F095)', () => {
    expect(inferShapes(layer).get('y')).to.deep.equal(['n', 10]);
    expect(inferShapes(layer, { x: ['batch', 784] }).get('h')).to.deep.equal(['batch', 10]);
  });

  it('gives a symbol its size everywhere, from whichever input knows it (F095)', () => {
    expect(inferShapes(pair, { x: [5, 3] }).get('z')).to.deep.equal([5, 'm']);
    expect(inferShapes(pair, { z: [5, 7] }).get('x')).to.deep.equal([5, 3]);
    expect(inferShapes(pair, { x: ['k', 3], z: [4, 2] }).get('x')).to.deep.equal([4, 3]);
    expect(inferShapes(pair, { x: ['k', 3], z: ['k', 'k'] }).get('y')).to.deep.equal([3, 'k']);
  });

  it('refuses two sizes of one symbol, naming both places (F095)', () => {
    expect(() => inferShapes(pair, { x: [5, 3], z: [6, 7] }))
      .to.throw(
        '"z" input: "n" must have one size; expected 5 (axis 0 of "x", shape [5, 3]), got 6 (axis 0 of "z", shape [6, 7])',
      )
      .with.property('code', 'E_SHAPE');
  });

  it('refuses another size or rank than declared (F094)', () => {
    expect(() => inferShapes(layer, { x: [32, 783] }))
      .to.throw('axis 1 must have the declared size; expected 784')
      .with.property('code', 'E_SHAPE');
    expect(() => inferShapes(layer, { x: [32] }))
      .to.throw('the rank that its input declares')
      .with.property('code', 'E_SHAPE');
  });

  it('names node, letter and both sizes where an op refuses (F094)', () => {
    const g = parseGraph(
      interchange({ tensors: ['x', 'w', 'y'], nodes: [einsumNode('ij,jk->ik', [0, 1], 2)], inputs: [0, 1], outputs: [2] }),
    );
    expect(() => inferShapes(g, { x: [2, 3], w: [4, 5] }))
      .to.throw(
        '"y" einsum "ij,jk->ik": index j must have one size; expected j = 3 (axis 1 of "x", shape [2, 3]), got j = 4 (axis 0 of "w", shape [4, 5])',
      )
      .with.property('code', 'E_SHAPE');
  });

  it('takes nodes in any order, unsorted and negative axes, and broadcasts both ways (F094)', () => {
    const g = parseGraph(
      interchange({
        tensors: ['x', 'w', 'a', 'b', 'c', 'd'],
        nodes: [reduce('sum', [-1, 0], 4, 5), binary('add', 2, 3, 4), unary('neg', 0, 2), unary('abs', 1, 3)],
        inputs: [0, 1],
        outputs: [5],
      }),
    );
    const shapes = inferShapes(g, { x: [4, 1, 3], w: [5, 1] });
    expect([shapes.get('c'), shapes.get('d')]).to.deep.equal([[4, 5, 3], [5]]);
  });

  it('leaves out what has no known rank', () => {
    const g = parseGraph(
      interchange({
        tensors: ['x', 'y', 'z'],
        nodes: [unary('neg', 0, 1), reduce('sum', undefined, 1, 2)],
        inputs: [0],
        outputs: [2],
      }),
    );
    expect([...inferShapes(g)]).to.deep.equal([['z', []]]);
    expect(inferShapes(g, { x: [2, 2] }).get('y')).to.deep.equal([2, 2]);
  });

  it('fills all inputs of a name, and one by its key', () => {
    const g = parseGraph(
      interchange({ tensors: ['x', 'x', 'y'], nodes: [binary('add', 0, 1, 2)], inputs: [0, 1], outputs: [2] }),
    );
    expect(inferShapes(g, { x: [2, 2] }).get('y')).to.deep.equal([2, 2]);
    expect(inferShapes(g, new Map([['x', [1, 2]], ['x#1', [3, 1]]])).get('y')).to.deep.equal([3, 2]); // prettier-ignore
  });

  it('refuses a name that is no input, and shapes that are none (G4)', () => {
    expect(() => inferShapes(layer, { q: [1] }))
      .to.throw('"q" must be an input of the graph; expected "x", "w"')
      .with.property('code', 'E_ARGUMENT');
    for (const [shape, code] of [
      [[-1, 784], 'E_SHAPE'],
      [[1.5, 784], 'E_SHAPE'],
      [[NaN, 784], 'E_SHAPE'],
      [[{}, 784], 'E_SHAPE'],
      [['', 784], 'E_SHAPE'],
      ['nope', 'E_SHAPE'],
      [[2 ** 31, 784], 'E_LIMIT'],
      [[2 ** 53, 784], 'E_LIMIT'],
      [[0, 2 ** 40], 'E_LIMIT'],
      [new Array(65).fill(1), 'E_LIMIT'],
    ] as const) {
      // prettier-ignore
      expect(() => inferShapes(layer, { x: shape as never }), String(shape)).to.throw().with.property('code', code);
    }
  });

  it('throws what validate finds in a broken graph', () => {
    const g = parseGraph(interchange({ tensors: ['x', 'y'], nodes: [unary('frob', 0, 1)], inputs: [0], outputs: [1] }));
    expect(() => inferShapes(g, { x: [1] }))
      .to.throw('ElemUnary:frob')
      .with.property('code', 'E_OP');
  });

  it('leaves the dims of operands as they were: a size of one may stretch (bug-117)', () => {
    const g = graph({ c: input(['A', 1], { dtype: 'bool' }), x: input([4, 5]), y: input([4, 5]) }, ({ c, x, y }) => ({
      out: where(c, x, y),
    }));
    const shapes = inferShapes(g);
    expect([shapes.get('out'), shapes.get('c')]).to.deep.equal([
      [4, 5],
      ['A', 1],
    ]);
    expect(inferShapes(g, { c: [1, 1] }).get('out')).to.deep.equal([4, 5]);
  });

  it('knows the rank of a reshape whose sizes are open, and reshapes a scalar (bug-115, bug-118)', () => {
    const g = graph({ x: input([2, 3, 4]), s: input([]) }, ({ x, s }) => ({
      y: reshape(x, { shape: [null, null, null] }),
      one: reshape(s, { shape: [-1] }),
    }));
    const shapes = inferShapes(g);
    expect([shapes.get('y'), shapes.get('one')]).to.deep.equal([[null, null, null], [1]]);
  });

  it('agrees with what is computed, in shape and dtype, on every graph', () => {
    fc.assert(
      fc.property(randomGraph(), ({ graph: g, feeds }) => {
        const types = inferTypes(g);
        const computed = walkGraph(g, feeds);
        for (const { name, id } of g.outputs) {
          const { shape, dtype } = computed.get(name)!;
          expect({ dims: [...shape], dtype }).to.deep.equal({ dims: [...types[id]!.dims!], dtype: types[id]!.dtype });
        }
      }),
      { seed: propertySeed(), numRuns: propertyRuns(200, 3_000, 100_000) },
    );
  });
});

describe('inferTypes', () => {
  it('gives types by id, and takes what is known of feeds by id', () => {
    const g = parseGraph(
      interchange({ tensors: ['x', 'const_2', 'y'], nodes: [binary('mul', 0, 1, 2)], inputs: [0], outputs: [2] }),
    );
    expect(inferTypes(g)[2]).to.deep.equal({ dims: undefined, dtype: undefined });
    expect(inferTypes(g, new Map([[0, { dims: [3], dtype: 'float64' as const }]]))[2]).to.deep.equal({
      dims: [3],
      dtype: 'float64',
    });
  });

  it('refuses a feed of another dtype than declared', () => {
    expect(() => inferTypes(layer, new Map([[0, { dtype: 'int32' as const }]])))
      .to.throw('expected float32, got int32')
      .with.property('code', 'E_DTYPE');
  });

  it('lets a feed override a param, with another shape too', () => {
    expect(inferTypes(layer, new Map([[1, { dims: [784, 3] }]]))[4]!.dims).to.deep.equal(['n', 3]);
  });

  it('shares one record among values of one type', () => {
    const g = graph({ x: input([2, 3]) }, ({ x }) => ({ y: relu(relu(relu(x))) }));
    const types = inferTypes(g);
    expect(types[3]).to.equal(types[0]);
    expect(nodeOf(g, 3).op).to.equal('relu');
  });
});

describe('dimensions (F095)', () => {
  it('are sizes, symbols or anything', () => {
    const dims = [dim(2), symbol('batch'), dynamic];
    expect(dims).to.deep.equal([2, 'batch', null]);
    expect([rankOf(dims), isStatic(dims), isStatic([2, 3])]).to.deep.equal([3, false, true]);
    expect(
      inferShapes(graph({ x: input(dims), z: input([2, 1, 1]) }, ({ x, z }) => ({ y: sum(add(x, z), { axis: 2 }) }))).get('y'),
    ).to.deep.equal([2, 'batch']);
  });

  it('are compatible where no two known sizes differ', () => {
    expect(compatibleWith([dim(2), dynamic], [2, 5])).to.equal(true);
    expect(compatibleWith([symbol('n'), 3], [7, 3])).to.equal(true);
    expect(compatibleWith([2, 3], [2, 4])).to.equal(false);
    expect(compatibleWith([2], [2, 2])).to.equal(false);
  });

  it('refuse what is no size and no name (G4)', () => {
    for (const size of [-1, 1.5, NaN, '3' as never])
      expect(() => dim(size))
        .to.throw()
        .with.property('code', 'E_SHAPE');
    for (const name of ['', 3 as never])
      expect(() => symbol(name))
        .to.throw('has a name')
        .with.property('code', 'E_SHAPE');
  });
});
