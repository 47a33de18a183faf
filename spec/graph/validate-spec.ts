/** @file Everything that is wrong with a graph, at once. */
import { expect } from 'chai';
import type { Diagnostic } from '../../src/errors/index.js';
import { constant, graph, input } from '../../src/graph/builder.js';
import { parseGraph } from '../../src/graph/formats/parse.js';
import { chunked, type Graph, type Node } from '../../src/graph/graph.js';
import { MAX_LISTED } from '../../src/graph/validate/findings.js';
import { throwIfBroken, validate } from '../../src/graph/validate/validate.js';
import { validateOrThrow, validationOf } from '../../src/graph/validation.js';
import { add, relu } from '../../src/ops/index.js';
import { tensor } from '../../src/tensor/create.js';
import { binary, chainText, einsumNode, interchange, reduce, unary, type Interchange } from '../support/interchange.js';

const errorsOf = (g: Graph): Diagnostic[] => validate(g).filter(({ severity }) => severity === 'error');
const read = (g: Interchange) => parseGraph(interchange(g));
const ours = (nodes: string, rest = '"inputs":[0],"outputs":[{"name":"y","id":1}]') => parseGraph(`{"einstream":1,"nodes":[${nodes}],${rest}}`);
const X = '{"op":"input","name":"x","dims":["n",3]}';

