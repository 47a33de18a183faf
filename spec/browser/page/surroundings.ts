/**
 * @file What a page offers is what its headers say, and the engine makes the best of it (DESIGN 5, rule 10).
 */
import { expect } from 'chai';
import {
  environment,
  EinstreamError,
  evaluateSync,
  exp,
  graph,
  input,
  js,
  wasm,
  zeros,
  type Backend,
} from '../../../src/index.js';
import { finds } from './finds.js';

const g = graph({ x: input(['n']) }, ({ x }) => ({ y: exp(x) }));
const ofZeros = (backend?: Backend, size = 2) => evaluateSync(g, { x: zeros([size]) }, { backend }).y;

describe('the engine on this page', () => {
  it('finds what the headers allow (F087)', () => {
    expect(crossOriginIsolated).to.equal(finds.isolated);
    expect(environment()).to.include({
      codeGeneration: finds.eval,
      wasm: finds.wasm,
      simd: finds.wasm,
      sharedMemory: finds.isolated,
    });
    expect(environment().threads).to.equal(navigator.hardwareConcurrency);
  });

  it(`makes js kernels ${finds.eval ? 'from text' : 'that are interpreted, and says so'}`, () => {
    const backend = js();
    expect(ofZeros(backend).toArray()).to.deep.equal([1, 1]);
    expect(backend.capabilities.features).to.deep.equal(finds.eval ? ['CodeGeneration'] : []);
    expect(backend.capabilities.remarks.join()).to.match(finds.eval ? /^$/ : /kernels are interpreted/);
    if (finds.eval) return;
    expect(() => js({ kernels: 'generate' }))
      .to.throw(EinstreamError, /this page forbids generated code/)
      .with.property('code', 'E_BACKEND');
  });

  if (finds.wasm) {
    it('makes wasm kernels', async () => {
      const backend = await wasm();
      expect(ofZeros(backend).toArray()).to.deep.equal([1, 1]);
      await backend.close();
    });
  } else {
    it('refuses to make wasm kernels, and says which permission is missing', async () => {
      const refusal = await wasm().catch((error: unknown) => error);
      expect(refusal).to.be.instanceOf(EinstreamError).with.property('code', 'E_BACKEND');
      expect(refusal)
        .property('message')
        .to.match(/wasm-unsafe-eval/);
    });
  }

  it('runs small graphs and large ones when no backend is named', () => {
    for (const size of [2, 1_000_000]) {
      const { data } = ofZeros(undefined, size);
      expect([data.length, data[0], data[size - 1]]).to.deep.equal([size, 1, 1]);
    }
  });
});
