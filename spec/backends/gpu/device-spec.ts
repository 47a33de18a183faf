/** @file What stays on a device, and what becomes of it: on a stand-in for gpu.js that can be made to fail. */
import { expect } from 'chai';
import { from, lastValueFrom, NEVER, startWith, Subject, take, toArray } from 'rxjs';
import {
  add,
  cast,
  concat,
  einsum,
  evaluate,
  exp,
  graph,
  input,
  mul,
  param,
  relu,
  run,
  softmax,
  take as gather,
  tensor,
  type Backend,
  type Diagnostic,
  type EinstreamError,
} from '../../../src/index.js';
import { backendOver } from '../../../src/backends/gpu/gpu.js';
import { gpuStatistics } from '../../../src/gpu.js';
import { liveMemory } from '../../../src/run/index.js';
import { fakeDevice, type FakeDevice } from '../../support/fakeLibrary.js';

const chain = graph({ x: input(['n']), w: param(tensor([2, 3])) }, ({ x, w }) => ({
  y: exp(einsum('n,w->nw', relu(x), w)),
}));

const codeOf = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'a value',
    (error: unknown) => (error as EinstreamError).code,
  );

describe('values of the gpu backend on a device', () => {
  let device: FakeDevice;
  let backend: Backend;
  beforeEach(() => {
    device = fakeDevice('webgpu');
    backend = backendOver(device.make, 'webgpu', { cacheSize: 256, readTimeout: 1_000 });
  });
  afterEach(async () => {
    await backend.close();
    expect(device.live(), 'handles after close').to.equal(0);
    expect(device.kernels(), 'kernels after close').to.equal(0);
    expect(liveMemory()).to.deep.equal({ frames: 0, bytes: 0 });
  });

  it('stay there between nodes: a chain of three reads back once, and its params are brought once', async () => {
    const feeds = [[1], [2], [3]].map((x) => ({ x }));
    const outputs = await lastValueFrom(from(feeds).pipe(run(chain, { backend, level: 'none' }), toArray()));
    expect(outputs[1].y.toArray()).to.deep.equal([[Math.fround(Math.exp(4)), Math.fround(Math.exp(6))]]);
    expect(gpuStatistics(backend)).to.include({ readbacks: 3, uploads: 1, launches: 9, handles: 1 });
  });

  it('of several frames in flight come out in the order of the feeds', async () => {
    const feeds = Array.from({ length: 20 }, (_, i) => ({ x: [i] }));
    const outputs = await lastValueFrom(from(feeds).pipe(run(chain, { backend, level: 'none' }), toArray()));
    const firsts = outputs.map(({ y }) => y.data[0]);
    expect(firsts).to.deep.equal([...firsts].sort((a, b) => (a < b ? -1 : 1)));
  });

  it('are freed at once by unsubscribing, and nothing comes late', async () => {
    device.isSlow = true;
    const seen: unknown[] = [];
    const subscription = NEVER.pipe(startWith({ x: [1] }, { x: [2] }), run(chain, { backend, level: 'none' })).subscribe((y) =>
      seen.push(y),
    );
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(device.live()).to.be.greaterThan(1);
    subscription.unsubscribe();
    expect(device.live(), 'the params stay').to.equal(1);
    device.isSlow = false;
    device.answer();
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(seen).to.deep.equal([]);
    expect(device.live()).to.equal(1);
  });

  it('are freed when a kernel fails, whose error carries the node', async () => {
    device.failure = 'the shader went astray in an unknown way';
    const error = await evaluate(chain, { x: [1] }, { backend }).catch((each: unknown) => each as EinstreamError);
    expect(error).to.have.property('nodeId');
    expect(device.live()).to.equal(0);
    device.failure = undefined;
    expect((await evaluate(chain, { x: [0] }, { backend })).y.toArray()).to.deep.equal([[1, 1]]);
  });

  it('are gone with a lost device: the frames fail, the next ones run, and params are brought again (R1, R2)', async () => {
    await evaluate(chain, { x: [1] }, { backend });
    device.failure = 'WebGPU device was lost; call kernel.destroy() and run again';
    expect(await codeOf(evaluate(chain, { x: [1] }, { backend }))).to.equal('E_BACKEND_LOST');
    expect(gpuStatistics(backend)).to.include({ handles: 0, kernels: 0 });
    device.reset();
    expect((await evaluate(chain, { x: [0] }, { backend })).y.toArray()).to.deep.equal([[1, 1]]);
    expect(gpuStatistics(backend).uploads).to.equal(2);
  });

  it('that do not fit are E_OOM (R3)', async () => {
    device.failure = 'WebGPU backend: output [9] needs 36 bytes but this device allows 8 per storage buffer';
    expect(await codeOf(evaluate(chain, { x: [1] }, { backend }))).to.equal('E_OOM');
    device.failure = undefined;
  });

  it('of shaders that do not compile are js, which a diagnostic tells with the log, or E_CODEGEN where that is not allowed (R4)', async () => {
    device.broken = 'Error compiling WGSL compute shader:\n  3:1 unresolved value';
    const error = await evaluate(chain, { x: [1] }, { backend, fallback: 'never' }).catch(
      (each: unknown) => each as EinstreamError,
    );
    expect(error).to.have.property('code', 'E_CODEGEN');
    expect((error as EinstreamError).message).to.match(/unresolved value/);
    const told: Diagnostic[] = [];
    const onDiagnostic = (each: Diagnostic): void => void told.push(each);
    const feeds$ = from([{ x: [0] }, { x: [1] }]);
    const outputs = await lastValueFrom(feeds$.pipe(run(chain, { backend, level: 'none', onDiagnostic }), toArray()));
    const firsts = outputs.map(({ y }) => y.toArray());
    expect(firsts).to.deep.equal([[[1, 1]], [[Math.fround(Math.exp(2)), Math.fround(Math.exp(3))]]]);
    expect(told.map(({ code }) => code)).to.deep.equal(['W_FALLBACK', 'W_FALLBACK', 'W_FALLBACK']);
    for (const { message } of told) expect(message).to.match(/unresolved value/);
    // It is remembered: the device is not asked again.
    device.broken = undefined;
    const { launches } = gpuStatistics(backend);
    await evaluate(chain, { x: [1] }, { backend, level: 'none' });
    expect(gpuStatistics(backend).launches).to.equal(launches);
  });

  it('that never come back are E_TIMEOUT (R5)', async () => {
    device.isSlow = true;
    const hasty = backendOver(device.make, 'webgpu', { cacheSize: 256, readTimeout: 5 });
    expect(await codeOf(evaluate(chain, { x: [1] }, { backend: hasty }))).to.equal('E_TIMEOUT');
    await hasty.close();
    device.isSlow = false;
    device.answer();
  });

  it('of a mode that gave up in silence are an error, not a result of its CPU mode', async () => {
    device.mode = 'cpu';
    expect(await codeOf(evaluate(chain, { x: [1] }, { backend, fallback: 'never' }))).to.equal('E_CODEGEN');
    device.mode = 'webgpu';
  });

  it('come to the host for a node that js has to run, which a diagnostic tells, and go on', async () => {
    const codes: string[] = [];
    const mixed = graph({ x: input([3]) }, ({ x }) => ({ y: mul(relu(cast(mul(exp(x), 10), { dtype: 'int32' })), 1.5) }));
    const onDiagnostic = ({ code }: { readonly code: string }): void => void codes.push(code);
    const { y } = await evaluate(mixed, { x: [0, 1, -1] }, { backend, onDiagnostic });
    expect(y.toArray()).to.deep.equal([15, 40.5, 4.5]);
    expect(codes).to.include('W_FALLBACK');
    expect(await codeOf(evaluate(mixed, { x: [0, 1, -1] }, { backend, fallback: 'never' }))).to.be.oneOf([
      'E_CODEGEN',
      'E_DTYPE',
    ]);
  });

  it('may be parts of one, groups of folds, and chosen by indices', async () => {
    const parts = graph({ x: input([2, 2]), i: input([2], { dtype: 'int32' }) }, ({ x, i }) => {
      const e = add(x, 1);
      return { c: concat([e, x], { axis: 1 }), s: softmax(e, { axis: 1 }), t: gather(e, i, { axis: 1 }) };
    });
    const feeds = {
      x: [
        [0, 0],
        [1, 1],
      ],
      i: [1, -2],
    };
    const { c, s, t } = await evaluate(parts, feeds, { backend });
    expect(c.toArray()).to.deep.equal([
      [1, 1, 0, 0],
      [2, 2, 1, 1],
    ]);
    expect(s.toArray()).to.deep.equal([
      [0.5, 0.5],
      [0.5, 0.5],
    ]);
    expect(t.toArray()).to.deep.equal([
      [1, 1],
      [2, 2],
    ]);
    expect(await codeOf(evaluate(parts, { ...feeds, i: [2, 0] }, { backend }))).to.equal('E_SHAPE');
    expect(device.live(), 'the constant 1').to.equal(1);
  });

  it('that are put together of equal parts are so by one kernel, and of very many on the host', async () => {
    const of = (count: number) =>
      graph({ x: input([1, 2]) }, ({ x }) => {
        const one = relu(x);
        return { y: concat(Array.from({ length: count }, () => one)) };
      });
    const readbacksOf = async (count: number): Promise<number> => {
      const { readbacks } = gpuStatistics(backend);
      const { y } = await evaluate(of(count), { x: [[1, 2]] }, { backend, level: 'none' });
      expect(y.toArray()).to.deep.equal(Array.from({ length: count }, () => [1, 2]));
      return gpuStatistics(backend).readbacks - readbacks;
    };
    expect(await readbacksOf(40)).to.equal(1);
    // relu, the first part, which finds nothing there, and all others.
    expect(gpuStatistics(backend).kernels).to.equal(3);
    expect(await readbacksOf(100)).to.be.greaterThan(1);
  });

  it('of kernels that the cache let go are right: they are compiled again, and at most so many are kept', async () => {
    const small = backendOver(device.make, 'webgpu', { cacheSize: 2, readTimeout: 1_000 });
    for (let n = 1; n <= 6; n++) {
      const { y } = await evaluate(chain, { x: Array.from({ length: n }, () => 0) }, { backend: small, level: 'none' });
      expect(y.shape).to.deep.equal([n, 2]);
      expect(gpuStatistics(small).kernels).to.be.at.most(2);
    }
    await small.close();
  });

  it('of a source that feeds itself are answered in order', async () => {
    const feeds$ = new Subject<{ readonly x: readonly number[] }>();
    const sums: number[] = [];
    const done = lastValueFrom(feeds$.pipe(run(chain, { backend }), take(3)));
    const subscription = feeds$.pipe(run(chain, { backend })).subscribe(({ y }) => {
      sums.push(Number(y.data[0]));
      if (sums.length < 3) feeds$.next({ x: [sums.length] });
    });
    feeds$.next({ x: [0] });
    await done;
    subscription.unsubscribe();
    expect(sums[0]).to.equal(1);
  });
});
