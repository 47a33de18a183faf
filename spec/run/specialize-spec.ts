/** @file Where the memory of a backend that nobody named has no room: js takes over, and it is said. */
import { expect } from 'chai';
import { delay, of, queueScheduler, Subject } from 'rxjs';
import {
  EinstreamError,
  einsum,
  evaluateSync,
  exp,
  graph,
  input,
  js,
  live,
  matmul,
  param,
  relu,
  run,
  tensor,
  type Backend,
  type Diagnostic,
  type Graph,
  type Middleware,
  type RunOptions,
  type Tensor,
} from '../../src/index.js';
import { paired } from '../../src/run/paired.js';
import { differenceOf } from '../../src/testing/conformance/difference.js';
import { propertyRuns } from '../support/property.js';
import { thrownBy } from '../support/thrownBy.js';
import { watch } from '../support/watch.js';
import { wasmKit } from '../support/wasmKit.js';

const KIB = 1024;
const matrix = (rows: number, columns: number, k = 1): Tensor =>
  tensor(
    Float32Array.from({ length: rows * columns }, (_, i) => ((i * k) % 17) / 16 - 0.5),
    { shape: [rows, columns] },
  );

/** A pair whose second backend has so many bytes. */
function withBytes(limit: number) {
  const { backend: large, memory } = wasmKit({ limit });
  const told: Diagnostic[] = [];
  const backend = paired(js(), () => large, large.capabilities);
  const options: RunOptions = { backend, onDiagnostic: (diagnostic) => void told.push(diagnostic) };
  return { backend, options, memory, told };
}

/** Three values between the feed and the output, of the feed's size. */
const chain = graph({ x: input(['n', 64]), w: param(matrix(64, 64)) }, ({ x, w }) => ({
  y: relu(matmul(exp(matmul(x, w)), w)),
})) as Graph;

function expectRight(g: Graph, feeds: Readonly<Record<string, Tensor>>, got: Readonly<Record<string, Tensor>>): void {
  const want = evaluateSync(g, feeds, { backend: js() });
  for (const [key, value] of Object.entries(want)) expect(differenceOf(got[key], value, 1e-3), key).to.equal(undefined);
}

