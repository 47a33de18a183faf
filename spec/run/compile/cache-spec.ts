/** @file `compilationCache`: one compilation for equal requests, bounded, and nobody harmed by what leaves (F034). */
import { expect } from 'chai';
import { Subject } from 'rxjs';
import {
  compilationCache,
  compile,
  constant,
  graph,
  input,
  js,
  mul,
  neg,
  relu,
  run,
  tensor,
  type CompiledGraph,
  type CompileOptions,
  type Graph,
} from '../../../src/index.js';
import { fault } from '../../../src/errors/index.js';
import { byHand } from '../../support/byHandBackend.js';
import { thrownBy } from '../../support/thrownBy.js';

/** Equal for equal numbers, another object each time. */
const scaled = (by: number): Graph =>
  graph({ x: input(['n']), k: constant(tensor([by])) }, ({ x, k }) => ({ y: relu(neg(mul(x, k))) }));

const scripted = () => {
  const asked: { readonly done: (compiled: CompiledGraph) => void; readonly fail: (error: unknown) => void }[] = [];
  const cache = compilationCache({ compile: () => new Promise<CompiledGraph>((done, fail) => asked.push({ done, fail })) });
  return { cache, asked };
};

describe('a compilation cache', () => {
  it('misses, then hits, for equal graphs whatever objects they are; unused, its rate is 0 (F034)', () => {
    const cache = compilationCache();
    expect(cache.stats()).to.include({ hits: 0, misses: 0, size: 0, hitRate: 0, timeSavedMs: 0 });
    const first = cache.getOrCompile(scaled(1));
    expect(cache.getOrCompile(scaled(1))).to.equal(first);
    expect(cache.getOrCompile(scaled(2))).to.not.equal(first);
    expect(cache.getOrCompile(scaled(1), { level: 'none' })).to.not.equal(first);
    expect(cache.stats()).to.include({ hits: 1, misses: 3, size: 3, compiles: 3, hitRate: 0.25 });
  });

  it('saves the time that a hit does without (F034)', () => {
    let now = 0;
    const options: CompileOptions = { clock: () => (now += 5) };
    const cache = compilationCache();
    for (let at = 0; at < 4; at++) cache.getOrCompile(scaled(1), options);
    expect(cache.stats().timeSavedMs).to.equal(3 * 5);
  });

  it('holds no more than it may; a hit makes an entry younger (F034)', () => {
    const cache = compilationCache({ max: 2 });
    const [a, b] = [cache.getOrCompile(scaled(1)), cache.getOrCompile(scaled(2))];
    cache.get(scaled(1));
    cache.getOrCompile(scaled(3));
    expect(cache.stats()).to.include({ size: 2, evictions: 1 });
    expect(cache.get(scaled(1))).to.equal(a);
    expect(cache.get(scaled(2))).to.equal(undefined);
    expect(cache.getOrCompile(scaled(2))).to.not.equal(b);
    const none = compilationCache({ max: 0 });
    expect(none.getOrCompile(scaled(1))).to.not.equal(none.getOrCompile(scaled(1)));
  });

  it('holds no more bytes than it may, tensors included', () => {
    const heavy = (fill: number): Graph =>
      graph({ x: input([1000]), k: constant(tensor(new Float32Array(1000).fill(fill))) }, ({ x, k }) => ({
        y: mul(x, k),
      }));
    const cache = compilationCache({ maxBytes: 16_000 });
    for (let at = 0; at < 8; at++) cache.getOrCompile(heavy(at));
    expect(cache.stats().bytes).to.be.at.most(16_000);
    expect(cache.stats()).to.include({ size: 3, evictions: 5 });
    expect(compilationCache({ maxBytes: 100 }).insert(heavy(1), {}, compile(heavy(1)))).to.equal(false);
  });

  it('takes what was compiled elsewhere, and lets all go', () => {
    const cache = compilationCache();
    const mine = compile(scaled(1));
    expect(cache.insert(scaled(1), {}, mine)).to.equal(true);
    expect(cache.getOrCompile(scaled(1))).to.equal(mine);
    cache.clear();
    expect(cache.get(scaled(1))).to.equal(undefined);
    expect(cache.stats()).to.include({ size: 0, bytes: 0 });
  });

  it('keeps backends apart that are not the same object', () => {
    const cache = compilationCache();
    const [one, other] = [js(), js()];
    expect(cache.getOrCompile(scaled(1), { backend: one }).backend).to.equal(one);
    expect(cache.getOrCompile(scaled(1), { backend: other }).backend).to.equal(other);
  });

  it('compiles once for 1,000 requests at the same time (J7, F034)', async () => {
    const { cache, asked } = scripted();
    const equal = Array.from({ length: 10 }, () => scaled(1));
    const answers = Array.from({ length: 1_000 }, (_, at) => cache.getOrCompile(equal[at % 10]));
    expect(asked).to.have.length(1);
    const compiled = compile(scaled(1), { clock: (() => { let now = 0; return () => (now += 2); })() }); // prettier-ignore
    asked[0].done(compiled);
    for (const answer of await Promise.all(answers)) expect(answer).to.equal(compiled);
    expect(cache.stats()).to.include({ compiles: 1, misses: 1, hits: 999, size: 1, timeSavedMs: 999 * 2 });
    const at = compilationCache();
    for (let k = 0; k < 1_000; k++) at.getOrCompile(equal[k % 10]);
    expect(at.stats()).to.include({ compiles: 1, misses: 1, hits: 999 });
  });

  it('tells all who wait of a failure, remembers it, and does not try again (J8)', async () => {
    const { cache, asked } = scripted();
    const answers = [1, 2, 3].map(() => cache.getOrCompile(scaled(1)));
    const refusal = fault('E_CODEGEN', { place: 'test', rule: 'it cannot be' });
    asked[0].fail(refusal);
    const heard = await Promise.all(answers.map((each) => each.catch((error: unknown) => error)));
    expect(heard).to.deep.equal([refusal, refusal, refusal]);
    expect(await cache.getOrCompile(scaled(1)).catch((error: unknown) => error)).to.equal(refusal);
    expect(asked).to.have.length(1);
    expect(cache.stats()).to.include({ size: 0, failures: 1, failureHits: 1 });
    cache.clear();
    void cache.getOrCompile(scaled(1));
    expect(asked).to.have.length(2);
  });

  it('throws a remembered failure again, the same; a bounded number of them, the least recent gone first (J8)', () => {
    const broken = (id: number): Graph => ({ ...scaled(id), outputs: [{ name: 'y', id: 99 }] });
    const cache = compilationCache({ maxFailures: 2 });
    const first = thrownBy(() => cache.getOrCompile(broken(1)));
    expect(thrownBy(() => cache.getOrCompile(broken(1)))).to.equal(first);
    const distinct = (level: 'none' | 'basic') => thrownBy(() => cache.getOrCompile(broken(1), { level }));
    distinct('none');
    distinct('basic');
    expect(cache.stats()).to.include({ failures: 2, failureHits: 1, compiles: 3, size: 0 });
    expect(thrownBy(() => cache.getOrCompile(broken(1)))).to.not.equal(first);
    const forgetful = compilationCache({ maxFailures: 0 });
    expect(thrownBy(() => forgetful.getOrCompile(broken(1)))).to.not.equal(thrownBy(() => forgetful.getOrCompile(broken(1))));
  });

  it('tries again what may go well the next time (J8)', async () => {
    const { cache, asked } = scripted();
    for (const error of [fault('E_TIMEOUT', { place: 'test', rule: 'in time' }), new Error('bare')]) {
      const answer = cache.getOrCompile(scaled(1));
      asked.at(-1)!.fail(error);
      expect(await answer.catch((thrown: unknown) => thrown)).to.equal(error);
    }
    expect(asked).to.have.length(2);
    expect(cache.stats()).to.include({ failures: 0, size: 0 });
  });

  it('lets what it evicts run to its end, and disposes of its kernels then (J9, J6)', async () => {
    const { backend, finish, disposed, misused } = byHand();
    const cache = compilationCache({ max: 1 });
    const compiled = cache.getOrCompile(scaled(3), { backend });
    const seen: unknown[] = [];
    const feeds$ = new Subject<{ x: number[] }>();
    feeds$.pipe(run(compiled)).subscribe(({ y }) => seen.push(y.toArray()));
    feeds$.next({ x: [-1] });
    cache.getOrCompile(scaled(4)); // evicts the one that runs
    cache.clear();
    expect(disposed()).to.equal(0);
    await finish();
    expect(seen).to.deep.equal([[3]]);
    expect([disposed() > 0, misused()]).to.deep.equal([true, 0]);
    feeds$.next({ x: [-2] }); // who holds it goes on with it
    await finish();
    expect(seen).to.deep.equal([[3], [6]]);
    expect(misused()).to.equal(0);
  });

  it('is refused options that it does not have', () => {
    const wrong: readonly object[] = [
      { max: -1 },
      { max: 1.5 },
      { maxBytes: NaN },
      { maxFailures: '3' },
      { compile: 3 },
      { size: 3 },
    ];
    for (const options of wrong)
      expect(thrownBy(() => compilationCache(options)).code, JSON.stringify(options)).to.equal('E_ARGUMENT');
  });
});