describe('validate', () => {
  it('finds nothing in a sound graph', () => {
    expect(validate(graph({ x: input(['n', 3]) }, ({ x }) => ({ y: relu(x) })))).to.deep.equal([]);
  });

  const faults: readonly (readonly [string, Graph, string, string])[] = [
    ['an operand index out of bounds', read({ tensors: ['x', 'y'], nodes: [unary('abs', 7, 1)], inputs: [0], outputs: [1] }), 'E_GRAPH', '"y" abs: operand 0 must be a value of the graph; expected the index of a tensor, got index 7, out of bounds'],
    ['an output index of a node out of bounds', read({ tensors: ['x', 'y'], nodes: [unary('abs', 0, 1), unary('neg', 0, 5)], inputs: [0], outputs: [1] }), 'E_GRAPH', 'index 5, out of bounds'],
    ['an input index out of bounds', read({ tensors: ['x', 'y'], nodes: [unary('abs', 0, 1)], inputs: [0, 4], outputs: [1] }), 'E_GRAPH', 'index 4, out of bounds'],
    ['an output index out of bounds', read({ tensors: ['x', 'y'], nodes: [unary('abs', 0, 1)], inputs: [0], outputs: [1, 2] }), 'E_GRAPH', 'an output must be a value of the graph; expected the index of a tensor, got index 2, out of bounds'],
    ['an id that no node has', ours(`${X},{"id":1,"op":"relu","inputs":[5]}`), 'E_GRAPH', 'got #5, which is no node'],
    ['a node that reads itself', read({ tensors: ['x', 'y'], nodes: [binary('add', 0, 1, 1)], inputs: [0], outputs: [1] }), 'E_CYCLE', 'y → y'],
    ['a cycle of two', read({ tensors: ['x', 'a', 'b'], nodes: [binary('add', 0, 2, 1), unary('neg', 1, 2)], inputs: [0], outputs: [2] }), 'E_CYCLE', 'a → b → a'],
    ['a tensor that is read and never produced', read({ tensors: ['x', 'ghost', 'y'], nodes: [binary('add', 0, 1, 2)], inputs: [0], outputs: [2] }), 'E_GRAPH', 'tensor 1 "ghost", which nothing produces'],
    ['an output that is never produced', read({ tensors: ['x', 'ghost'], nodes: [], inputs: [0], outputs: [0, 1] }), 'E_GRAPH', '"ghost": an output must be a value of the graph; got tensor 1 "ghost", which nothing produces'],
    ['two producers of a tensor', read({ tensors: ['x', 'y'], nodes: [unary('abs', 0, 1), unary('neg', 0, 1)], inputs: [0], outputs: [1] }), 'E_GRAPH', '"y": a tensor must have one producer; got node 1 produces tensor 1 too'],
    ['an output listed twice within a node', read({ tensors: ['x', 'y'], nodes: [unary('abs', 0, 1, 1)], inputs: [0], outputs: [1] }), 'E_GRAPH', 'one producer'],
    ['a node without an output', read({ tensors: ['x', 'y'], nodes: [unary('abs', 0, 1), unary('neg', 0)], inputs: [0], outputs: [1] }), 'E_GRAPH', 'a node must have an output'],
    ['an input that a node produces', read({ tensors: ['x', 'y'], nodes: [unary('abs', 0, 1)], inputs: [0, 1], outputs: [1] }), 'E_GRAPH', '"y" abs: an input must not be produced by a node'],
    ['an input listed twice', read({ tensors: ['x', 'y'], nodes: [unary('abs', 0, 1)], inputs: [0, 0], outputs: [1] }), 'E_GRAPH', '"x" input: an input is listed once'],
    ['no outputs', read({ tensors: ['x'], nodes: [], inputs: [0], outputs: [] }), 'E_GRAPH', 'a graph must have an output'],
    ['an empty graph', read({ tensors: [], nodes: [], inputs: [], outputs: [] }), 'E_GRAPH', 'a graph must have an output'],
    ['an output listed twice', read({ tensors: ['x', 'y'], nodes: [unary('abs', 0, 1)], inputs: [0], outputs: [1, 1] }), 'E_GRAPH', '"y": an output is listed once'],
    ['two nodes with one id', ours(`${X},{"id":0,"op":"relu","inputs":[0]},{"id":1,"op":"relu","inputs":[0]}`), 'E_GRAPH', 'two nodes with id 0'],
    ['an unknown unary op', read({ tensors: ['x', 'y'], nodes: [unary('frob', 0, 1)], inputs: [0], outputs: [1] }), 'E_OP', '"y" ElemUnary:frob: the op must be registered'],
    ['an op that the format does not have, though we do', read({ tensors: ['x', 'y'], nodes: [unary('softmax', 0, 1)], inputs: [0], outputs: [1] }), 'E_OP', 'ElemUnary:softmax'],
    ['an unknown kind of node', read({ tensors: ['x', 'y'], nodes: [{ op: { Conv: { op: 'x' } }, inputs: [0], outputs: [1] }], inputs: [0], outputs: [1] }), 'E_OP', 'Conv'],
    ['an unknown reduction', read({ tensors: ['x', 'y'], nodes: [reduce('median', [0], 0, 1)], inputs: [0], outputs: [1] }), 'E_OP', 'Reduce:median'],
    ['an op called __proto__', ours(`${X},{"id":1,"op":"__proto__","inputs":[0]}`), 'E_OP', '__proto__'],
    ['too many operands', read({ tensors: ['x', 'y'], nodes: [{ op: { ElemUnary: { op: 'relu' } }, inputs: [0, 0], outputs: [1] }], inputs: [0], outputs: [1] }), 'E_OP', '"y" relu: the number of operands must fit; expected 1, got 2'],
    ['too few operands', read({ tensors: ['x', 'y'], nodes: [{ op: { ElemBinary: { op: 'add' } }, inputs: [0], outputs: [1] }], inputs: [0], outputs: [1] }), 'E_OP', 'expected 2, got 1'],
    ['a parameter of the wrong kind', ours(`${X},{"id":1,"op":"sum","inputs":[0],"params":{"axis":"first"}}`), 'E_ARGUMENT', 'parameter axis must be'],
    ['an unknown parameter', ours(`${X},{"id":1,"op":"relu","inputs":[0],"params":{"slope":1}}`), 'E_ARGUMENT', 'parameter "slope" is unknown'],
    ['an axis at the rank', ours(`${X},{"id":1,"op":"sum","inputs":[0],"params":{"axis":2}}`), 'E001', 'axis 2'],
    ['an axis twice, once counted from the end', ours(`${X},{"id":1,"op":"sum","inputs":[0],"params":{"axis":[1,-1]}}`), 'E001', 'axis 1 must be named once'],
    ['two arrows', read({ tensors: ['x', 'y'], nodes: [einsumNode('a->b->c', [0], 1)], inputs: [0], outputs: [1] }), 'E_PARSE', 'at most one arrow'],
    ['a repeated output letter', read({ tensors: ['x', 'y'], nodes: [einsumNode('a->aa', [0], 1)], inputs: [0], outputs: [1] }), 'E_PARSE', 'hold letter a once'],
    ['an unknown output letter', read({ tensors: ['x', 'y'], nodes: [einsumNode('a->b', [0], 1)], inputs: [0], outputs: [1] }), '', 'b'],
    ['an einsum with too few operands', read({ tensors: ['x', 'y'], nodes: [einsumNode('a,a->a', [0], 1)], inputs: [0], outputs: [1] }), '', 'one operand for each subscript'],
    ['an einsum operand of another rank', ours(`${X},{"id":1,"op":"einsum","inputs":[0],"params":{"spec":"a->a"}}`), 'E001', '"x"'],
    ['shapes that clash', ours('{"op":"input","name":"x","dims":[2,3]},{"id":1,"op":"einsum","name":"y","inputs":[0,2],"params":{"spec":"ij,jk->ik"}},{"id":2,"op":"input","name":"w","dims":[4,5]}', '"inputs":[0,2],"outputs":[{"name":"y","id":1}]'), 'E001', 'expected j = 3 (axis 1 of "x", shape [2, 3]), got j = 4 (axis 0 of "w", shape [4, 5])'],
    ['shapes that do not broadcast', ours('{"op":"input","name":"x","dims":[2,3]},{"id":1,"op":"add","name":"y","inputs":[0,2]},{"id":2,"op":"input","name":"w","dims":[2]}', '"inputs":[0,2],"outputs":[{"name":"y","id":1}]'), 'E001', '"y" add'],
    ['a negative size of an input (G4)', ours('{"op":"input","name":"x","dims":[-1]},{"id":1,"op":"relu","inputs":[0]}'), 'E001', '≥ 0'],
    ['a size with a fraction (G4)', ours('{"op":"input","name":"x","dims":[1.5]},{"id":1,"op":"relu","inputs":[0]}'), 'E001', '1.5'],
    ['sizes beyond 2^31 (G4)', ours('{"op":"input","name":"x","dims":[0,2147483648]},{"id":1,"op":"relu","inputs":[0]}'), 'E_LIMIT', 'element count'],
    ['a product of sizes beyond the limit (G4)', ours('{"op":"input","name":"x","dims":[65536,"n",65536]},{"id":1,"op":"relu","inputs":[0]}'), 'E_LIMIT', 'element count'],
    ['an input of a storage dtype', ours('{"op":"input","name":"x","dtype":"int8"},{"id":1,"op":"relu","inputs":[0]}'), 'E002', 'computed dtype'],
    ['a constant of a storage dtype', ours('{"op":"constant","name":"x","value":{"dtype":"int8","data":[1]}},{"id":1,"op":"relu","inputs":[0]}', '"inputs":[],"outputs":[{"name":"y","id":1}]'), 'E002', 'storage type'],
    ['an input that no list names', ours('{"op":"input","name":"x"},{"id":1,"op":"relu","inputs":[0]}', '"inputs":[],"outputs":[{"name":"y","id":1}]'), 'E_GRAPH', 'listed among the inputs'],
  ];
  for (const [what, g, code, message] of faults) {
    it(`reports ${what} (F093, G2)`, () => {
      const errors = errorsOf(g);
      expect(errors.map((error) => error.message)).to.have.length(1);
      if (code !== '') expect(errors[0]!.code).to.equal(code);
      expect(errors[0]!.message).to.include(message);
    });
  }

  it('points into a bad spec with a caret (F093)', () => {
    const [error] = errorsOf(read({ tensors: ['x', 'y'], nodes: [einsumNode('ab-c', [0], 1)], inputs: [0], outputs: [1] }));
    expect(error!.caret).to.deep.equal({ text: 'ab-c', at: 2, length: 1 });
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
    const g = read({ tensors: ['x', 'unused', 'y', 'dead', 'stray', 'const_3'], nodes: [unary('abs', 0, 2), unary('neg', 2, 3)], inputs: [0, 1], outputs: [2] });
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
    const g = read({ tensors, nodes: Array.from({ length: count }, (_, k) => unary('frob', 0, k + 1)), inputs: [0, count + 1], outputs: [1] });
    const errors = errorsOf(g);
    expect(errors).to.have.length(MAX_LISTED + 1);
    expect(errors.at(-1)!.message).to.include('150 more errors');
    const warnings = validate(g).slice(errors.length);
    expect(warnings).to.have.length(MAX_LISTED + 1);
    expect(warnings.at(-1)!.message).to.include('150 more warnings');
  });

  it('shows the location of the node, where the graph has one', () => {
    const span = { start: { file: 'rules.tl', line: 12, column: 4 } };
    const g = read({ tensors: ['x', 'y'], nodes: [{ ...einsumNode('a->a->', [0], 1), metadata: { span } }], inputs: [0], outputs: [1] });
    expect(errorsOf(g)[0]!.location).to.deep.equal({ file: 'rules.tl', line: 12, column: 4 });
  });

  it('cannot be made to print more than one line, or to colour it, by a name (G15)', () => {
    const g = read({ tensors: ['x', 'a\n[ERROR] forged\u001b[31m\u202e'], nodes: [unary('evil\nop', 0, 1)], inputs: [0], outputs: [1] });
    const [error] = errorsOf(g);
    // eslint-disable-next-line no-control-regex
    expect(error!.message).to.not.match(/[\u0000-\u001f\u202e]/);
    expect(error!.message).to.include('a\\u000a[ERROR] forged\\u001b[31m');
  });

  it('survives a graph that was made by hand, and is wrong in every way', () => {
    const nodes = [
      { id: 0, op: 'input', inputs: [], dims: 'nonsense' },
      { id: 1, op: 'relu', inputs: [NaN], params: null },
      { id: 2, op: 'add', inputs: [1.5, -3], params: {} },
      { id: 3, op: 'sum', inputs: [0], params: new Proxy({}, { get: () => { throw new Error('trap'); } }) }, // prettier-ignore
      { id: 4, op: 'constant', inputs: [], value: tensor([1]) },
    ] as unknown as Node[];
    const g = { chunks: chunked(nodes.map((node) => ({ ...node }))), size: 5, inputs: [0, 4], outputs: [{ name: 'y', id: 3 }], faults: [] } as Graph;
    expect(errorsOf(g).length).to.be.greaterThan(3);
  });
});

