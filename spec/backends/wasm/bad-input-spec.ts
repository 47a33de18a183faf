/** @file Input that a wasm backend must refuse: with a typed error, before a byte of its memory has changed. */
import { expect } from 'chai';
import { defer, map, of, queueScheduler, Subject } from 'rxjs';
import {
  add,
  broadcastTo,
  constant,
  einsum,
  evaluateSync,
  exp,
  graph,
  input,
  js,
  live,
  mul,
  param,
  range,
  run,
  slice,
  sum,
  tensor,
  type EinstreamError,
  type Feeds,
  type Graph,
  type Tensor,
} from '../../../src/index.js';
import { liveMemory } from '../../../src/run/index.js';
import { counting, type Counting } from '../../support/countingBackend.js';
import { thrownBy } from '../../support/thrownBy.js';
import { watch } from '../../support/watch.js';
import { copiedBytes, placed, wasmKit } from '../../support/wasmKit.js';

const LIMIT = 2 ** 18;
const FLOATS = LIMIT / 4;

/** Takes the buffer away from whoever reads it. */
const transfer = ({ buffer }: { readonly buffer: ArrayBufferLike }): void =>
  void structuredClone(buffer, { transfer: [buffer as ArrayBuffer] });
const detached = (values: readonly number[] = [1, 2, 3]): Tensor => {
  const made = tensor(Float32Array.from(values));
  transfer(made.data);
  return made;
};
const filled = (...shape: readonly number[]): Tensor =>
  tensor(new Float32Array(shape.reduce((a, b) => a * b, 1)).fill(1), { shape });

const doubled = graph({ x: input([null]) }, ({ x }) => ({ y: mul(exp(x), 2), s: sum(x) }));
const outer = graph({ x: input([null]) }, ({ x }) => ({ y: sum(einsum('i,j->ij', x, exp(x))) }));

interface Refused {
  readonly graph: Graph;
  readonly feeds: () => Feeds;
  readonly code: string;
}

/** By what is wrong with it. */
const REFUSED: Readonly<Record<string, Refused>> = {
  'a feed of one element more than fits': { graph: doubled, feeds: () => ({ x: filled(FLOATS + 1) }), code: 'E_LIMIT' },
  'a value between nodes that is larger than the memory': {
    graph: outer,
    feeds: () => ({ x: filled(2 ** 10) }),
    code: 'E_LIMIT',
  },
  'a value of more than 2^31 bytes': { graph: outer, feeds: () => ({ x: filled(2 ** 15) }), code: 'E_LIMIT' },
  'a value of more than 2^31 elements': { graph: outer, feeds: () => ({ x: filled(2 ** 16) }), code: 'E_LIMIT' },
  'a view that stands for more than 2^31 bytes, once it is computed with': {
    graph: graph({ x: input([1, null]) }, ({ x }) => ({ y: add(broadcastTo(x, { shape: [2 ** 20, 1000] }), x) })),
    feeds: () => ({ x: filled(1, 1000) }),
    code: 'E_LIMIT',
  },
  'a tensor whose buffer was transferred': { graph: doubled, feeds: () => ({ x: detached() }), code: 'E_STALE' },
  'a view of a tensor whose buffer was transferred': { graph: doubled, feeds: () => ({ x: slice(detached(), range(1, 3)) }), code: 'E_STALE' }, // prettier-ignore
  'a typed array whose buffer was transferred': {
    graph: graph({ x: input([3]) }, ({ x }) => ({ y: exp(x) })),
    feeds() {
      const x = Float32Array.of(1, 2, 3);
      transfer(x);
      return { x };
    },
    code: 'E_FEED',
  },
  'a param whose buffer was transferred': { graph: graph({ w: param(detached()) }, ({ w }) => ({ y: exp(w) })), feeds: () => ({}), code: 'E_STALE' }, // prettier-ignore
  'a constant whose buffer was transferred': {
    graph: graph({ x: input([3]), c: constant(detached()) }, ({ x, c }) => ({ y: mul(x, c) })),
    feeds: () => ({ x: filled(3) }),
    code: 'E_STALE',
  },
  'a storage dtype': { graph: doubled, feeds: () => ({ x: tensor(Int8Array.of(1, 2)) }), code: 'E_FEED' },
  'another shape than declared': {
    graph: graph({ x: input([3]) }, ({ x }) => ({ y: exp(x) })),
    feeds: () => ({ x: filled(4) }),
    code: 'E_FEED',
  },
};

/** A backend with a tensor of its own that nobody may touch, and memory that is in use for a program. */
function watched(): Counting & { readonly unchanged: () => void } {
  const { backend, memory } = wasmKit({ limit: LIMIT });
  const known = Array.from({ length: 64 }, (_, k) => k);
  const canary = placed(backend, [64], known);
  evaluateSync(doubled, { x: filled(3) }, { backend });
  const used = memory.used();
  const unchanged = (): void => {
    expect(memory.used(), 'bytes in use').to.equal(used);
    expect(liveMemory()).to.deep.equal({ frames: 0, bytes: 0 });
    expect(canary.toArray()).to.deep.equal(known);
  };
  return { ...counting(backend), unchanged };
}

