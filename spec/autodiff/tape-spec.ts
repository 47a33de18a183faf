/** @file Variables and tapes: what is recorded, what is held, and when it is let go. */
import { expect } from 'chai';
import {
  add,
  backward,
  div,
  EinstreamError,
  einsum,
  exp,
  greater,
  identity,
  mul,
  neg,
  noGrad,
  relu,
  sigmoid,
  sin,
  sum,
  tape,
  tensor,
  transpose,
  variable,
  where,
  wrap,
  type Tensor,
  type Variable,
} from '../../src/index.js';
import { collected, reachable } from '../support/collect.js';
import { propertyRuns } from '../support/property.js';

describe('a variable (F009)', () => {
  it('has an id of its own, requires gradients unless told otherwise, and has none before the first way back', () => {
    const [a, b] = [variable(tensor([1])), variable(tensor([1]), { requiresGrad: false })];
    expect(a.id).to.not.equal(b.id);
    expect([a.requiresGrad, b.requiresGrad, a.grad]).to.deep.equal([true, false, undefined]);
    expect(mul(b, 2).requiresGrad).to.equal(false);
    expect(mul(a, b).requiresGrad).to.equal(true);
  });

  it('adds up its gradients over ways back, until it forgets them', () => {
    const x = variable(tensor([1, 2]));
    backward(sum(mul(x, x)));
    backward(sum(mul(x, 10)));
    expect(x.grad!.toArray()).to.deep.equal([12, 14]);
    x.zeroGrad();
    expect(x.grad).to.equal(undefined);
    backward(sum(x));
    expect(x.grad!.toArray()).to.deep.equal([1, 1]);
  });

  it('adds where a value is used twice, and passes nothing through detached values, noGrad, constants and comparisons', () => {
    const x = variable(tensor([3]));
    const cut = noGrad(() => exp(x));
    const y = add(add(mul(x, x), mul(x.detach(), x)), add(mul(cut, 2), mul(where(greater(x, 0), x, 0), tensor([5]))));
    backward(sum(y));
    expect(x.grad!.toArray()).to.deep.equal([6 + 3 + 5]);
    expect([cut.requiresGrad, x.detach().requiresGrad]).to.deep.equal([false, false]);
  });

  it('follows the loops and conditions of its host', () => {
    const newton = (start: number): Variable => {
      let x = variable(tensor([start], { dtype: 'float64' }));
      const a = x;
      for (let step = 0; step < 40 && Math.abs((x.toArray() as number[])[0] ** 2 - 2) > 1e-15; step++)
        x = mul(0.5, add(x, div(2, x)));
      backward(sum(x));
      return a;
    };
    // Where it has converged, the root no longer depends on where it started.
    expect((newton(1).grad!.toArray() as number[])[0]).to.be.closeTo(0, 1e-9);
  });

  it('keeps its gradients on failure: a noGrad that throws ends', () => {
    expect(() => noGrad(() => { throw new Error('own'); })).to.throw('own'); // prettier-ignore
    expect(mul(variable(tensor([1])), 2).requiresGrad).to.equal(true);
  });
});

describe('a tape (F010)', () => {
  it('lists what was applied, by kind, op, operands and result', () => {
    const t = tape();
    const [x, c] = [t.variable(tensor([[1, 2]])), tensor([[3, 4]])];
    const steps = [sin(x), mul(x, c), sum(x, { axis: 1 }), einsum('ij->ji', x), where(greater(x, 0), x, c), transpose(x)];
    expect(t.ops.map(({ kind, op }) => `${kind} ${op}`)).to.deep.equal([
      'ElemUnary sin',
      'ElemBinary mul',
      'Reduce sum',
      'Einsum einsum',
      'ElemTernary where',
      'Movement transpose',
    ]);
    expect(t.ops.map(({ output }) => output)).to.deep.equal(steps.map(({ id }) => id));
    expect(t.ops[1].inputs).to.deep.equal([x.id, 0]);
    t.clear();
    expect([t.length, t.ops]).to.deep.equal([0, []]);
  });

  it('is let go behind the way back, so that a second one is refused, unless it is persistent', () => {
    for (const way of ['backward', 'tape'] as const) {
      const t = tape();
      const x = t.variable(tensor([1, 2]));
      const y = sum(mul(x, x));
      const back = () => (way === 'tape' ? t.backward(y) : backward(y));
      back();
      expect(back).to.throw(EinstreamError, /gone back over once.*persistent: true/s);
    }
    const t = tape({ persistent: true });
    const x = t.variable(tensor([1, 2]));
    const y = sum(mul(x, x));
    t.backward(y);
    expect(t.backward(y).of(x).toArray()).to.deep.equal([2, 4]);
    expect(x.grad!.toArray()).to.deep.equal([4, 8]);
    expect(t.length).to.equal(2);
    t.clear();
    expect(() => t.backward(y)).to.throw(EinstreamError, /gone back over once/);
  });

  it('nests: each lists what is done to its own variables, and what joins both is on both', () => {
    const outer = tape();
    const x = outer.variable(tensor([2]));
    const inner = tape();
    const y = inner.variable(tensor([3]));
    const z = mul(exp(x), sin(y));
    expect([outer.ops.map(({ op }) => op), inner.ops.map(({ op }) => op)]).to.deep.equal([['exp', 'mul'], ['sin', 'mul']]); // prettier-ignore
    const slopes = inner.backward(z);
    expect((slopes.of(x).toArray() as number[])[0]).to.be.closeTo(Math.exp(2) * Math.sin(3), 1e-5);
    expect((slopes.of(y).toArray() as number[])[0]).to.be.closeTo(Math.exp(2) * Math.cos(3), 1e-5);
    expect(inner.length).to.equal(0);
  });

  it('gives second order over what was gone back over', () => {
    const x = variable(tensor([1, 2], { dtype: 'float64' }));
    const first = backward(sum(mul(x, mul(x, x))), undefined, { differentiable: true });
    const slope = first.of(x);
    expect(slope.toArray()).to.deep.equal([3, 12]);
    expect(backward(sum(slope)).of(x).toArray()).to.deep.equal([6, 12]);
  });
});

