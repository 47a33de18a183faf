/** @file What the surroundings offer is probed, and js runs without any of it (X5). */
import { isLarge } from '../support/property.js';
import { expect } from 'chai';
import { availableParallelism } from 'node:os';
import { environment } from '../../src/backends/index.js';
import { runToSuccess } from '../support/runProcess.js';

describe('environment (F087)', () => {
  it('is plain data, the same at each call', () => {
    expect(JSON.parse(JSON.stringify(environment()))).to.deep.equal(environment());
    expect(Object.keys(environment())).to.deep.equal([
      'codeGeneration',
      'wasm',
      'simd',
      'sharedMemory',
      'threads',
      'webgl',
      'webgpu',
    ]);
  });

  it('sees what Node has: generated code, WebAssembly with vectors and shared memory, and no WebGL', () => {
    expect(environment()).to.include({ codeGeneration: true, wasm: true, simd: true, sharedMemory: true, webgl: false });
    expect(environment().threads).to.equal(availableParallelism());
  });

  if (isLarge()) {
    it('says so when something is missing, and js computes all the same (X5)', function () {
      this.timeout(20_000);
      const script = `
      for (const name of ['SharedArrayBuffer', 'WebAssembly', 'navigator', 'OffscreenCanvas']) delete globalThis[name];
      delete process.getBuiltinModule;
      const { environment, js, graph, input, exp, evaluateSync } = await import('./src/index.js');
      const g = graph({ x: input([2]) }, ({ x }) => ({ y: exp(x) }));
      console.log(JSON.stringify({ environment: environment(), y: evaluateSync(g, { x: [0, 0] }, { backend: js() }).y.toArray() }));
    `;
      const flags = ['--import', './spec/support/ts-node-register.mjs', '--input-type=module', '-e', script];
      const said = runToSuccess(process.execPath, flags, { env: { TS_NODE_TRANSPILE_ONLY: '1' } });
      expect(JSON.parse(said)).to.deep.equal({
        environment: {
          codeGeneration: true,
          wasm: false,
          simd: false,
          sharedMemory: false,
          threads: 1,
          webgl: false,
          webgpu: false,
        },
        y: [1, 1],
      });
    });
  }

  it('asks a canvas for WebGL, and takes a refusal for a no', () => {
    const scope = globalThis as unknown as Record<string, unknown>;
    const before = scope['OffscreenCanvas'];
    const answers: readonly (readonly [() => unknown, boolean])[] = [
      [() => ({}), true],
      [() => null, false],
      [
        () => {
          throw new Error('forbidden here');
        },
        false,
      ],
    ];
    try {
      for (const [getContext, has] of answers) {
        scope['OffscreenCanvas'] = class {
          getContext = getContext;
        };
        expect(environment().webgl).to.equal(has);
      }
    } finally {
      if (before === undefined) delete scope['OffscreenCanvas'];
      else scope['OffscreenCanvas'] = before;
    }
  });
});
