/** @file Which level stays: what measured runs say, decided once. */
import { expect } from 'chai';
import {
  evaluateSync,
  exp,
  graph,
  input,
  jit,
  relu,
  tanh,
  type Graph,
  type JitConfig,
  type KernelIR,
} from '../../../src/index.js';
import { codeKit } from '../../support/codeKit.js';

/** Three nodes, interpreted in 30 ms: three kernels at basic, one at standard and above. */
const chain = graph({ x: input([2]) }, ({ x }) => ({ y: relu(tanh(exp(x))) })) as Graph;
const isJoined = (ir: KernelIR): boolean => JSON.stringify(ir).includes('"exp"') && JSON.stringify(ir).includes('"tanh"');

function scene(joined: number, alone: number, config: JitConfig = {}) {
  let factor = 1;
  const kit = codeKit({ cost: (ir) => (isJoined(ir) ? joined : alone) * factor });
  const backend = jit(kit.backend, { hotPathThreshold: 2, profilingWindow: 4, clock: kit.clock, ...config });
  const run = (times: number): number[] =>
    Array.from({ length: times }, (_, n) => {
      evaluateSync(chain, { x: [n, -n] }, { backend });
      return kit.ran();
    });
  return { kit, backend, run, slower: (by: number) => (factor = by) };
}

const of = (count: number, kernels: number): number[] => Array<number>(count).fill(kernels);

describe('jit by measured times (F040)', () => {
  it('keeps the hot level where the level below is slower, and never tries again', () => {
    const { run, backend, kit } = scene(5, 2);
    expect(run(200)).to.deep.equal([0, 0, ...of(4, 1), ...of(4, 3), ...of(190, 1)]);
    expect(backend.stats()).to.include({ compilations: 2, recompilations: 1, deoptimizations: 0 });
    expect(kit.alive(), 'code of the other level is gone').to.equal(1);
    // All runs of code count as runs of the level that stayed.
    expect(backend.stats().timeSavedMs).to.equal(198 * 25);
  });

  it('goes back where the time per run did not fall with the level', () => {
    for (const joined of [6, 7]) {
      const { run, backend, kit } = scene(joined, 2);
      expect(run(200)).to.deep.equal([0, 0, ...of(4, 1), ...of(194, 3)]);
      expect(backend.stats()).to.include({ compilations: 2, recompilations: 1 });
      expect(kit.alive()).to.equal(3);
    }
  });

  it('goes back to the interpreter where code is slower than that, for good', () => {
    const { run, backend, kit } = scene(31, 2);
    expect(run(200)).to.deep.equal([0, 0, ...of(4, 1), ...of(194, 0)]);
    expect(backend.stats()).to.include({ compilations: 1, recompilations: 0, deoptimizations: 1, cacheHits: 3 });
    expect(kit.alive()).to.equal(0);
  });

  it('looks no lower than the initial level, and at no level that gives the same graph', () => {
    const { run, backend } = scene(9, 2, { initialLevel: 'standard' });
    run(200);
    expect(backend.stats()).to.include({ compilations: 1, recompilations: 0 });
  });

  it('measures as long as it is told, and not at all where it may not adapt', () => {
    expect(scene(5, 2, { profilingWindow: 1 }).run(6)).to.deep.equal([0, 0, 1, 3, 1, 1]);
    const byDefault = scene(5, 2, { profilingWindow: undefined as never });
    expect(byDefault.run(204)).to.deep.equal([0, 0, ...of(100, 1), ...of(100, 3), 1, 1]);
    const fixed = scene(7, 2, { adaptive: false });
    expect(fixed.run(40)).to.deep.equal([0, 0, ...of(38, 1)]);
    expect(fixed.backend.stats().recompilations).to.equal(0);
  });

  it('reads no clock once it has decided', () => {
    let reads = 0;
    const backend = jit(codeKit().backend, { hotPathThreshold: 2, profilingWindow: 4, clock: () => reads++ });
    const run = (): unknown => evaluateSync(chain, { x: [1, 2] }, { backend });
    for (let n = 0; n < 20; n++) run();
    const before = reads;
    for (let n = 0; n < 20; n++) run();
    expect(reads).to.equal(before);
  });

  it('is not misled by one slow run, nor by a slow start', () => {
    const { run, slower, backend } = scene(5, 2, { profilingWindow: 8 });
    run(2);
    slower(50);
    run(3); // the first runs of new code
    slower(1);
    run(3);
    slower(50);
    run(1); // a pause
    slower(1);
    run(1);
    expect(run(30)).to.deep.equal([...of(8, 3), ...of(22, 1)]);
    expect(backend.stats().deoptimizations).to.equal(0);
  });
});
