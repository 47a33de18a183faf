/** @file Which graphs treat rows alike: decided from the graph, and true (F014). */
import { expect } from 'chai';
import {
  add,
  argmax,
  concat,
  einsum,
  evaluateSync,
  flip,
  graph,
  input,
  js,
  matmul,
  mean,
  mergeResults,
  mul,
  ops,
  pad,
  param,
  range,
  relu,
  reshape,
  slice,
  softmax,
  squeeze,
  stack,
  sub,
  sum,
  take,
  tensor,
  tile,
  transpose,
  unsqueeze,
  where,
  greater,
  type Feeds,
  type Graph,
  type GraphSymbol,
  type Outputs,
} from '../../../src/index.js';
import { reasonAgainst } from '../../../src/stream/batch/rowwise.js';
import { plain } from '../../support/marbles.js';

type Body = (x: GraphSymbol, w: GraphSymbol, v: GraphSymbol) => GraphSymbol;
const w = tensor([[1, 2, 3], [4, 5, -6], [7, -8, 9], [0.1, 0.2, 0.3]]); // prettier-ignore
const v = tensor([1, -2, 3, 0.5]);
const made = (body: Body, dims: readonly (string | number | null)[] = ['n', 4]): Graph =>
  graph({ x: input(dims as never), w: param(w), v: param(v) }, (all) => ({ y: body(all.x, all.w, all.v) }));

const alike: Readonly<Record<string, Body>> = {
  relu: (x) => relu(x),
  'add a vector': (x, _w, b) => add(x, b),
  'add a scalar': (x) => mul(add(x, 1), 2),
  matmul: (x, a) => matmul(x, a),
  'einsum with weights': (x, a) => einsum('ni,io->no', x, a),
  'einsum of rows': (x) => einsum('ni,nj->nij', x, x),
  'dot of each row': (x) => einsum('ni,ni->n', x, x),
  'sum of each row': (x) => sum(x, { axis: 1 }),
  softmax: (x) => softmax(x, { axis: -1 }),
  'layer norm': (x) => ops['layerNorm'](x, { axes: [1] }) as GraphSymbol,
  'argmax of each row': (x) => argmax(x, { axis: 1 }),
  'mean, kept, taken off': (x) => sub(x, mean(x, { axis: 1, keepdims: true })),
  reshape: (x) => reshape(x, { shape: [-1, 2, 2] }),
  'transpose behind rows': (x) => transpose(reshape(x, { shape: [-1, 2, 2] }), { perm: [0, 2, 1] }),
  'slice of columns': (x) => slice(x, null, range(1, 3)),
  'flip of columns': (x) => flip(x, { axis: 1 }),
  unsqueeze: (x) => squeeze(unsqueeze(x, { axis: 1 }), { axis: 1 }),
  'concat of columns': (x) => concat([x, relu(x)], { axis: 1 }),
  stack: (x) => stack([x, relu(x)], { axis: 1 }),
  'pad of columns': (x) => pad(x, { pads: [[0, 0], [1, 2]] }), // prettier-ignore
  'take columns': (x) => take(x, tensor([2, 0], { dtype: 'int32' }) as never, { axis: 1 }),
  where: (x) => where(greater(x, 0), x, 0),
};
const across: Readonly<Record<string, Body>> = {
  'sum over rows': (x) => sub(x, sum(x, { axis: 0 })),
  'sum of all': (x) => add(x, sum(x)),
  'softmax over rows': (x) => softmax(x, { axis: 0 }),
  'a product of rows': (x) => einsum('ni,mi->nm', x, x),
  'a matrix of columns': (x) => einsum('ni,nj->ij', x, x),
  'rows not in front': (x) => transpose(x, { perm: [1, 0] }),
  'flip of rows': (x) => flip(x, { axis: 0 }),
  'slice of rows': (x) => slice(x, range(1, null)),
  'concat of rows': (x) => concat([x, x], { axis: 0 }),
  'pad of rows': (x) => pad(x, { pads: [[1, 0], [0, 0]] }), // prettier-ignore
  'tile of rows': (x) => tile(x, { reps: [2, 1] }),
  'rows in two': (x) => reshape(x, { shape: [-1, 2] }),
  'rows moved and back': (x) => reshape(transpose(x, { perm: [1, 0] }), { shape: [-1, 4] }),
  iota: (x) => ops['iota'](x) as GraphSymbol,
  'no rows at all': (_x, a) => relu(a),
  'a vector on scalars of rows': (x) => add(sum(x, { axis: 1 }), x),
};

describe('the rows of a graph', () => {
  for (const [name, body] of Object.entries(alike))
    it(`are alike: ${name}`, () => {
      const g = made(body);
      expect(reasonAgainst(g)).to.equal(undefined);
      const items: Feeds[] = [{ x: [[1, -2, 3, 4], [0.5, 6, -7, 8]] }, { x: [[-1, 2, 0.25, 3]] }]; // prettier-ignore
      const backend = js();
      const apart = items.map((item): Outputs => evaluateSync(g, item, { backend }));
      const together = evaluateSync(g, mergeResults(items), { backend });
      expect(plain({ ...together })).to.deep.equal(plain({ ...mergeResults(apart) }));
    });

  for (const [name, body] of Object.entries(across))
    it(`are not: ${name}`, () => {
      expect(reasonAgainst(made(body))).to.match(/across|no rows|rows in front|how many rows|together with|not known/);
    });

  it('must be an open axis in front of every input, of one name, which is no other axis', () => {
    const two = (a: readonly (string | number | null)[], b: readonly (string | number | null)[]) =>
      reasonAgainst(graph({ a: input(a as never), b: input(b as never) }, (all) => ({ y: einsum('ni,nj->nij', all.a, all.b) }))); // prettier-ignore
    expect(two(['n', 4], ['n', 'k'])).to.equal(undefined);
    expect(two([null, 4], [null, 3])).to.equal(undefined);
    expect(two(['n', 4], ['m', 3])).to.match(/different names/);
    expect(two(['n', 'n'], ['n', 3])).to.match(/another axis/);
    expect(two([2, 4], ['n', 3])).to.match(/fixed number of rows/);
    expect(reasonAgainst(graph({ x: input([]) }, ({ x }) => ({ y: relu(x) })))).to.match(/no axis of rows/);
    expect(reasonAgainst(graph({ w: param(w) }, (all) => ({ y: relu(all.w) })))).to.match(/no inputs/);
  });
});
