/** @file Graphs, tensors and errors on their way to a worker and back. */
import { expect } from 'chai';
import {
  EinstreamError,
  add,
  at,
  equivalent,
  evaluateSync,
  formatError,
  graph,
  input,
  matmul,
  nodeCount,
  ones,
  param,
  serializeGraph,
  slice,
  tensor,
  transpose,
  wrap,
  type Tensor,
} from '../../../../src/index.js';
import { fault } from '../../../../src/errors/index.js';
import { flatten, restored } from '../../../../src/stream/pool/wire/flat-error.js';
import { graphFrom, graphOrder } from '../../../../src/stream/pool/wire/graph-order.js';
import { buffersOf, pack, unpack } from '../../../../src/stream/pool/wire/pack.js';

const w = tensor(
  Float32Array.from({ length: 64 * 8 }, (_, k) => Math.sin(k)),
  { shape: [64, 8] },
);

describe('a graph on its way', () => {
  const g = graph({ x: input(['n', 64]), w: param(w), b: param(ones([8])) }, ({ x, w: weights, b }) => ({
    y: add(matmul(x, weights), b),
  }));

  it('is its text, and its large values as bytes beside it; nothing of them is in the text', () => {
    const order = graphOrder(g, 7, 'copied');
    expect([order.graph, order.ids.length, order.values.arrays[0].byteLength]).to.deep.equal([7, 1, 4 * 64 * 8]);
    expect(order.text.length).to.be.lessThan(600);
    expect(order.values.arrays[0].buffer).to.not.equal(w.buffer.array.buffer);
  });

  it('arrives as it was: the same nodes, ids, values and bits', () => {
    for (const manner of ['copied', 'lent'] as const) {
      const order = graphOrder(g, 7, manner);
      const arrived = graphFrom(structuredClone(order));
      expect(equivalent(arrived, g)).to.equal(true);
      expect([serializeGraph(arrived), nodeCount(arrived)]).to.deep.equal([serializeGraph(g), nodeCount(g)]);
      const x = ones([2, 64]);
      expect(evaluateSync(arrived, { x })['y'].toArray()).to.deep.equal(evaluateSync(g, { x }).y.toArray());
    }
  });

  it('is only its text where nothing in it is large', () => {
    const small = graph({ x: input([2]), b: param(ones([2])) }, ({ x, b }) => ({ y: add(x, b) }));
    const order = graphOrder(small, 1, 'copied');
    expect(order.ids).to.deep.equal([]);
    expect(serializeGraph(graphFrom(order))).to.equal(serializeGraph(small));
  });
});

describe('tensors on their way', () => {
  const views: Readonly<Record<string, Tensor>> = {
    whole: tensor([[1, 2], [3, 4]]), // prettier-ignore
    turned: transpose(tensor([[1, 2], [3, 4]])), // prettier-ignore
    part: slice(tensor([1, 2, 3, 4]), at(2)),
    shared: wrap(new Float32Array(new SharedArrayBuffer(8)), { shape: [2] }),
    truths: tensor([true, false]),
    empty: tensor([], { shape: [0, 3] }),
    wide: tensor([1n, -(2n ** 60n)]),
  };

  it('arrive as they were, whatever view they are, however they travel', () => {
    for (const manner of ['copied', 'lent', 'moved'] as const) {
      const arrived = unpack(structuredClone(pack(Object.entries(views), manner)));
      for (const [name, found] of arrived) {
        const given = views[name];
        expect([found.dtype, [...found.shape], found.toArray()], name).to.deep.equal([
          given.dtype,
          [...given.shape],
          given.toArray(),
        ]);
      }
    }
  });

  it('are copied where they must stay, and given up where they may go, each buffer once', () => {
    const whole = tensor([1, 2]);
    const [copied, moved] = (['copied', 'moved'] as const).map((manner) => pack([['a', whole], ['b', whole]], manner)); // prettier-ignore
    expect(buffersOf(copied).includes(whole.buffer.array.buffer as ArrayBuffer)).to.equal(false);
    expect(buffersOf(moved)).to.deep.equal([whole.buffer.array.buffer]);
    expect(pack([['part', views['part']]], 'moved').arrays[0].buffer).to.not.equal(views['part'].buffer.array.buffer);
  });
});

describe('an error on its way', () => {
  it('keeps code, node and all its words; causes become lines', () => {
    const inner = new Error('the reason');
    const error = fault('E_SHAPE', {
      place: 'y',
      nodeId: 3,
      op: 'add',
      rule: 'sizes must agree',
      expected: '2',
      actual: '3',
      hint: 'look',
      cause: inner,
    });
    const arrived = restored(structuredClone(flatten(error, 'worker')), 2)!;
    expect(arrived).to.be.instanceOf(EinstreamError);
    expect([arrived.code, arrived.nodeId, arrived.attempt, arrived.message]).to.deep.equal(['E_SHAPE', 3, 2, error.message]);
    expect(formatError(arrived)).to.match(/caused by: the reason/);
  });

  it('that is no error of ours becomes E_KERNEL, and what says nothing is no error', () => {
    for (const thrown of [new TypeError('bare'), 'a word', null, { toString: () => 'odd' }]) {
      const arrived = restored(structuredClone(flatten(thrown, 'worker')), 1)!;
      expect(arrived.code).to.equal('E_KERNEL');
    }
    for (const nothing of [
      undefined,
      3,
      {},
      { code: 'E_SHAPE' },
      { code: 'E_NONE', diagnostic: {} },
      { code: 'toString', diagnostic: { message: '' } },
    ])
      expect(restored(nothing, 1)).to.equal(undefined);
  });
});
