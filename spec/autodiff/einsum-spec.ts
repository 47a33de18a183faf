/** @file The one rule for gradients of einsum against its meaning, written down a second time: exact, as the elements are small integers. */
import { expect } from 'chai';
import fc from 'fast-check';
import {
  backward,
  einsum,
  evaluateSync,
  gradient,
  graph,
  hvp,
  input,
  js,
  matmul,
  dot,
  outer,
  tensor,
  variable,
  type Graph,
  type Tensor,
} from '../../src/index.js';
import { tensorOver } from '../../src/tensor/tensor.js';
import { anyEinsum, meaningOf, type AnyEinsum } from '../support/anyEinsum.js';
import { propertyRuns, propertySeed } from '../support/property.js';

const backend = js({ kernels: 'interpret' });

interface Drawn extends AnyEinsum {
  /** For each operand, which of the variables it is. */
  readonly variables: readonly number[];
  readonly salt: number;
}

/** Some operands of one shape are the same variable. */
const drawn: fc.Arbitrary<Drawn> = fc
  .record({
    einsum: fc.oneof({ arbitrary: anyEinsum({ maxOperands: 3, minSize: 1 }), weight: 5 }, anyEinsum({ maxOperands: 3 })),
    twins: fc.boolean(),
    salt: fc.nat(100),
  })
  .map(({ einsum: e, twins, salt }) => {
    const variables = e.tensors.map((own, k) =>
      twins ? e.tensors.findIndex(({ shape }) => shape.join() === own.shape.join()) : k,
    );
    return { ...e, salt, variables, tensors: variables.map((at) => e.tensors[at]) };
  });

const small = (shape: readonly number[], salt: number): Tensor => {
  const size = shape.reduce((product, n) => product * n, 1);
  return tensorOver(
    Float64Array.from({ length: size }, (_, i) => (((i + salt) * 5) % 7) - 3),
    'float64',
    shape,
  );
};

/** The result with some operands replaced. */
const meaning = (e: Drawn, replaced: ReadonlyMap<number, Tensor>): readonly number[] =>
  meaningOf({ ...e, tensors: e.tensors.map((own, k) => replaced.get(k) ?? own) });

const inner = (a: ArrayLike<number>, b: ArrayLike<number>): number => Array.from(a).reduce((sum, x, i) => sum + x * b[i], 0);

/** A tensor of zeros and one 1. */
const unit = ({ shape, size }: Tensor, at: number): Tensor => {
  const elements = new Float64Array(size);
  elements[at] = 1;
  return tensorOver(elements, 'float64', shape);
};

/** By each element of a variable, the slope is the result with that operand replaced by 1 there and 0 elsewhere. */
function slopes(e: Drawn, cotangent: ArrayLike<number>, at: number): readonly number[] {
  return Array.from(
    { length: e.tensors[at].size },
    (_, i) =>
    e.tensors.reduce((sum, own, k) => (e.variables[k] === at ? sum + inner(cotangent, meaning(e, new Map([[k, unit(own, i)]]))) : sum), 0), // prettier-ignore
  );
}

/** And how the slopes change along directions: one more operand replaced. */
function curvature(
  e: Drawn,
  cotangent: ArrayLike<number>,
  directions: ReadonlyMap<number, Tensor>,
  at: number,
): readonly number[] {
  return Array.from({ length: e.tensors[at].size }, (_, i) => {
    let sum = 0;
    e.tensors.forEach((own, k) => {
      if (e.variables[k] !== at) return;
      e.tensors.forEach((_other, j) => {
        if (j === k) return;
        const replaced = new Map([[k, unit(own, i)], [j, directions.get(e.variables[j])!]]); // prettier-ignore
        sum += inner(cotangent, meaning(e, replaced));
      });
    });
    return sum;
  });
}

const plusZero = (values: ArrayLike<number>): readonly number[] => Array.from(values, (value) => value + 0);

