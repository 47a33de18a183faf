/** @file Which mode the gpu backend takes, and what it says where there is none. */
import { expect } from 'chai';
import { evaluateSync, graph, input, relu, type Diagnostic, type EinstreamError } from '../../../src/index.js';
import { hardwareMode } from '../../../src/backends/gpu/auto.js';
import { adapters, type Scope } from '../../../src/backends/gpu/hardware.js';
import { loadLibrary } from '../../../src/backends/gpu/library.js';
import { gpu, gpuStatistics } from '../../../src/gpu.js';

/** Only a page has WebGL; the one that specs run in has it, and WebGPU, on a software driver. */
const isPage = typeof OffscreenCanvas !== 'undefined';

const rejection = (promise: Promise<unknown>): Promise<EinstreamError> =>
  promise.then(
    () => expect.fail('it must be rejected'),
    (error: unknown) => error as EinstreamError,
  );

const scopeOf = (webgpu: object | null | undefined, renderer?: string): Scope => ({
  ...(webgpu === undefined ? {} : { navigator: { gpu: { requestAdapter: () => Promise.resolve(webgpu) } } }),
  ...(renderer === undefined
    ? {}
    : {
        OffscreenCanvas: class {
          getContext = () => ({ getExtension: () => ({ UNMASKED_RENDERER_WEBGL: 1 }), getParameter: () => renderer });
        },
      }),
});

describe('the modes of the gpu backend (F003)', () => {
  it('auto takes hardware alone, WebGPU before WebGL2', async () => {
    const modeOf = async (scope: Scope) => hardwareMode(await adapters(scope));
    const real = { info: { vendor: 'nvidia', architecture: 'hopper' } };
    expect(await modeOf(scopeOf(real, 'ANGLE (NVIDIA)'))).to.equal('webgpu');
    expect(await modeOf(scopeOf(null, 'ANGLE (NVIDIA)'))).to.equal('webgl2');
    expect(await modeOf(scopeOf({ info: { vendor: 'google', architecture: 'swiftshader' } }, 'ANGLE (Apple M2)'))).to.equal(
      'webgl2',
    );
    expect(await modeOf(scopeOf({ ...real, isFallbackAdapter: true }, 'ANGLE (Google, Vulkan 1.3, SwiftShader)'))).to.equal(
      undefined,
    );
    expect(await modeOf(scopeOf(undefined, 'llvmpipe (LLVM 15, 256 bits)'))).to.equal(undefined);
    expect(await modeOf(scopeOf(undefined))).to.equal(undefined);
  });

  it('auto without hardware is wasm or js, which a warning and a remark tell', async () => {
    const told: Diagnostic[] = [];
    const backend = await gpu({ onDiagnostic: (diagnostic) => told.push(diagnostic) });
    expect(backend.name).to.be.oneOf(['wasm', 'js']);
    expect(told.map(({ code, severity }) => [code, severity])).to.deep.equal([['W_FALLBACK', 'warning']]);
    expect(backend.capabilities.remarks.join()).to.match(
      isPage
        ? /found no hardware \(webgpu on .*swiftshader.*, webgl2 on .*SwiftShader/i
        : /found no hardware \(no adapter at all\)/,
    );
    const g = graph({ x: input([2]) }, ({ x }) => ({ y: relu(x) }));
    expect(evaluateSync(g, { x: [-1, 2] }, { backend }).y.toArray()).to.deep.equal([0, 2]);
    await backend.close();
  });

  it('a mode that was named is that one, on a software driver too; one that is missing is E_BACKEND', async () => {
    for (const mode of ['webgpu', 'webgl2'] as const) {
      if (isPage) {
        const backend = await gpu({ mode });
        expect(backend.capabilities.remarks).to.include(`gpu.js computes in its mode ${mode}`);
        await backend.close();
        continue;
      }
      const error = await rejection(gpu({ mode }));
      expect(error.code, mode).to.equal('E_BACKEND');
      expect(error.message, mode).to.include(mode);
    }
  });

  it('without gpu.js it is E_BACKEND, which says how to install it (F005)', async () => {
    const error = await rejection(loadLibrary(() => Promise.reject(new Error("Cannot find package 'gpu.js'"))));
    expect(error.code).to.equal('E_BACKEND');
    expect(error.message).to.include('npm install gpu.js@2.24.1');
    expect((await rejection(loadLibrary(() => Promise.resolve({})))).code).to.equal('E_BACKEND');
  });

  it('options are checked', async () => {
    for (const options of [{ mode: 'gl' }, { cacheSize: 0 }, { readTimeout: 0 }, { onDiagnostic: 1 }, { speed: 1 }, null])
      expect((await rejection(gpu(options as never))).code).to.equal('E_ARGUMENT');
  });

  it('a kernel is one for each structure and shape, and the CPU mode forgets those that go', async () => {
    const backend = await gpu({ mode: 'cpu', cacheSize: 3 });
    const g = graph({ x: input(['n']) }, ({ x }) => ({ y: relu(x) }));
    for (let n = 1; n <= 8; n++)
      expect(evaluateSync(g, { x: Array.from({ length: n }, () => -1) }, { backend }).y.toArray()).to.deep.equal(
        new Array(n).fill(0),
      );
    expect(gpuStatistics(backend)).to.include({ kernels: 3, launches: 8, handles: 0 });
    await backend.close();
    expect(() => evaluateSync(g, { x: new Array(9).fill(1) }, { backend })).to.throw(/closed/);
  });
});
