/** @file What a wasm backend gives stays as it is: outputs, kept values, and what middleware reads. */
import { expect } from 'chai';
import { concatMap, from, map, of, Subject, tap, toArray } from 'rxjs';
import {
  add,
  assign,
  einsum,
  evaluate,
  evaluateSync,
  exp,
  graph,
  input,
  js,
  mul,
  named,
  relu,
  run,
  slice,
  at,
  sum,
  tensor,
  transpose,
  valueOf,
  type Middleware,
  type Tensor,
} from '../../../src/index.js';
import { liveMemory } from '../../../src/run/index.js';
import { memo, only, probing } from '../../support/middleware.js';
import { watch } from '../../support/watch.js';
import { placed, wasmKit } from '../../support/wasmKit.js';

const g = graph({ x: input([2, 3]) }, ({ x }) => {
  const h = named('h', exp(mul(x, 0.5)));
  const t = named('t', transpose(h));
  return { y: add(einsum('ij,jk->ik', h, t), sum(h)), t, x, v: slice(h, at(0)) };
});
const feed = (first: number) => ({ x: tensor([[first, 1, 2], [3, 4, -first]]) }); // prettier-ignore
const feeds = [0, 1, 2, 3, 4].map(feed);
const elements = (values: Readonly<Record<string, Tensor>>): unknown =>
  Object.entries(values).map(([key, value]) => [key, value.toArray()]);
const wanted = feeds.map((each) => elements(evaluateSync(g, each, { backend: js({ kernels: 'interpret' }), keep: ['h'] })));
const near = (got: readonly unknown[]) => {
  const round = (value: unknown): unknown =>
    typeof value === 'number' ? Number(value.toPrecision(5)) : Array.isArray(value) ? value.map(round) : value;
  expect(got.map(round)).to.deep.equal(wanted.map(round));
};

describe('outputs of a wasm backend', () => {
  it('are ordinary arrays that no later frame touches, kept values too', () => {
    const { backend, memory } = wasmKit();
    const { values } = watch(from(feeds).pipe(run(g, { backend, keep: ['h'] })));
    for (let round = 0; round < 3; round++) watch(from(feeds).pipe(run(g, { backend, keep: ['h'] })));
    near(values.map(elements));
    for (const each of values) for (const tensor of Object.values(each)) expect(memory.owns(tensor)).to.equal(false);
  });

  it('that are borrowed lie in its memory, and are stale when their frame has ended', () => {
    const { backend, memory } = wasmKit();
    const read: unknown[] = [];
    const { values } = watch(
      from(feeds).pipe(
        run(g, { backend, keep: ['h'], outputs: 'borrow' }),
        tap((each) => {
          expect(Object.values(each).every((tensor) => memory.owns(tensor))).to.equal(true);
          read.push(elements(each));
        }),
      ),
    );
    near(read);
    for (const each of values) {
      for (const stale of Object.values(each))
        expect(() => stale.data)
          .to.throw()
          .with.property('code', 'E_STALE');
    }
    expect(liveMemory()).to.deep.equal({ frames: 0, bytes: 0 });
  });

  it('that are borrowed stay right while their consumer runs other shapes, until the program is let go and memory is short', () => {
    const { backend, memory } = wasmKit({ limit: 2 ** 19 });
    const open = graph({ x: input([null]) }, ({ x }) => ({ y: mul(exp(x), 2), z: add(x, sum(x)) }));
    const ones = (n: number) => ({ x: tensor(new Float32Array(n).fill(1)) });
    let checked = 0;
    of(ones(10_000), ones(10_000))
      .pipe(run(open, { backend, outputs: 'borrow' }))
      .subscribe(({ y, z }) => {
        for (let n = 1; n <= 70; n++) watch(of(ones(150 * n)).pipe(run(open, { backend, outputs: 'borrow' })));
        for (const element of y.data) if (Math.abs(Number(element) - 2 * Math.E) > 1e-5) throw new Error(`y has ${element}`);
        for (const element of z.data) if (Number(element) !== 10_001) throw new Error(`z has ${element}`);
        checked++;
      });
    expect(checked).to.equal(2);
    expect(liveMemory()).to.deep.equal({ frames: 0, bytes: 0 });
    expect(memory.used()).to.be.below(2 ** 19);
  });

  it('are right where a consumer feeds the source, and where frames overlap in time', async () => {
    const { backend } = wasmKit();
    const pushed$ = new Subject<(typeof feeds)[0]>();
    const seen: unknown[] = [];
    pushed$.pipe(run(g, { backend, keep: ['h'], outputs: 'borrow' })).subscribe((values) => {
      if (seen.length + 1 < feeds.length) pushed$.next(feeds[seen.length + 1]);
      seen.push(elements(values));
    });
    pushed$.next(feeds[0]);
    near(seen);
    const slow: Middleware = (step, node) => (frames$) =>
      node.op === 'einsum'
        ? frames$.pipe(
            concatMap((frame) => new Promise<typeof frame>((resolve) => setTimeout(resolve, 2, frame))),
            step,
          )
        : frames$.pipe(step);
    const outputs = await Promise.all(feeds.map((each) => evaluate(g, each, { backend, keep: ['h'], use: [slow] })));
    near(outputs.map(elements));
    const inOne = await new Promise<readonly unknown[]>((resolve) =>
      from(feeds)
        .pipe(run(g, { backend, keep: ['h'], use: [slow] }), map(elements), toArray())
        .subscribe(resolve),
    );
    near(inOne);
  });
});

