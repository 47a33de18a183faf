/** @file Graphs of the interchange format on wasm: every name that it has, run natively, gives what js gives. */
import { expect } from 'chai';
import { evaluateSync, js, parseGraph, tensor, type Backend, type Feed, type Graph, type Tensor } from '../../../src/index.js';
import { INTERCHANGE, type InterchangeKind } from '../../../src/ops/interchange.js';
import { allOps } from '../../../src/ops/registry.js';
import { binary, einsumNode, interchange, reduce, unary, type InterchangeNode } from '../../support/interchange.js';
import { farFrom } from '../../support/near.js';
import { isLarge } from '../../support/property.js';
import { onEachWasm, PLAIN_OR_ALL } from '../../support/wasmVariants.js';

const definitions = new Map(allOps().map((op) => [op.name, op]));
const VALUES = [-1000, -88, -3.5, -2.5, -1, -0.75, -0.5, -0, 0, 0.25, 0.5, 0.75, 1, 1.5, 2, 2.5, 7, 40, 88, 1000, NaN, Infinity, -Infinity]; // prettier-ignore
const table = (flip: 'rows' | 'columns'): Tensor =>
  tensor(VALUES.map((row) => VALUES.map((column) => (flip === 'rows' ? row : column))).flat(), {
    shape: [VALUES.length, VALUES.length],
  });
const small = tensor([[0.5, -1.25, 2], [3, 0, -0.5], [1, 1, 0.25]]); // prettier-ignore
const m = tensor([[1, 2], [3, 4]]); // prettier-ignore

/** Runs the graph natively on `backend` and on js, as given and optimised; both must agree within the op's tolerance. */
function expectSame(backend: Backend, made: Graph, feeds: Readonly<Record<string, Feed>>, op = 'einsum'): number {
  let elements = 0;
  for (const level of isLarge() ? (['none', 'standard'] as const) : (['standard'] as const)) {
    const got = evaluateSync(made, feeds, { backend, level, fallback: 'never' });
    const want = evaluateSync(made, feeds, { backend: js(), level });
    expect(Object.keys(got)).to.deep.equal(Object.keys(want));
    for (const [key, value] of Object.entries(want)) {
      expect(farFrom(got[key], value, definitions.get(op)!), `${op}, ${key}, level ${level}`).to.equal(undefined);
      elements += value.size;
    }
  }
  return elements;
}

const single = (node: InterchangeNode, tensors: readonly string[]): Graph =>
  parseGraph(interchange({ tensors, nodes: [node], outputs: [tensors.length - 1] }));

onEachWasm(
  'the interchange format on wasm',
  (backend) => {
    const names: Readonly<Record<InterchangeKind, readonly [row: string, run: (name: string, op: string) => number]>> = {
      unary: ['F143', (name, op) => expectSame(backend(), single(unary(name, 0, 1), ['x', 'y']), { x: tensor(VALUES) }, op)],
      binary: [
        'F144',
        (name, op) =>
          expectSame(backend(), single(binary(name, 0, 1, 2), ['a', 'b', 'y']), { a: table('rows'), b: table('columns') }, op),
      ],
      reduce: [
        'F145',
        (name, op) =>
          [undefined, [0], [1, 0], [-1], []].reduce(
            (sum, axes) => sum + expectSame(backend(), single(reduce(name, axes, 0, 1), ['x', 'y']), { x: small }, op),
            0,
          ),
      ],
    };
    for (const [kind, [row, run]] of Object.entries(names)) {
      it(`runs every ${kind} op by every name of it, natively (${row})`, () => {
        let elements = 0;
        for (const [name, op] of INTERCHANGE[kind as InterchangeKind]) elements += run(name, op);
        console.log(`        ${INTERCHANGE[kind as InterchangeKind].size} names, ${elements} elements compared`);
      });
    }

    it('keeps a sigmoid stable at both ends (F143)', () => {
      const made = single(unary('sigmoid', 0, 1), ['x', 'y']);
      const { y } = evaluateSync(made, { x: [-1000, 0, 1000] }, { backend: backend(), fallback: 'never' });
      expect(y.toArray()).to.deep.equal([0, 0.5, 1]);
    });

    it('contracts specs with diagonals, ellipses, implicit outputs, scalars, and letters of a given size (F146, F147)', () => {
      const specs: readonly (readonly [string, ...Feed[]])[] = [
        ['ii->i', small], ['ii', small], ['ij,jk', small, small], ['a,->a', [1, 2, 3], 4], ['ij->', small],
        ['...i,i->...', small, [1, 2, 3]], ['...ij,...jk->...ik', [small.toArray(), small.toArray()], small], ['ba', small],
        ['ij,jk,kl->il', small, small, small], ['i,j,k->', [1, 2], [3], [4, 5, 6]],
      ]; // prettier-ignore
      for (const [spec, ...operands] of specs) {
        const made = single(einsumNode(spec, operands.map((_, k) => k), operands.length), [...operands.map((_, k) => `x${k}`), 'y']); // prettier-ignore
        expectSame(backend(), made, Object.fromEntries(operands.map((value, k) => [`x${k}`, value])));
      }
      const text = interchange({ tensors: ['x', 'y'], nodes: [einsumNode('a->ab', [0], 1)], outputs: [1] });
      expectSame(backend(), parseGraph(text, { sizes: { b: 3 } }), { x: [1, 2] });
    });

    it('runs wrappers around specs (F148)', () => {
      const specs: readonly (readonly [string, ...Feed[]])[] = [
        ['sum(ab->a)', m], ['mean(ab->ba)', m], ['max(aa->a)', m], ['min(ab->b)', m], ['prod(ab->a)', m], ['count(ab->)', m],
        ['any(ab->a)', m], ['all(ab->b)', m], ['subtract(a,->a)', [5, 6], 1], ['multiply(a,b->ab)', [1, 2], [10, 20, 30]],
        ['sigmoid(a->a)', [0, 1]], ['square(ab->ba)', m], ['negate(aa->a)', m], ['exp(ab->a)', m],
      ]; // prettier-ignore
      for (const [spec, ...operands] of specs) {
        const made = single(einsumNode(spec, operands.map((_, k) => k), operands.length), [...operands.map((_, k) => `x${k}`), 'y']); // prettier-ignore
        expectSame(backend(), made, Object.fromEntries(operands.map((value, k) => [`x${k}`, value])));
      }
    });

    it('reads envelopes, constants, repeated and hostile names, nodes in any order, outputs that are inputs (F141, F142)', () => {
      const inner = {
        tensors: ['x', '__proto__', 'const_2.5', 'toString', 'x'],
        nodes: [binary('add', 3, 2, 1), unary('exp', 0, 3), unary('neg', 1, 4)],
        inputs: [0],
        outputs: [1, 3, 0, 4],
        later: { a: [] },
      };
      const text = JSON.stringify({ version: '1.0.0', created_at: 'then', metadata: {}, graph: inner });
      expectSame(backend(), parseGraph(text), { x: [0, 1, -1] }, 'exp');
      const { y } = evaluateSync(single(unary('relu', 0, 1), ['x', 'y']), { x: [-1, 2] }, { backend: backend() });
      expect(y.toArray()).to.deep.equal([0, 2]);
    });
  },
  PLAIN_OR_ALL,
);
