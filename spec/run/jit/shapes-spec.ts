/** @file Shapes of one graph: some have code of their own, further ones share generic code, too many give it up. */
import { expect } from 'chai';
import { evaluateSync, exp, graph, input, jit, js, relu, tanh, type Graph, type JitConfig } from '../../../src/index.js';
import { codeKit } from '../../support/codeKit.js';
import { differentBits } from '../../support/sameBits.js';

const chain = graph({ x: input(['n']) }, ({ x }) => ({ y: relu(tanh(exp(x))) })) as Graph;

/** Runs the chain with feeds of so many elements; tells how many kernels ran: 0 interpreted, 1 specialised, 3 generic. */
function scene(config: JitConfig) {
  const kit = codeKit();
  const backend = jit(kit.backend, { hotPathThreshold: 1, adaptive: false, ...config });
  return {
    kit,
    backend,
    run(size: number, times = 1): number[] {
      return Array.from({ length: times }, (_, k) => {
        const feeds = { x: Array.from({ length: size }, (__, i) => (i - k) / 4) };
        const { y } = evaluateSync(chain, feeds, { backend });
        expect(differentBits(y, evaluateSync(chain, feeds, { backend: js() })['y'])).to.equal(undefined);
        return kit.ran();
      });
    },
  };
}

describe('jit and shapes (F036, F040)', () => {
  it('makes code for each of five shapes, and the sixth runs generic code', () => {
    const { run, backend, kit } = scene({ deoptimization: false });
    for (const size of [1, 2, 3, 4, 5]) expect(run(size, 3), `${size} elements`).to.deep.equal([0, 1, 1]);
    for (const size of [6, 7]) expect(run(size, 3), `${size} elements`).to.deep.equal([0, 3, 3]);
    expect(run(1), 'the first ones keep theirs').to.deep.equal([1]);
    expect(kit.alive()).to.equal(5 + 2 * 3);
    expect(backend.stats()).to.include({ compilations: 7, deoptimizations: 0, hotPathsDetected: 7 });
  });

  it('makes code for as many as it is told', () => {
    const { run } = scene({ deoptimization: false, maxSpecializations: 1 });
    expect(run(1, 3)).to.deep.equal([0, 1, 1]);
    expect(run(2, 3)).to.deep.equal([0, 3, 3]);
  });

  it('gives specialised code up once a hot shape has none, and does not compile it again', () => {
    const { run, backend, kit } = scene({});
    for (const size of [1, 2, 3, 4, 5]) run(size, 3);
    expect(backend.stats()).to.include({ deoptimizations: 0, compilations: 5 });
    expect(run(6), 'seen once, it is not hot').to.deep.equal([0]);
    expect(backend.stats().deoptimizations).to.equal(0);
    expect(run(6)).to.deep.equal([3]);
    expect(backend.stats()).to.include({ deoptimizations: 1, compilations: 6, recompilations: 0 });
    expect(kit.alive(), 'code of five shapes is gone').to.equal(3);
    for (const size of [1, 2, 3, 4, 5, 6]) expect(run(size, 50), `${size} elements`).to.deep.equal(Array(50).fill(3));
    expect(backend.stats()).to.include({ deoptimizations: 1, compilations: 11, recompilations: 5 });
  });

  it('waits for so many runs without code of their own', () => {
    const { run, backend } = scene({ maxSpecializations: 1, deoptimizationThreshold: 3 });
    run(1, 2);
    expect(run(2, 3)).to.deep.equal([0, 3, 3]);
    expect(backend.stats().deoptimizations).to.equal(0);
    expect(run(1)).to.deep.equal([1]);
    run(2);
    expect(backend.stats().deoptimizations).to.equal(1);
    expect(run(1)).to.deep.equal([3]);
  });

  it('begins again with each graph, and after a clear', () => {
    const { run, backend, kit } = scene({ maxSpecializations: 1 });
    run(1, 2);
    run(2, 2);
    expect(backend.stats().deoptimizations).to.equal(1);
    const other = graph({ x: input(['n']) }, ({ x }) => ({ y: tanh(relu(exp(x))) })) as Graph;
    for (let n = 0; n < 2; n++) evaluateSync(other, { x: [1] }, { backend });
    expect(kit.ran()).to.equal(1);
    backend.clear();
    expect(kit.alive()).to.equal(0);
    expect(run(2, 2)).to.deep.equal([0, 1]);
  });

  it('counts all shapes together where they are not told apart, and makes code for each', () => {
    const { run, backend } = scene({ specialization: false, hotPathThreshold: 3, maxSpecializations: 1 });
    expect([...run(1), ...run(2), ...run(3)]).to.deep.equal([0, 0, 0]);
    for (const size of [4, 5, 6, 1]) expect(run(size, 2)).to.deep.equal([1, 1]);
    expect(backend.stats()).to.include({ hotPathsDetected: 1, compilations: 4, deoptimizations: 0 });
  });
});