describe('middleware on a wasm backend', () => {
  const reading =
    (into: Tensor[]): Middleware =>
    (step, node) =>
    (frames$) =>
      frames$.pipe(
        step,
        tap((frame) => into.push(valueOf(frame, node.id), ...node.inputs.map((id) => valueOf(frame, id)))),
      );

  it('reads values that stay as they were, and leaves no memory behind by reading', () => {
    const { backend, memory } = wasmKit();
    const [here, there]: [Tensor[], Tensor[]] = [[], []];
    watch(from(feeds).pipe(run(g, { backend, level: 'none', use: [reading(here)] })));
    const used = memory.used();
    for (let round = 0; round < 20; round++) watch(from(feeds).pipe(run(g, { backend, level: 'none', use: [reading([])] })));
    expect(memory.used()).to.equal(used);
    watch(from(feeds).pipe(run(g, { backend: js(), level: 'none', use: [reading(there)] })));
    const round = (tensors: readonly Tensor[]) =>
      tensors.map((each) => Array.from(each.data as Float32Array, (x) => x.toPrecision(5)));
    expect(round(here)).to.deep.equal(round(there));
  });

  it('reads a feed as it was fed', () => {
    const { backend } = wasmKit();
    const mine = placed(backend, [2, 3], [1, 2, 3, 4, 5, 6]);
    const across = transpose(tensor([[1, 2], [3, 4], [5, 6]])); // prettier-ignore
    for (const x of [feeds[0].x, mine, across]) {
      const seen: Tensor[] = [];
      watch(of({ x }).pipe(run(g, { backend, level: 'none', use: [reading(seen)] })));
      expect(seen.includes(x)).to.equal(true);
    }
  });

  it('assigns values of any layout and any memory, to nodes and to views', () => {
    const { backend, memory } = wasmKit();
    const other = wasmKit();
    const swapped = graph({ x: input([2, 3]) }, ({ x }) => ({ y: mul(named('t', transpose(relu(x))), 10), z: sum(x) }));
    const rows = [[1, 2], [3, 4], [5, 6]]; // prettier-ignore
    const flat = rows.flat();
    const value = tensor(rows);
    const all = [value, transpose(transpose(value)), transpose(tensor([[1, 3, 5], [2, 4, 6]])), placed(backend, [3, 2], flat), placed(other.backend, [3, 2], flat)]; // prettier-ignore
    const given = (each: Tensor): Middleware => only('t', (step, node) => (frames$) => frames$.pipe(step, map((frame) => assign(frame, node.id, each)))); // prettier-ignore
    for (const each of all) {
      const seen: Tensor[] = [];
      const use = [reading(seen), given(each)];
      const stream = of(feed(1), feed(2)).pipe(run(swapped, { backend, level: 'none', use }));
      expect(watch(stream).values.map(({ y }) => y.toArray())).to.deep.equal(Array.from({ length: 2 }, () => [[10, 20], [30, 40], [50, 60]])); // prettier-ignore
      const used = memory.used();
      for (let round = 0; round < 10; round++) watch(stream);
      expect(memory.used(), 'nothing is left behind').to.equal(used);
      expect(seen.every((tensor) => tensor.data.length === tensor.size)).to.equal(true);
    }
  });

  it('assigns to an input what is then read there', () => {
    const { backend } = wasmKit();
    const simple = graph({ x: input([2]) }, ({ x }) => ({ y: mul(x, 2) }));
    const value = tensor([5, 6]);
    let read: Tensor | undefined;
    const use: Middleware[] = [
      (step, node) => (frames$) => frames$.pipe(map((frame) => assign(frame, node.inputs[0], value)), step, tap((frame) => (read = valueOf(frame, node.inputs[0])))), // prettier-ignore
    ];
    const { values } = watch(of({ x: [1, 2] }).pipe(run(simple, { backend, level: 'none', use })));
    expect([values[0].y.toArray(), read === value]).to.deep.equal([[10, 12], true]);
  });

  it('remembers a value from frame to frame while the feed is the same tensor', () => {
    const { backend } = wasmKit();
    let computed = 0;
    const counted: Middleware = only('h', probing(() => computed++)); // prettier-ignore
    const use = [memo(), counted];
    const order = [0, 0, 1, 1, 1, 0];
    const level = { level: 'none' } as const;
    const { values } = watch(from(order).pipe(map((k) => feeds[k]), run(g, { backend, ...level, use }))); // prettier-ignore
    const plain = watch(from(order).pipe(map((k) => feeds[k]), run(g, { backend, ...level }))); // prettier-ignore
    expect(values.map(elements)).to.deep.equal(plain.values.map(elements));
    expect(computed).to.equal(3);
  });
});