describe('throwIfBroken', () => {
  const broken = read({ tensors: ['x', 'y', 'z'], nodes: [unary('frob', 0, 1), einsumNode('a->->', [0], 2)], inputs: [0], outputs: [1, 2] });

  it('throws the first fault, with all of them related', () => {
    expect(() => throwIfBroken(broken)).to.throw('ElemUnary:frob').that.includes({ name: 'EinstreamError', code: 'E_OP', nodeId: 1 }).with.nested.property('diagnostic.related').with.length(2);
  });

  it('is free the second time: a graph never changes', () => {
    const g = parseGraph(chainText(20_000));
    throwIfBroken(g);
    const start = performance.now();
    for (let k = 0; k < 1000; k++) throwIfBroken(g);
    expect(performance.now() - start).to.be.lessThan(100);
  });
});

describe('validationOf (F093)', () => {
  const sound = graph({ x: input([2]), c: input([2]) }, ({ x }) => ({ y: add(x, 1) }));

  it('sums up: valid or not, errors, warnings, counts', () => {
    const { isValid, errors, warnings, stats } = validationOf(sound);
    expect([isValid, errors.length, warnings.length]).to.deep.equal([true, 0, 1]);
    expect(stats).to.deep.equal({ nodes: 4, operations: 1, inputs: 2, outputs: 1 });
  });

  it('merges with another', () => {
    const both = validationOf(sound).merge(validationOf(graph({ c: constant(tensor(1)) }, () => ({}))));
    expect([both.isValid, both.errors.length, both.warnings.length]).to.deep.equal([false, 1, 2]);
    expect(both.stats).to.deep.equal({ nodes: 5, operations: 1, inputs: 2, outputs: 1 });
  });

  it('comes or throws: validateOrThrow', () => {
    expect(validateOrThrow(sound).isValid).to.equal(true);
    expect(() => validateOrThrow(graph({ c: constant(tensor(1)) }, () => ({})))).to.throw('must have an output').with.property('code', 'E_GRAPH');
  });
});
