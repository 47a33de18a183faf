/** @file Whoever computes: a tier gives what its backend gives at that level, bit for bit. */
import { expect } from 'chai';
import fc from 'fast-check';
import { evaluateSync, jit, js, wasm, type Backend, type Level, type Tensor } from '../../../src/index.js';
import { differentBits } from '../../support/sameBits.js';
import { propertyRuns, propertySeed } from '../../support/property.js';
import { randomGraph, type RandomGraph } from '../../support/random-graph.js';
import { runBundled } from '../../support/bundled.js';
import { isLarge } from '../../support/property.js';
import { jitDigest } from '../../support/jitDigest.js';

type Values = Readonly<Record<string, Tensor>>;

function differences(got: Values, want: Values): string[] {
  expect(Object.keys(got)).to.deep.equal(Object.keys(want));
  return Object.keys(want).flatMap((key) => differentBits(got[key], want[key]) ?? []);
}

const at = ({ graph, feeds }: RandomGraph, backend: Backend, level: Level): Values =>
  evaluateSync(graph, feeds, { backend, level });

const levels = fc.constantFrom<[Level, Level]>(
  ['none', 'none'],
  ['none', 'basic'],
  ['basic', 'standard'],
  ['basic', 'aggressive'],
);

describe('jit and its backend (J10)', () => {
  it('agree on random graphs of all dtypes, before and after code is made, on js', function () {
    this.timeout(0);
    const inner = js();
    const backendFor = new Map<string, ReturnType<typeof jit>>();
    fc.assert(
      fc.property(randomGraph(), levels, (drawn, [initialLevel, hotLevel]) => {
        const key = `${initialLevel} ${hotLevel}`;
        const config = { initialLevel, hotLevel, hotPathThreshold: 2, adaptive: false } as const;
        if (!backendFor.has(key)) backendFor.set(key, jit(inner, config));
        const backend = backendFor.get(key)!;
        const before = at(drawn, inner, 'none');
        const after = hotLevel === 'aggressive' ? at(drawn, inner, hotLevel) : before;
        for (const want of [before, before, after, after])
          expect(differences(at(drawn, backend, 'none'), want)).to.deep.equal([]);
      }),
      { seed: propertySeed(), numRuns: propertyRuns(25, 800, 1_000_000) },
    );
    for (const backend of backendFor.values()) expect(backend.stats().cacheHits).to.equal(backend.stats().compilations);
  });

  it('agree while levels are measured, where no level changes a bit', function () {
    this.timeout(0);
    const inner = js();
    const backend = jit(inner, { initialLevel: 'none', hotLevel: 'standard', hotPathThreshold: 1, profilingWindow: 1 });
    fc.assert(
      fc.property(randomGraph(), (drawn) => {
        const want = at(drawn, inner, 'none');
        for (let time = 0; time < 6; time++) expect(differences(at(drawn, backend, 'none'), want)).to.deep.equal([]);
      }),
      { seed: propertySeed(), numRuns: propertyRuns(10, 400, 100_000) },
    );
  });

  it('agree on random graphs of all dtypes, before and after code is made, on wasm', async function () {
    this.timeout(0);
    const inner = await wasm();
    const backend = jit(inner, { hotPathThreshold: 1, hotLevel: 'standard', adaptive: false });
    fc.assert(
      fc.property(randomGraph(), (drawn) => {
        expect(differences(at(drawn, backend, 'none'), at(drawn, js(), 'none'))).to.deep.equal([]);
        const want = at(drawn, inner, 'standard');
        for (let time = 0; time < 2; time++) expect(differences(at(drawn, backend, 'none'), want)).to.deep.equal([]);
      }),
      { seed: propertySeed(), numRuns: propertyRuns(6, 150, 20_000) },
    );
    await inner.close();
  });

  if (isLarge())
    it('runs where generating code is forbidden, with the same bits: around js, wasm and the default (J5)', async function () {
      this.timeout(60_000);
      const there = JSON.parse(
        runBundled('spec/support/children/jitForbidden.ts', ['--disallow-code-generation-from-strings']),
      ) as {
        readonly digest: unknown;
        readonly evaluating: string;
      };
      expect(there.evaluating).to.match(/^EvalError/);
      expect(there.digest).to.deep.equal(await jitDigest());
    });
});