describe('a program without room in the memory of the default backend', () => {
  it('runs on js, and each subscription hears of it once, whatever shapes come', () => {
    const { options, told, memory } = withBytes(256 * KIB);
    const feeds = [40, 500, 1100, 501, 40].map((n) => ({ x: matrix(n, 64) }));
    for (let time = 1; time <= 2; time++) {
      const seen = watch(of(...feeds).pipe(run(chain, options)));
      expect(seen.error).to.equal(undefined);
      seen.values.forEach((outputs, k) => expectRight(chain, feeds[k], outputs));
      expect(seen.values).to.have.length(5);
      expect(told.map(({ code, severity }) => `${code} ${severity}`)).to.deep.equal(Array(time).fill('W_FALLBACK warning'));
    }
    expect(told[0].message).to.match(/no room .* js computes/);
    expect((told[0].cause as EinstreamError).code).to.equal('E_OOM');
    expect(memory.used(), 'what fits is still there').to.be.within(16 * KIB, 256 * KIB);
  });

  it("is an error with fallback: 'never', and the next frame goes on", () => {
    const { options } = withBytes(256 * KIB);
    const strict: RunOptions = { ...options, fallback: 'never' };
    for (const [n, code] of [
      [500, 'E_OOM'],
      [1100, 'E_LIMIT'],
    ] as const) {
      expect(thrownBy(() => evaluateSync(chain, { x: matrix(n, 64) }, strict)).code).to.equal(code);
      expect((watch(of({ x: matrix(n, 64) }).pipe(run(chain, strict))).error as EinstreamError).code).to.equal(code);
    }
    expectRight(chain, { x: matrix(40, 64) }, evaluateSync(chain, { x: matrix(40, 64) }, strict));
  });

  it('says the same of one tensor that is larger than the memory, and of memory that cannot be had at all', () => {
    const wide = { x: matrix(1100, 64) };
    const { options, told } = withBytes(256 * KIB);
    expectRight(chain, wide, evaluateSync(chain, wide, options));
    expect(told.map(({ code }) => code)).to.deep.equal(['W_FALLBACK']);
    let asked = 0;
    const none = (): Backend => {
      asked++;
      throw new EinstreamError('E_OOM', { ...told[0], code: 'E_OOM' });
    };
    const without: RunOptions = { ...options, backend: paired(js(), none, { maxFusedNodes: 64 }) };
    for (let k = 0; k < 3; k++) expectRight(chain, wide, evaluateSync(chain, wide, without));
    expect(told.map(({ code }) => code)).to.deep.equal(['W_FALLBACK', 'W_FALLBACK', 'W_FALLBACK', 'W_FALLBACK']);
    expect(asked).to.equal(1);
    expect(thrownBy(() => evaluateSync(chain, wide, { ...without, fallback: 'never' })).code).to.equal('E_OOM');
  });

  it('counts params, sums between the steps of a contraction, and frames that are on their way together', (done) => {
    const heavy = graph({ x: input([8, 64]), w: param(matrix(64, 1100)) }, ({ x, w }) => ({ y: matmul(x, w) })) as Graph;
    const between = graph({ a: input([200, 8]), b: input([8, 250]), c: input([200, 250]) }, ({ a, b, c }) => ({
      y: einsum('ij,jk,ik->i', a, b, c),
    })) as Graph;
    for (const [g, feeds] of [
      [heavy, { x: matrix(8, 64) }],
      [between, { a: matrix(200, 8), b: matrix(8, 250), c: matrix(200, 250) }],
    ] as const) {
      const { options, told } = withBytes(256 * KIB);
      expectRight(g, feeds, evaluateSync(g, feeds, options));
      expect(told.map(({ code }) => code)).to.deep.equal(['W_FALLBACK']);
    }
    const { options, told, memory } = withBytes(512 * KIB);
    const feeds = [1, 2, 3, 4, 5, 6].map((k) => ({ x: matrix(300, 64, k) }));
    const late: Middleware = (step, _node, { position }) => (position === 0 ? (frames$) => frames$.pipe(step, delay(1)) : step);
    const seen: Readonly<Record<string, Tensor>>[] = [];
    of(...feeds)
      .pipe(run(chain, { ...options, use: [late] }))
      .subscribe({
        next: (outputs) => void seen.push(outputs),
        error: done,
        complete: () => {
          seen.forEach((outputs, k) => expectRight(chain, feeds[k], outputs));
          expect(told.map(({ code }) => code)).to.deep.equal(['W_FALLBACK']);
          expect(memory.used()).to.be.below(512 * KIB);
          done();
        },
      });
  });

  it('goes on in live, where values are kept', () => {
    const { options, told } = withBytes(512 * KIB);
    const x$ = new Subject<Tensor>();
    const seen = watch(live(chain, { x: x$ }, { ...options, scheduler: queueScheduler }));
    const feeds = [64, 1000, 1000, 64, 900].map((n, k) => matrix(n, 64, k + 1));
    for (const x of feeds) x$.next(x);
    expect(seen.error).to.equal(undefined);
    expect(seen.values).to.have.length(5);
    seen.values.forEach((outputs, k) => expectRight(chain, { x: feeds[k] }, outputs));
    expect(told.map(({ code }) => code)).to.deep.equal(['W_FALLBACK']);
    seen.unsubscribe();
  });

  it('leaves the other errors of a backend what they are', () => {
    const { backend: large } = wasmKit();
    const failing: Backend = { ...large, allocate: () => { throw new EinstreamError('E_BACKEND', { severity: 'error', code: 'E_BACKEND', message: 'gone', context: [], suggestions: [], related: [] }); } }; // prettier-ignore
    const backend = paired(js(), () => failing, large.capabilities);
    expect(thrownBy(() => evaluateSync(chain, { x: matrix(64, 64) }, { backend })).code).to.equal('E_BACKEND');
  });

  it('frees what programs of many shapes held, on the way from one backend to the other and back', () => {
    const { options, memory } = withBytes(2 ** 24);
    const shapes = (from: number): void => {
      for (let n = from; n < from + 80; n++)
        for (const rows of [n, 1 + (n % 4)]) evaluateSync(chain, { x: matrix(rows, 64) }, options);
    };
    shapes(20);
    shapes(20);
    const before = memory.used();
    for (let time = 0; time < propertyRuns(1, 3, 3); time++) shapes(20);
    expect(memory.used()).to.equal(before);
  });
});
