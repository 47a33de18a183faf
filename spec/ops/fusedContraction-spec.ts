/** @file A contraction with elementwise steps behind it as one op: what it computes, what it takes, what it refuses. */
import { expect } from 'chai';
import { evaluateSync, graph, input, js, parseGraph, serializeGraph, supports, tensor, validate } from '../../src/index.js';
import type { Graph, GraphSymbol, Tensor } from '../../src/index.js';
import { plainOps } from '../../src/ops/fused.js';
import { fusedContraction } from '../../src/ops/fusedContraction.js';
import { claiming } from '../support/claiming.js';
import { thrownBy } from '../support/thrownBy.js';

const group = fusedContraction as unknown as <A extends Tensor | GraphSymbol>(operands: readonly A[], params: unknown) => A;
const product = { op: 'einsum', params: { spec: 'ij,jk->ik' }, args: [0, 1] };
const step = (op: string, ...args: readonly number[]) => ({ op, params: {}, args });
const m = tensor([
  [1, 2],
  [3, 4],
]);

describe('a fused contraction', () => {
  it('reads operands first, then the contraction, then its steps by their number', () => {
    const steps = [product, step('add', 3, 2), step('mul', 4, 3)];
    expect(group([m, m, tensor([1, 10])], { steps }).toArray()).to.deep.equal([
      [56, 200],
      [240, 704],
    ]);
  });

  it('may read a contracted operand again, and one operand as both', () => {
    const steps = [{ ...product, args: [0, 0] }, step('maximum', 1, 0)];
    expect(group([tensor([[-1, 2], [0, 1]])], { steps }).toArray()).to.deep.equal([[1, 2], [0, 1]]); // prettier-ignore
  });

  it('rounds the sum to its dtype before anything reads it', () => {
    const [x, y] = [tensor([[1, 2 ** -25]]), tensor([[1], [1]])];
    const steps = [product, step('sub', 3, 2)];
    for (const kernels of ['generate', 'interpret'] as const) {
      const made = graph({ x: input([1, 2]), y: input([2, 1]), one: input([]) }, ({ x: a, y: b, one }) => ({ z: group([a, b, one], { steps }) })); // prettier-ignore
      expect(evaluateSync(made, { x, y, one: tensor(1) }, { backend: js({ kernels }) }).z.toArray()).to.deep.equal([[0]]);
    }
    expect(group([x, y, tensor(1)], { steps }).toArray()).to.deep.equal([[0]]);
  });

  it('sums int32 modulo 2³², whatever dtype follows', () => {
    const big = tensor(Int32Array.of(2 ** 30, 2 ** 30)).toArray() as number[];
    const x = tensor([big], { dtype: 'int32' });
    const steps = [
      { ...product, params: { spec: 'ij,kj->ik' } },
      { op: 'cast', params: { dtype: 'float64' }, args: [2] },
    ];
    const two = tensor([[2, 1]], { dtype: 'int32' });
    const made = graph({ x: input([1, 2], { dtype: 'int32' }), y: input([1, 2], { dtype: 'int32' }) }, ({ x: a, y: b }) => ({ z: group([a, b], { steps }) })); // prettier-ignore
    for (const kernels of ['generate', 'interpret'] as const)
      expect(evaluateSync(made, { x, y: two }, { backend: js({ kernels }) }).z.toArray()).to.deep.equal([[-(2 ** 30)]]);
    expect(group([x, two], { steps }).toArray()).to.deep.equal([[-(2 ** 30)]]);
  });

  it('repeats the contraction where a step is larger', () => {
    const steps = [product, step('add', 3, 2)];
    const ones = tensor([[[1, 1], [1, 1]], [[0, 0], [0, 0]]]); // prettier-ignore
    const made = graph({ x: input([2, 2]), b: input([2, 2, 2]) }, ({ x, b }) => ({ z: group([x, x, b], { steps }) }));
    expect(evaluateSync(made, { x: m, b: ones }, { backend: js() }).z.toArray()).to.deep.equal(
      group([m, m, ones], { steps }).toArray(),
    );
  });

  it('lists the ops that it stands for, so that a backend without one of them names it', () => {
    const steps = [product, step('less', 2, 2), step('exp', 3)];
    expect(plainOps({ steps }, ['int32', 'int32'])).to.deep.equal([
      { op: 'einsum', inputs: ['int32', 'int32'], output: 'int32' },
      { op: 'less', inputs: ['int32', 'int32'], output: 'bool' },
      { op: 'exp', inputs: ['bool'], output: 'float32' },
    ]);
    const g = graph({ x: input([2, 2]) }, ({ x }) => ({ z: group([x, x], { steps }) }));
    for (const op of ['einsum', 'exp']) {
      const { unsupported } = supports(claiming({ excludes: [{ op }] }), g);
      expect(unsupported.map(({ op: name, diagnostic }) => `${name}: ${diagnostic.message}`)).to.have.length(1);
      expect(unsupported[0].diagnostic.message).to.match(new RegExp(`must have the op.*${op}.*use backend js`));
    }
  });

  it('is written and read with its steps, and refused by validate where they do not fit', () => {
    const g = graph({ x: input([2, 3]), w: input([3, 4]) }, ({ x, w }) => ({ z: group([x, w], { steps: [product, step('relu', 2)] }) })) as Graph; // prettier-ignore
    const text = serializeGraph(g);
    expect(serializeGraph(parseGraph(text))).to.equal(text);
    const broken = parseGraph(text.replaceAll('"dims":[3,4]', '"dims":[5,4]'));
    const [fault] = validate(broken);
    expect(fault.message).to.match(/j.*3.*5|3.*j.*5/s);
  });

  it('refuses what is no contraction with elementwise steps, on tensors and in graphs (G13)', () => {
    const relu = step('relu', 2);
    const wrong: readonly unknown[] = [
      [],
      'einsum',
      {},
      [product],
      [relu, product],
      [step('relu', 0), step('relu', 1)],
      [step('sum', 0), relu],
      [product, product],
      [product, { ...relu, op: 'sum' }],
      [product, { ...relu, op: 'constructor' }],
      [product, { ...relu, op: { toString: () => 'relu' } }],
      [product, { op: 'fused', params: { steps: [step('relu', 0)] }, args: [2] }],
      [{ op: 'fusedContraction', params: { steps: [product, relu] }, args: [0, 1] }, relu],
      [{ ...product, args: [0, 2] }, relu],
      [{ ...product, args: [0] }, relu],
      [{ ...product, args: [0, 1, 1] }, relu],
      [{ ...product, args: 'constructor' }, relu],
      [{ ...product, params: {} }, relu],
      [{ ...product, params: { spec: 7 } }, relu],
      [product, { ...relu, args: [3] }],
      [product, { ...relu, args: [-1] }],
      [product, ...new Array<unknown>(512).fill(relu)],
    ];
    for (const steps of wrong) {
      const text = JSON.stringify(steps).slice(0, 80);
      expect(thrownBy(() => group([m, m], { steps })).code, text).to.equal('E_ARGUMENT');
      expect(thrownBy(() => graph({ x: input([2, 2]) }, ({ x }) => ({ y: group([x, x], { steps }) }))).code, text).to.equal('E_ARGUMENT'); // prettier-ignore
    }
  });
});
