/** @file What becomes of numbers below the normal ones on each backend: what its capabilities say. */
import { expect } from 'chai';
import { evaluate, graph, input, js, ops, wasm, type Backend, type GraphSymbol } from '../../src/index.js';
import { GPU_MODES, openOrSkip } from '../support/gpuModes.js';
import { isLarge } from '../support/property.js';

const TINY = 2 ** -149;
const SMALLEST_NORMAL = 2 ** -126;
const VALUES = [TINY, -TINY, 2 ** -130, 1e-40, -1e-39, SMALLEST_NORMAL / 2, SMALLEST_NORMAL, 1].map(Math.fround);

/** Functions of one element whose results on float32 are exact, so that nothing but flushing can change them. */
const EXACT = { identity: (x: number) => x, neg: (x: number) => -x, abs: Math.abs, half: (x: number) => x / 2, twice: (x: number) => 2 * x } as const; // prettier-ignore
const made = graph({ x: input([VALUES.length]) }, ({ x }) => {
  const op = (name: string, ...operands: readonly (GraphSymbol | number)[]) => ops[name](...operands) as GraphSymbol;
  return { identity: op('identity', x), neg: op('neg', x), abs: op('abs', x), half: op('mul', x, 0.5), twice: op('mul', x, 2) };
});

async function check(backend: Backend): Promise<number> {
  const mayBeZero = backend.capabilities.denormals === 'mayBeZero';
  const outputs = await evaluate(made, { x: new Float32Array(VALUES) }, { backend, fallback: 'never' });
  let zeros = 0;
  for (const [name, exact] of Object.entries(EXACT)) {
    const got = outputs[name as keyof typeof EXACT].data;
    VALUES.forEach((x, at) => {
      const want = Math.fround(exact(x));
      const isTiny = Math.min(Math.abs(x), Math.abs(want)) < SMALLEST_NORMAL;
      if (mayBeZero && isTiny && Number(got[at]) === 0 && want !== 0) zeros++;
      else expect(Number(got[at]) + 0, `${name} of ${x}`).to.equal(want + 0);
    });
  }
  return zeros;
}

describe('denormals (N6)', function () {
  this.timeout(60_000);

  it('are kept by js', async () => {
    expect(js().capabilities.denormals ?? 'kept').to.equal('kept');
    await check(js());
  });

  it('are kept by wasm', async () => {
    const backend = await wasm();
    expect(backend.capabilities.denormals ?? 'kept').to.equal('kept');
    await check(backend);
    await backend.close();
  });

  for (const mode of GPU_MODES.filter((each) => isLarge() || each === 'cpu' || each === 'webasm')) {
    const isDevice = mode === 'webgl2' || mode === 'webgpu';
    it(`${isDevice ? 'may become 0' : 'are kept'} by gpu, mode ${mode}`, async function () {
      const { backend, close } = await openOrSkip(this, mode);
      expect(backend.capabilities.denormals).to.equal(isDevice ? 'mayBeZero' : 'kept');
      const zeros = await check(backend);
      if (isDevice) console.log(`      ${mode}: ${zeros} denormals became 0`);
      await close();
    });
  }
});
