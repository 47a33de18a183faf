/** @file Numbers at their edges on wasm: the same as on js, integer overflow, division by zero, denormals, indices outside. */
import { expect } from 'chai';
import {
  evaluateSync,
  graph,
  input,
  js,
  ops,
  sum,
  take,
  tensor,
  exp,
  type Backend,
  type ComputedDType,
  type GraphSymbol,
  type Tensor,
} from '../../../src/index.js';
import { liveMemory } from '../../../src/run/index.js';
import { allOps } from '../../../src/ops/registry.js';
import { differenceOf } from '../../../src/testing/conformance/difference.js';
import { isLarge } from '../../support/property.js';
import { thrownBy } from '../../support/thrownBy.js';
import { onEachWasm, PLAIN_OR_ALL } from '../../support/wasmVariants.js';

const apply = (op: string, ...operands: readonly GraphSymbol[]) => ops[op](...operands) as GraphSymbol;

/** An op on all pairs of the values, in lengths that fill vectors and that do not, on wasm and on js. */
function both(
  on: Backend,
  op: string,
  arity: number,
  dtype: ComputedDType,
  values: readonly number[],
): readonly (readonly [Tensor, Tensor])[] {
  const pairs = values.flatMap((x) => values.map((y) => [x, y] as const));
  return [...(isLarge() ? [1] : []), 3, pairs.length].map((count) => {
    const [x, y] = [0, 1].map((side) => tensor(pairs.slice(-count).map((pair) => pair[side]), { dtype })); // prettier-ignore
    const made = graph({ x: input([count], { dtype }), y: input([count], { dtype }) }, (all) => ({
      out: arity === 1 ? apply(op, all.x) : apply(op, all.x, all.y),
    }));
    const [here, there] = [on, js()].map((by) => evaluateSync(made, { x, y }, { backend: by, fallback: 'never' }).out);
    return [here, there] as const;
  });
}

/** Elementwise ops of one or two operands that int32 and float32 need no params for. */
const elementwise = allOps().filter(({ expr, arity }) => expr !== undefined && (arity === 1 || arity === 2));

onEachWasm(
  'numbers on wasm',
  (backend) => {
    const [min, max] = [-(2 ** 31), 2 ** 31 - 1];

    it('of int32 wrap, divide and shift as on js, bit for bit, at the ends of their range (N3)', () => {
      let compared = 0;
      const values = [min, min + 1, -65536, -7, -1, 0, 1, 2, 7, 31, 32, 33, 46341, 65537, max - 1, max];
      for (const { name, arity, dtype } of elementwise) {
        try {
          dtype(
            Array.from({ length: Number(arity) }, () => 'int32'),
            {},
          );
        } catch (error) {
          expect(error, `${name} has no int32`).to.have.property('code', 'E_DTYPE');
          continue;
        }
        for (const [here, there] of both(backend(), name, Number(arity), 'int32', values)) {
          expect(differenceOf(here, there, 1e-6), name).to.equal(undefined);
          compared += here.size;
        }
      }
      console.log(`      ${compared} elements compared`);
      expect(compared).to.be.greaterThan(5_000);
    });

    it('of int32 sum and multiply to what wraps, as on js (N3)', () => {
      const x = tensor([max, max, min, 3, 46341, 46341, -1, max, min], { dtype: 'int32' });
      for (const name of ['sum', 'prod', 'max', 'min', 'argmax', 'mean']) {
        const made = graph({ x: input([9], { dtype: 'int32' }) }, (all) => ({ y: apply(name, all.x) }));
        const [here, there] = [backend(), js()].map((by) => evaluateSync(made, { x }, { backend: by, fallback: 'never' }).y);
        expect(differenceOf(here, there, 1e-6), name).to.equal(undefined);
      }
    });

    it('of float32 that are special, denormal or at the ends of their range are as on js: denormals are kept (N6)', () => {
      const tiny = 2 ** -149;
      const values = [NaN, Infinity, -Infinity, 0, -0, tiny, -tiny, 2 ** -126, 1e-40, 3.4028234663852886e38, -3.4028234663852886e38, 1, -1, 0.5, 1.5, 2.5, -2.5]; // prettier-ignore
      const exact = [['neg', 'abs', 'sign', 'square', 'relu', 'floor', 'ceil', 'round', 'sqrt'], ['add', 'sub', 'mul', 'div', 'maximum', 'minimum', 'less', 'equal']]; // prettier-ignore
      for (const [name, arity] of exact.flatMap((names, at) => names.map((each) => [each, at + 1] as const))) {
        for (const [here, there] of both(backend(), name, arity, 'float32', values)) {
          const bits = ({ data }: Tensor) =>
            Array.from(data as Float32Array, (x) => (Number.isNaN(x) ? 'NaN' : Object.is(x, -0) ? '-0' : x));
          expect(bits(here), name).to.deep.equal(bits(there));
        }
      }
      const made = graph({ x: input([5]) }, ({ x }) => ({ half: ops['mul'](x, 0.5) as GraphSymbol, s: sum(x) }));
      const { half, s } = evaluateSync(made, { x: [2 * tiny, 2 ** -126, 0, 0, 0] }, { backend: backend(), fallback: 'never' });
      expect([...half.data].slice(0, 2)).to.deep.equal([tiny, 2 ** -127]);
      expect(s.toArray()).to.equal(2 ** -126 + 2 * tiny);
    });

    it('that are indices outside end in E_SHAPE with the index, and nothing is taken for NaN (G12)', () => {
      const made = graph({ x: input([5, 3]), i: input([4], { dtype: 'int32' }) }, ({ x, i }) => ({
        y: exp(take(x, i, { axis: 0 })),
      }));
      const x = tensor(new Float32Array(15), { shape: [5, 3] });
      const at = (index: number) => ({ x, i: tensor([0, 4, index, -5], { dtype: 'int32' }) });
      for (const index of [5, -6, 100, min, max]) {
        for (const by of [backend(), js()]) {
          const error = thrownBy(() => evaluateSync(made, at(index), { backend: by }));
          expect(error.code).to.equal('E_SHAPE');
          expect(error.message)
            .to.include(String(index))
            .and.match(/from -5 to 4/);
        }
        expect(evaluateSync(made, at(-1), { backend: backend() }).y.data).to.have.length(12);
      }
      const columns = graph({ x: input([5, 3]), i: input([1], { dtype: 'int32' }) }, (all) => ({
        y: take(all.x, all.i, { axis: 1 }),
      }));
      expect(
        thrownBy(() => evaluateSync(columns, { x, i: tensor([3], { dtype: 'int32' }) }, { backend: backend() })).message,
      ).to.include('got 3');
      expect(liveMemory()).to.deep.equal({ frames: 0, bytes: 0 });
    });
  },
  PLAIN_OR_ALL,
);