describe('the gradient of any einsum (B04, F007)', () => {
  it('is the sum of products that its meaning says, as a graph, on variables, and to second order', () => {
    let values = 0;
    fc.assert(
      fc.property(drawn, (e) => {
        const names = [...new Set(e.variables)].map((at) => [at, `x${at}`] as const);
        const g = graph(Object.fromEntries(names.map(([at, name]) => [name, input(e.tensors[at].shape, { dtype: 'float64' })])), (s) => ({
          y: einsum(e.spec, ...e.variables.map((at) => s[`x${at}`])) ,
        })) as Graph; // prettier-ignore
        const feeds = Object.fromEntries(names.map(([at, name]) => [name, e.tensors[at]]));
        const { y } = evaluateSync(g, feeds, { backend });
        const cotangent = small(y.shape, e.salt);
        const what = { of: 'y', wrt: names.map(([, name]) => name), seed: 'feed' } as const;
        const fed = { ...feeds, 'y.cotangent': cotangent };
        const first = evaluateSync(gradient(g, what), fed, { backend });

        const xs = new Map(names.map(([at]) => [at, variable(e.tensors[at])]));
        const eager = backward(einsum(e.spec, ...e.variables.map((at) => xs.get(at)!)), cotangent);

        const directions = new Map(names.map(([at]) => [at, small(e.tensors[at].shape, e.salt + at)]));
        const second = evaluateSync(
          hvp(g, what),
          { ...fed, ...Object.fromEntries(names.map(([at, name]) => [`${name}.direction`, directions.get(at)!])) },
          { backend },
        );
        for (const [at, name] of names) {
          const want = plusZero(slopes(e, cotangent.data as Float64Array, at));
          expect(plusZero(first[name].data as Float64Array), `${e.spec} by operand ${at}`).to.deep.equal(want);
          expect(first[name].shape).to.deep.equal(e.tensors[at].shape);
          expect(plusZero(eager.of(xs.get(at)!).data as Float64Array), `${e.spec} on variables`).to.deep.equal(want);
          const bends = plusZero(curvature(e, cotangent.data as Float64Array, directions, at));
          expect(plusZero(second[name].data as Float64Array), `${e.spec}, second order`).to.deep.equal(bends);
          values += 3 * want.length;
        }
      }),
      { seed: propertySeed(), numRuns: propertyRuns(20, 600, 6_000) },
    );
    console.log(`    gradients of einsum: ${values} values`);
  });

  it('sums over letters that only a size gives, and spreads over letters that only an operand has', () => {
    const x = variable(tensor([1, 2], { dtype: 'float64' }));
    backward(einsum('a->ab', x, { sizes: { b: 3 } }), tensor([[1, 2, 3], [10, 20, 30]], { dtype: 'float64' })); // prettier-ignore
    expect(x.grad!.toArray()).to.deep.equal([6, 60]);
    const z = variable(tensor([[1, 2], [3, 4]])); // prettier-ignore
    backward(einsum('ab->a', z), tensor([1, 10]));
    expect(z.grad!.toArray()).to.deep.equal([[1, 1], [10, 10]]); // prettier-ignore
  });

  it('names 52 letters at most, and says so where a gradient needs more', () => {
    const wide = Array.from({ length: 53 }, () => 1);
    const g = graph({ x: input(wide), y: input([]) }, ({ x, y }) => ({ z: einsum('...,->...', x, y) }));
    expect(() => gradient(g, { of: 'z', wrt: ['y'], seed: 'ones' })).to.throw(/52 labels; got 53/);
  });

  it('is that of matmul, dot and outer too, whatever is broadcast', () => {
    const shapes: readonly (readonly [typeof matmul, readonly number[], readonly number[], string])[] = [
      [matmul, [2, 3], [3, 4], 'ij,jk->ik'],
      [matmul, [3], [3, 4], 'j,jk->k'],
      [matmul, [2, 3], [3], 'ij,j->i'],
      [matmul, [3], [3], 'j,j->'],
      [matmul, [5, 1, 2, 3], [4, 3, 2], '...ij,...jk->...ik'],
      [dot, [3], [3], 'j,j->'],
      [outer, [2], [3], 'i,j->ij'],
    ];
    for (const [op, a, b, spec] of shapes) {
      const [p, q, r, t] = [small(a, 1), small(b, 2), small(a, 1), small(b, 2)].map((each) => variable(each));
      const [y, z] = [op(p, q), einsum(spec, r, t)];
      const cotangent = small(y.shape, 3);
      backward(y, cotangent);
      backward(z, cotangent);
      expect(p.grad!.toArray(), spec).to.deep.equal(r.grad!.toArray());
      expect(q.grad!.toArray(), spec).to.deep.equal(t.grad!.toArray());
    }
  });
});