/** Tensors that are still reachable, by the names they were watched under. */
function watching() {
  const live = new Set<string>();
  const registry = new FinalizationRegistry<string>((name) => void live.delete(name));
  return {
    watch<T extends Tensor>(name: string, value: T): T {
      live.add(name);
      registry.register(value.buffer.array, name);
      return value;
    },
    async live(): Promise<readonly string[]> {
      // What garbage held is garbage next time: until a collection finds no more.
      for (let [before, tries] = [Infinity, 0]; tries < 5 && live.size < before; tries++) {
        before = live.size;
        await collected();
      }
      return [...live].sort();
    },
  };
}

const fresh = (size = 1000): Tensor => wrap(Float32Array.from({ length: size }, (_, i) => i / size));

describe('memory of a tape', function () {
  this.timeout(60_000);

  it('holds the values that rules read, and no others', async () => {
    const { watch, live } = watching();
    const make = (): readonly [Variable, Variable] => {
      const x = variable(watch('x', fresh()));
      const shifted = add(x, watch('added', fresh())); // its rule reads nothing
      watch('sum', shifted.value);
      const scaled = mul(shifted, watch('factor', fresh())); // reads the factor, and the sum where its gradient is wanted
      watch('product', scaled.value);
      const e = exp(neg(scaled)); // reads its own result
      watch('exponential', e.value);
      const flipped = identity(e);
      watch('copy', flipped.value);
      return [x, sum(flipped)];
    };
    const [x, y] = make();
    const held = await live();
    expect(held).to.include.members(['x', 'factor', 'exponential']);
    for (const name of ['added', 'product', 'copy']) expect(held, 'not held').to.not.include(name);
    backward(y);
    expect(await live()).to.deep.equal(['x']);
    expect(x.grad!.size).to.equal(1000);
  });

  it('holds nothing once it is dropped, or cleared, or its variables are', async () => {
    const { watch, live } = watching();
    const t = tape();
    const start = (name: string): Variable => {
      const x = t.variable(watch(name, fresh()));
      const y = sigmoid(relu(x));
      watch(`${name} result`, y.value);
      return sum(y);
    };
    let y: Variable | undefined = start('cleared');
    expect(await live()).to.not.deep.equal([]);
    t.clear();
    expect(await live()).to.deep.equal([]);
    y = sum(sigmoid(variable(watch('dropped', fresh()))));
    expect(y.toArray()).to.be.greaterThan(0);
    y = undefined;
    expect(await live()).to.deep.equal([]);
  });

  it(`does not grow over ${propertyRuns(500, 10_000, 100_000)} eager steps`, () => {
    const t = tape();
    let w = t.variable(fresh(16));
    const step = (): void => {
      const loss = sum(mul(sigmoid(w), 0.001));
      const slope = t.backward(loss).of(w);
      w = t.variable(add(w.value, mul(slope, -0.1)));
    };
    for (let at = 0; at < 200; at++) step();
    const before = reachable();
    for (let at = 0; at < propertyRuns(500, 10_000, 100_000); at++) step();
    const after = reachable();
    expect(after.heap - before.heap).to.be.lessThan(2 ** 20);
    expect(after.buffers - before.buffers).to.be.lessThan(64 * 1024);
    expect(t.length).to.equal(0);
  });
});
