/** @file The wasm backend against the definitions of all ops, and against js on random graphs. */
import { expect } from 'chai';
import fc from 'fast-check';
import { evaluateSync, supportTable, type Backend } from '../../../src/index.js';
import { js } from '../../../src/backends/index.js';
import { allOps } from '../../../src/ops/registry.js';
import { liveMemory } from '../../../src/run/index.js';
import { isComputed, type ComputedDType } from '../../../src/tensor/dtype.js';
import { describeBackend } from '../../../src/testing.js';
import { exampleCases } from '../../../src/testing/conformance/cases.js';
import { differenceOf } from '../../../src/testing/conformance/difference.js';
import { isFragile } from '../../support/fragile.js';
import { moduleCounter } from '../../support/modulesMade.js';
import { isLarge, propertyRuns, propertySeed } from '../../support/property.js';
import { randomGraph } from '../../support/random-graph.js';
import { wasmKit } from '../../support/wasmKit.js';
import { onEachWasm, WASM_VARIANTS } from '../../support/wasmVariants.js';

const modulesMade = moduleCounter();

/** All of its tensors lie beyond 2^31, where an address is negative for whoever takes it for a signed number. */
function far(): Backend {
  const { backend, memory } = wasmKit({ limit: 2 ** 32 - 2 ** 16 });
  // Nobody touches these bytes, so nobody pays for them.
  if (memory.bytes > 2 ** 31 + 2 ** 26) memory.borrow(2 ** 31);
  return backend;
}

/** One backend for all checks: kernels of one meet the memory that another left behind. */
const conformance = (of: () => Backend): void => {
  for (const { title, check } of describeBackend(() => ({ ...of(), close: () => Promise.resolve() }))) it(title, check);
};

// In `npm test` the corpus and every op stand for these.
if (isLarge()) {
  describe('the conformance test of wasm (plain, in the upper half of 4 GiB) (F003, F136)', function () {
    this.timeout(30_000);
    let backend: Backend;
    before(() => void (backend = far()));
    conformance(() => backend);
    after(() => backend.close());
  });

  onEachWasm('the conformance test of wasm (F003, F136)', conformance, WASM_VARIANTS.slice(1));
}

onEachWasm('random graphs on wasm', (backend) => {
  it('give what js gives, on one backend for all of them, as given and optimised, and buffers go home (F003)', () => {
    const before = liveMemory();
    const tolerance = 2e-5;
    let [compared, fragile] = [0, 0];
    fc.assert(
      fc.property(randomGraph(), (given) => {
        const { graph: made, feeds } = given;
        for (const level of ['none', 'standard'] as const) {
          const want = evaluateSync(made, feeds, { backend: js(), level });
          const got = evaluateSync(made, feeds, { backend: backend(), level, fallback: 'never' });
          for (const [key, value] of Object.entries(want)) {
            compared++;
            const difference = differenceOf(got[key], value, tolerance);
            if (difference === undefined) continue;
            // Where rounding alone decides between two values, either is right.
            expect(
              isFragile(given, key, value, tolerance),
              `${key}, level ${level}: ${difference.expected}, got ${difference.actual}`,
            ).to.equal(true);
            fragile++;
          }
        }
      }),
      { seed: propertySeed(), numRuns: propertyRuns(30, 500, 50_000) },
    );
    console.log(`      ${compared} outputs compared, ${fragile} of them decided by rounding`);
    expect(fragile / compared).to.be.below(0.02);
    expect(liveMemory()).to.deep.equal(before);
  });
});

describe('the table of ops and dtypes of wasm (F086)', function () {
  this.timeout(30_000);

  it('says what js says; each yes runs, on modules that any engine takes', () => {
    const { backend } = wasmKit({ cacheSize: 0 });
    const definitions = new Map(allOps().map((op) => [op.name, op]));
    const answers = (by: Backend) => supportTable(by).map(({ op, dtype, isNative }) => `${op} ${dtype} ${isNative}`);
    expect(answers(backend)).to.deep.equal(answers(js()));
    let [bytes, largest, ran, native] = [0, 0, 0, 0];
    const count = modulesMade((code, module) => {
      if (!WebAssembly.validate(code)) throw new Error('a module is not valid');
      bytes += code.length;
      largest = Math.max(largest, code.length);
      const [memory, ...others] = WebAssembly.Module.imports(module);
      expect(memory).to.deep.equal({ module: 'env', name: 'memory', kind: 'memory' });
      for (const each of others) {
        expect([each.module, each.kind]).to.deep.equal(['env', 'function']);
        expect(each.name, 'a scalar function of the engine').to.match(/^(unary|binary|integer)\.[a-z0-9]+$/i);
      }
    });
    const cells = supportTable(backend).filter(({ dtype }) => isComputed(dtype));
    for (const [at, { op, dtype, isNative }] of cells.entries()) {
      if (isNative) native++;
      // A short run takes every fifth, of another dtype each time.
      if (!isLarge() && at % 5 !== 0) continue;
      const cases = exampleCases(definitions.get(op)!, dtype as ComputedDType);
      expect(cases.length > 0, `${op} of ${dtype}`).to.equal(isNative);
      for (const { graph: made, feeds } of cases) evaluateSync(made, feeds, { backend, fallback: 'never' });
      if (isNative) ran++;
    }
    console.log(`      ${ran} cells ran, on ${count()} modules of ${Math.round(bytes / count())} bytes each, at most ${largest}`);
    expect(native).to.be.greaterThan(250);
  });
});
