/** @file `live` on a wasm backend: values stay as they were, and memory is freed when they are values no more. */
import { expect } from 'chai';
import { queueScheduler, Subject } from 'rxjs';
import { add, at, exp, graph, input, js, live, mul, slice, sum, tensor, type Tensor } from '../../../src/index.js';
import { watch } from '../../support/watch.js';
import { placed, wasmKit } from '../../support/wasmKit.js';

describe('live on a wasm backend', () => {
  const two = graph({ a: input(['n']), b: input(['n']) }, ({ a, b }) => ({
    p: mul(exp(a), b),
    s: sum(a),
    t: slice(exp(a), at(0)),
  }));

  it('gives values that stay as they were, the same tensors where nothing changed, and frees what is no value any more', () => {
    const { backend, memory } = wasmKit();
    const base = memory.used();
    const [a$, b$] = [new Subject<Tensor>(), new Subject<Tensor>()];
    const [here, there] = [{ backend }, { backend: js() }].map((by) =>
      watch(live(two, { a: a$, b: b$ }, { ...by, scheduler: queueScheduler })),
    );
    const numbers = (n: number, k: number) => tensor(Array.from({ length: n }, (_, i) => ((i * 3 + k) % 5) / 4));
    b$.next(numbers(50, 1));
    let most = 0;
    for (let k = 0; k < 200; k++) {
      a$.next(numbers(50, k % 7));
      if (k % 3 === 0) b$.next(k % 2 === 0 ? numbers(50, k) : placed(backend, [50], new Array<number>(50).fill(k)));
      most = Math.max(most, memory.used() - base);
    }
    const text = (values: readonly Readonly<Record<string, Tensor>>[]) => JSON.stringify(values.map((each) => Object.values(each).map((t) => Array.from(t.data as Float32Array, (x) => x.toPrecision(5))))); // prettier-ignore
    expect(here.values.length).to.be.greaterThan(200);
    expect(text(here.values)).to.equal(text(there.values));
    const changed = here.values.filter(({ s }, k) => k > 0 && s !== here.values[k - 1].s).length;
    expect(changed, 'an output that did not change is the same tensor').to.be.below(here.values.length - 1);
    // The tensors that the loop itself placed are garbage, and the rest is a handful of values.
    expect(most).to.be.below(40 * 320 + 20 * 320);
    a$.next(numbers(60, 1));
    b$.next(numbers(60, 1));
    for (const each of [here, there]) each.unsubscribe();
    expect(memory.used() - base, 'descriptors, constants, and what was placed').to.be.below(34 * 320 + 6000);
  });

  it('lets go of everything when it ends, by an error too', () => {
    const { backend, memory } = wasmKit({ limit: 2 ** 20 });
    const once = (end: (x$: Subject<Tensor>) => void): void => {
      const x$ = new Subject<Tensor>();
      const seen = watch(live(graph1, { x: x$ }, { backend, scheduler: queueScheduler }));
      for (let k = 0; k < 5; k++) x$.next(tensor(new Float32Array(1000).fill(k)));
      end(x$);
      expect(seen.values.length).to.equal(5);
    };
    const graph1 = graph({ x: input([null]) }, ({ x }) => ({ y: exp(add(x, 1)), z: sum(x) }));
    const ends: readonly ((x$: Subject<Tensor>) => void)[] = [
      (x$) => x$.complete(),
      (x$) => x$.error(new Error('of the source')),
      (x$) => x$.next(tensor(new Float32Array(2 ** 18))), // More than there is room for.
    ];
    for (const end of ends) once(end);
    const used = memory.used();
    for (let round = 0; round < 20; round++) for (const end of ends) once(end);
    expect(memory.used()).to.equal(used);
  });
});
