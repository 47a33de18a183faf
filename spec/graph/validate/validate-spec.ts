/** @file Everything that is wrong with a graph, at once. */
import { expect } from 'chai';
import { graph, input } from '../../../src/graph/builder.js';
import { parseGraph } from '../../../src/graph/formats/parse.js';
import { chunked, type Graph, type Node } from '../../../src/graph/graph.js';
import { MAX_LISTED } from '../../../src/graph/validate/findings.js';
import { throwIfBroken, validate } from '../../../src/graph/validate/validate.js';
import { relu } from '../../../src/ops/index.js';
import { tensor } from '../../../src/tensor/create.js';
import { errorsOf, read } from '../../support/brokenGraphs.js';
import { binary, chainText, einsumNode, reduce, unary } from '../../support/interchange.js';

describe('validate', () => {
  it('finds nothing in a sound graph', () => {
    expect(validate(graph({ x: input(['n', 3]) }, ({ x }) => ({ y: relu(x) })))).to.deep.equal([]);
  });

  it('points into a bad spec with a caret (F093)', () => {
    const [error] = errorsOf(read({ tensors: ['x', 'y'], nodes: [einsumNode('ab-c', [0], 1)], inputs: [0], outputs: [1] }));
    expect(error.caret).to.deep.equal({ text: 'ab-c', at: 2, length: 1 });
  });

  it('lists all faults, not only the first (F093)', () => {
    const g = read({
      tensors: ['x', 'ghost', 'a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'],
      nodes: [
        binary('add', 0, 1, 2), // reads a ghost
        unary('frob', 0, 3), // unknown op
        einsumNode('a->a->a', [0], 4), // bad spec
        binary('add', 5, 6, 6), // reads itself
        unary('abs', 99, 7), // out of bounds
        unary('abs', 0, 7), // two producers
        binary('add', 9, 0, 8), // a second cycle
        unary('neg', 8, 9),
        unary('exp', 0, 5),
      ],
      inputs: [0],
      outputs: [2, 3, 4, 6, 7, 8, 8],
    });
    expect(errorsOf(g).map(({ code }) => code).sort()).to.deep.equal(['E_CYCLE', 'E_CYCLE', 'E_GRAPH', 'E_GRAPH', 'E_GRAPH', 'E_GRAPH', 'E_OP', 'E_PARSE']); // prettier-ignore
  });

  it('tells each fault once: what lies behind one is taken as it comes (F093)', () => {
    const nodes = [unary('frob', 0, 1), ...Array.from({ length: 20 }, (_, k) => reduce('sum', [5], k + 1, k + 2))];
    const g = read({ tensors: Array.from({ length: 22 }, (_, k) => `t${k}`), nodes, inputs: [0], outputs: [21] });
    expect(errorsOf(g)).to.have.length(1);
  });

  it('warns of inputs and tensors that are not used, of nodes that no output needs, and of large graphs (F093)', () => {
    const g = read({
      tensors: ['x', 'unused', 'y', 'dead', 'stray', 'const_3'],
      nodes: [unary('abs', 0, 2), unary('neg', 2, 3)],
      inputs: [0, 1],
      outputs: [2],
    });
    expect(validate(g).map(({ severity, code, place }) => [severity, code, place])).to.deep.equal([
      ['warning', 'W_UNUSED', 'unused'],
      ['warning', 'W_UNREACHABLE', 'dead'],
      ['warning', 'W_UNUSED', 'const_3'],
      ['warning', 'W_UNUSED', 'stray'],
    ]);
    expect(validate(parseGraph(chainText(999)))).to.deep.equal([]);
    expect(validate(parseGraph(chainText(1000))).map(({ code }) => code)).to.deep.equal(['W_LARGE']);
  });

  it('lists 100 faults and 100 warnings at most, and says how many more there are (F093)', () => {
    const count = 250;
    const tensors = Array.from({ length: count + 2 }, (_, k) => `t${k}`);
    const g = read({
      tensors,
      nodes: Array.from({ length: count }, (_, k) => unary('frob', 0, k + 1)),
      inputs: [0, count + 1],
      outputs: [1],
    });
    const errors = errorsOf(g);
    expect(errors).to.have.length(MAX_LISTED + 1);
    expect(errors.at(-1)!.message).to.include('150 more errors');
    const warnings = validate(g).slice(errors.length);
    expect(warnings).to.have.length(MAX_LISTED + 1);
    expect(warnings.at(-1)!.message).to.include('150 more warnings');
  });

  it('shows the location of the node, where the graph has one', () => {
    const span = { start: { file: 'rules.tl', line: 12, column: 4 } };
    const g = read({
      tensors: ['x', 'y'],
      nodes: [{ ...einsumNode('a->a->', [0], 1), metadata: { span } }],
      inputs: [0],
      outputs: [1],
    });
    expect(errorsOf(g)[0].location).to.deep.equal({ file: 'rules.tl', line: 12, column: 4 });
  });

  it('cannot be made to print more than one line, or to colour it, by a name (G15)', () => {
    const g = read({
      tensors: ['x', 'a\n[ERROR] forged\u001b[31m\u202e'],
      nodes: [unary('evil\nop', 0, 1)],
      inputs: [0],
      outputs: [1],
    });
    const [error] = errorsOf(g);

    expect(error.message).to.not.match(/[\u0000-\u001f\u202e]/);
    expect(error.message).to.include('a\\u000a[ERROR] forged\\u001b[31m');
  });

  it('survives a graph that was made by hand, and is wrong in every way', () => {
    const nodes = [
      { id: 0, op: 'input', inputs: [], dims: 'nonsense' },
      { id: 1, op: 'relu', inputs: [NaN], params: null },
      { id: 2, op: 'add', inputs: [1.5, -3], params: {} },
      { id: 3, op: 'sum', inputs: [0], params: new Proxy({}, { get: () => { throw new Error('trap'); } }) }, // prettier-ignore
      { id: 4, op: 'constant', inputs: [], value: tensor([1]) },
    ] as unknown as Node[];
    const g = {
      chunks: chunked(nodes.map((node) => ({ ...node }))),
      size: 5,
      inputs: [0, 4],
      outputs: [{ name: 'y', id: 3 }],
      faults: [],
    } as Graph;
    expect(errorsOf(g).length).to.be.greaterThan(3);
  });
});

describe('throwIfBroken', () => {
  const broken = read({
    tensors: ['x', 'y', 'z'],
    nodes: [unary('frob', 0, 1), einsumNode('a->->', [0], 2)],
    inputs: [0],
    outputs: [1, 2],
  });

  it('throws the first fault, with all of them related', () => {
    expect(() => throwIfBroken(broken))
      .to.throw('ElemUnary:frob')
      .that.includes({ name: 'EinstreamError', code: 'E_OP', nodeId: 1 })
      .with.nested.property('diagnostic.related')
      .with.length(2);
  });

  it('is free the second time: a graph never changes', () => {
    const g = parseGraph(chainText(20_000));
    throwIfBroken(g);
    const start = performance.now();
    for (let k = 0; k < 1000; k++) throwIfBroken(g);
    expect(performance.now() - start).to.be.lessThan(100);
  });
});
