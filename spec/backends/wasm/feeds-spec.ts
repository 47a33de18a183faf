/** @file Feeds of a wasm backend: copied once, or not at all, and read by whatever strides they have. */
import { expect } from 'chai';
import fc from 'fast-check';
import { of, map, range as numbers } from 'rxjs';
import {
  add,
  einsum,
  evaluateSync,
  exp,
  flip,
  graph,
  input,
  js,
  mul,
  param,
  range,
  run,
  slice,
  sum,
  tensor,
  transpose,
  at,
  type Backend,
  type Tensor,
} from '../../../src/index.js';
import { differenceOf } from '../../../src/testing/conformance/difference.js';
import { propertyRuns, propertySeed } from '../../support/property.js';
import { watch } from '../../support/watch.js';
import { copiedBytes, placed, wasmKit } from '../../support/wasmKit.js';

const doubled = graph({ x: input([256]) }, ({ x }) => ({ y: mul(x, 2) }));
const bytes = 256 * 4;

describe('feeds of a wasm backend', () => {
  it('are copied once when they lie elsewhere, and not when the backend allocated them', () => {
    const { backend, memory } = wasmKit();
    const host = tensor(new Float32Array(256));
    const mine = placed(backend, [256], new Array<number>(256).fill(3));
    const lent = run(doubled, { backend, outputs: 'borrow' });
    watch(of({ x: host }, { x: mine }).pipe(lent)); // Compiled, and buffers made.
    const before = memory.used();
    const of100 = (x: Tensor) =>
      copiedBytes(() =>
        watch(
          numbers(0, 100).pipe(
            map(() => ({ x })),
            lent,
          ),
        ),
      );
    expect(of100(host)).to.equal(100 * bytes);
    expect(of100(mine)).to.equal(0);
    const copied = run(doubled, { backend });
    expect(
      copiedBytes(() => watch(of({ x: mine }).pipe(copied))),
      'the output',
    ).to.equal(bytes);
    expect(memory.used() - before, 'one more set of buffers, for the other way of giving outputs').to.be.below(3 * (bytes + 128));
  });

  it('that are params are uploaded once, whoever subscribes, and run on by identity', () => {
    const { backend, memory } = wasmKit();
    const w = tensor(new Float32Array(4096).fill(2), { shape: [64, 64] });
    const layer = (scale: number) =>
      graph({ x: input([1, 64]), w: param(w) }, ({ x, w: weights }) => ({ y: mul(einsum('ni,io->no', x, weights), scale) }));
    const x = placed(backend, [1, 64], new Array<number>(64).fill(1));
    const [one, two] = [layer(1), layer(2)];
    const weights = w.buffer.array.byteLength;
    const moved = copiedBytes(() => {
      for (let k = 0; k < 50; k++)
        for (const each of [one, two]) watch(of({ x }).pipe(run(each, { backend, outputs: 'borrow' })));
    });
    expect(moved)
      .to.be.at.least(weights)
      .and.below(weights + 64);
    expect(memory.used()).to.be.below(weights + 2 ** 15);
    expect(evaluateSync(two, { x }, { backend }).y.data[0]).to.equal(256);
    const other = tensor(new Float32Array(4096).fill(1), { shape: [64, 64] });
    expect(evaluateSync(two, { x, w: other }, { backend }).y.data[63], 'fed instead').to.equal(128);
    expect(evaluateSync(two, { x }, { backend }).y.data[0]).to.equal(256);
  });

  it('are read again for every frame: an array that its owner refills is new', () => {
    const { backend } = wasmKit();
    const host = new Float32Array(256);
    const mine = backend.allocate([256], 'float32');
    const kept = tensor(host);
    for (let frame = 0; frame < 3; frame++) {
      for (const array of [host, mine.data]) array.fill(frame as never);
      kept.data.fill(frame as never);
      for (const x of [host, kept, mine]) expect(evaluateSync(doubled, { x }, { backend }).y.data[255]).to.equal(2 * frame);
    }
  });

  it('may be views of any strides, over its own memory, over an array, over the memory of another backend', () => {
    const [{ backend, memory }, other] = [wasmKit(), wasmKit()];
    const size = fc.integer({ min: 1, max: 7 });
    const step = fc.constantFrom(1, 2, 3, -1, -2);
    const aView = fc.tuple(
      fc.array(fc.tuple(size, fc.nat(2), step), { minLength: 1, maxLength: 3 }),
      fc.nat(2),
      fc.constantFrom('own', 'host', 'other'),
    );
    const where: Record<string, (shape: readonly number[]) => Tensor> = {
      own: (shape) => backend.allocate(shape, 'float32'),
      host: (shape) => tensor(new Float32Array(shape.reduce((a, b) => a * b, 1)), { shape }),
      other: (shape) => other.backend.allocate(shape, 'float32'),
    };
    fc.assert(
      fc.property(aView, ([axes, turns, place]) => {
        const base = where[place](axes.map(([n, , by]) => n * Math.abs(by) + 2));
        base.data.forEach((_, k) => (base.data[k] = ((k * 7) % 23) / 4 - 2));
        const cuts = axes.map(([n, first, by]) =>
          by > 0 ? range(first, first + n * by, by) : range(first - (n - 1) * by, first === 0 ? null : first - 1, by),
        );
        let x = slice(base, ...cuts);
        expect(x.shape).to.deep.equal(axes.map(([n]) => n));
        x = transpose(x, { perm: x.shape.map((_, k) => (k + turns) % x.rank) });
        const made = graph({ x: input(x.shape) }, ({ x: symbol }) => ({
          e: add(mul(symbol, symbol), 1),
          s: sum(exp(symbol), { axis: -1 }),
          f: flip(symbol),
          d: einsum(`${'ijk'.slice(0, x.rank)},${'ijk'.slice(0, x.rank)}->`, symbol, symbol),
        }));
        for (const level of ['none', 'standard'] as const) {
          const got = evaluateSync(made, { x }, { backend, level, fallback: 'never' });
          const want = evaluateSync(made, { x }, { backend: js(), level });
          for (const key of ['e', 's', 'f', 'd'] as const)
            expect(differenceOf(got[key], want[key], 1e-5), key).to.equal(undefined);
        }
        for (const each of [backend, other.backend]) each.release!(base);
      }),
      { seed: propertySeed(), numRuns: propertyRuns(20, 2_000, 20_000) },
    );
    expect(memory.used()).to.be.greaterThan(0);
  });

  it('that were borrowed from a frame that has ended, or released, are refused with E_STALE', () => {
    const { backend } = wasmKit();
    const stale: Tensor[] = [];
    watch(
      of({ x: new Float32Array(256) }).pipe(
        run(doubled, { backend, outputs: 'borrow' }),
        map(({ y }) => stale.push(y)),
      ),
    );
    const released = backend.allocate([256], 'float32');
    backend.release!(released);
    for (const x of [...stale, released]) {
      for (const by of [backend, wasmKit().backend, js()]) {
        const seen = watch(of({ x }).pipe(run(doubled, { backend: by })));
        expect(seen.error).to.have.property('code', 'E_STALE');
      }
    }
    expect(stale).to.have.length(1);
  });

  it('go from backend to backend and back', () => {
    const backends: readonly Backend[] = [js(), wasmKit().backend, wasmKit().backend];
    let x: Tensor = tensor(new Float32Array(256).fill(1));
    for (let turn = 0; turn < 6; turn++) x = evaluateSync(doubled, { x }, { backend: backends[turn % 3] }).y;
    expect(x.data.every((element) => element === 64)).to.equal(true);
    const ends: number[] = [];
    watch(
      of({ x: new Float32Array(256).fill(1) }).pipe(
        run(doubled, { backend: backends[1], outputs: 'borrow' }),
        map(({ y }) => ({ x: y })),
        run(doubled, { backend: backends[2], outputs: 'borrow' }),
        map(({ y }) => ({ x: flip(y) })),
        run(doubled),
        map(({ y }) => ends.push(Number(slice(y, at(0)).data[0]))),
      ),
    );
    expect(ends).to.deep.equal([8]);
  });
});