describe('a wasm backend', () => {
  for (const [what, { graph: made, feeds, code }] of Object.entries(REFUSED)) {
    it(`refuses ${what} with ${code}: nothing was copied in, nothing was computed`, () => {
      const { backend, runs, unchanged } = watched();
      const given = feeds();
      for (const level of ['none', 'standard'] as const) {
        for (const fallback of ['never', 'js'] as const) {
          const refused = (): void => {
            const error = thrownBy(() => evaluateSync(made, given, { backend, level, fallback }));
            expect(error.code, error.message).to.equal(code);
            const seen = watch(defer(() => of(given).pipe(run(made, { backend, level, fallback }))));
            expect([(seen.error as EinstreamError).code, seen.values.length]).to.deep.equal([code, 0]);
          };
          expect([copiedBytes(refused), runs()], 'bytes copied, kernels run').to.deep.equal([0, 0]);
          unchanged();
        }
      }
    });
  }

  it('holds as much as fits to the byte, and refuses one element more with E_OOM', () => {
    const { backend, memory } = wasmKit({ limit: LIMIT });
    const room = (LIMIT - memory.used() - 192) / 4;
    const x = backend.allocate([room - 16], 'float32');
    expect(x.data.length).to.equal(room - 16);
    backend.release!(x);
    const used = memory.used();
    for (const size of [room + 1, FLOATS, 2 ** 29, 2 ** 29 + 1]) {
      expect(thrownBy(() => backend.allocate([size], 'float32')).code).to.equal('E_OOM');
      expect(memory.used()).to.equal(used);
    }
  });

  it('writes nothing over others where room ends on the way, and runs on', () => {
    const { backend, memory } = wasmKit({ limit: LIMIT });
    const mine = placed(backend, [64], new Array<number>(64).fill(7));
    const out = evaluateSync(doubled, { x: filled(100) }, { backend });
    for (const n of [FLOATS - 100, FLOATS / 2, FLOATS / 2 - 100]) {
      const bytes = Buffer.from(new Uint8Array(memory.memory.buffer, memory.addressOf(mine), 256));
      expect(thrownBy(() => evaluateSync(doubled, { x: filled(n) }, { backend })).code).to.equal('E_OOM');
      expect(bytes.equals(new Uint8Array(memory.memory.buffer, memory.addressOf(mine), 256))).to.equal(true);
    }
    expect(mine.data.every((element) => element === 7)).to.equal(true);
    expect(out.s.toArray()).to.equal(100);
    expect(evaluateSync(doubled, { x: filled(FLOATS / 4) }, { backend }).s.toArray()).to.equal(FLOATS / 4);
  });

  it('reads feeds wherever they begin: at any element of an array, and of its own memory', () => {
    const { backend } = wasmKit();
    const both = graph({ x: input([9]) }, ({ x }) => ({ y: mul(exp(x), 2), s: sum(x), p: einsum('i,i->', x, x) }));
    const values = Array.from({ length: 16 }, (_, k) => (k * 5) % 7);
    const own = placed(backend, [16], values);
    for (let first = 0; first < 7; first++) {
      const part = values.slice(first, first + 9);
      const want = evaluateSync(both, { x: tensor(part) }, { backend: js() });
      const views = [
        new Float32Array(Float32Array.from(values).buffer, 4 * first, 9),
        slice(tensor(values), range(first, first + 9)),
        slice(own, range(first, first + 9)),
      ];
      for (const x of views) {
        const got = evaluateSync(both, { x }, { backend });
        expect([got.s.toArray(), got.p.toArray()]).to.deep.equal([want.s.toArray(), want.p.toArray()]);
        got.y.data.forEach((element, k) => expect(Number(element)).to.be.closeTo(Number(want.y.data[k]), 2e-6 * Number(want.y.data[k]))); // prettier-ignore
      }
    }
  });

  it('keeps its own memory when somebody tries to transfer it: no array over it is ever detached', () => {
    const { backend, memory } = wasmKit({ limit: LIMIT });
    const x = placed(backend, [3], [1, 2, 3]);
    try {
      transfer(x.data);
    } catch (error) {
      expect((error as Error).name, 'an engine may refuse').to.match(/DataCloneError|TypeError/);
    }
    expect([x.data.length, memory.memory.buffer.byteLength]).to.deep.equal([3, LIMIT]);
    expect(evaluateSync(doubled, { x }, { backend }).s.toArray()).to.equal(6);
  });

  it('ends a stream with E_STALE at the feed whose buffer was transferred meanwhile, as js does', () => {
    for (const backend of [wasmKit().backend, js()]) {
      const x = filled(3);
      const feeds$ = new Subject<{ x: Tensor }>();
      const seen = watch(feeds$.pipe(run(doubled, { backend }), map(({ s }) => s.toArray()))); // prettier-ignore
      const x$ = new Subject<Tensor>();
      const alive = watch(live(doubled, { x: x$ }, { backend, scheduler: queueScheduler }));
      feeds$.next({ x });
      transfer(x.data);
      feeds$.next({ x });
      x$.next(x);
      expect(seen.values).to.deep.equal([3]);
      for (const { error } of [seen, alive]) expect(error).to.have.property('code', 'E_STALE');
      for (const read of [() => x.data, () => x.toArray(), () => exp(x), () => wasmKit().backend.upload(x)])
        expect(thrownBy(read).code).to.equal('E_STALE');
      expect(liveMemory()).to.deep.equal({ frames: 0, bytes: 0 });
    }
  });
});
