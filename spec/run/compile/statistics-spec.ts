/** @file Statistics of a compilation: real counts, real costs, never NaN. */
import { expect } from 'chai';
import {
  analyze,
  compile,
  constant,
  einsum,
  exp,
  graph,
  input,
  isOpNode,
  js,
  KERNEL_COSTS,
  measureSpeedup,
  named,
  neg,
  nodeCount,
  nodesOf,
  relu,
  sum,
  tensor,
  type Backend,
  type Graph,
} from '../../../src/index.js';
import { defaultBackend } from '../../../src/run/default-backend.js';
import { statisticsOf } from '../../../src/run/compile/statistics.js';
import { thrownBy } from '../../support/thrownBy.js';

const chain = graph({ x: input([10]) }, ({ x }) => {
  named('dead', exp(named('dead too', neg(x))));
  return { y: relu(neg(exp(x))) };
});

describe('the statistics of a compilation', () => {
  it('count the nodes of the real graphs, groups, and what was dead (F032)', () => {
    const { statistics, graph: after } = compile(chain);
    expect([nodeCount(chain), nodeCount(after)]).to.deep.equal([6, 2]);
    expect(statistics).to.include({ nodesBefore: 6, nodesAfter: 2, fusionsApplied: 1, deadNodesEliminated: 2 });
    expect(statistics.reductionPercentage).to.be.closeTo(66.67, 0.01);
  });

  it('are 0 for a graph without nodes, not NaN (F032)', () => {
    const model = KERNEL_COSTS.wasm;
    const empty = statisticsOf({ nodes: [0, 0], costs: [undefined, undefined], model, reports: [], timeMs: 0, memoryBytes: undefined }); // prettier-ignore
    expect(empty.reductionPercentage).to.equal(0);
    const zero = { flops: 0, bytes: 0, kernels: 0, time: 0 };
    expect(statisticsOf({ nodes: [0, 0], costs: [zero, zero], model, reports: [], timeMs: 0, memoryBytes: 0 }).estimatedSpeedup).to.equal(1); // prettier-ignore
  });

  it('estimate a finite gain where nothing is left to compute', () => {
    const folded = graph({ k: constant(tensor([1, 2])) }, ({ k }) => ({ y: neg(exp(k)) })) as Graph;
    const { statistics, graph: after } = compile(folded, { level: 'aggressive' });
    expect([...nodesOf(after)].some(isOpNode)).to.equal(false);
    expect(statistics.estimatedSpeedup).to.be.greaterThan(1).and.lessThan(10);
  });

  it('count operations and bytes of a run where sizes are known, and say so where not', () => {
    // Five kernels of 10 float32 each read and written become one; the two dead operations go.
    expect(compile(chain).statistics).to.include({ flopsBefore: 50, flopsAfter: 30, bytesBefore: 5 * 80, bytesAfter: 80 });
    const product = graph({ a: input([4, 5]), b: input([5, 6]) }, ({ a, b }) => ({ y: einsum('ik,kj->ij', a, b) }));
    expect(compile(product).statistics.flopsAfter).to.equal(2 * 4 * 5 * 6);
    const open = graph({ x: input(['n']) }, ({ x }) => ({ y: relu(neg(x)) })) as Graph;
    expect(compile(open).statistics).to.include({ flopsBefore: undefined, estimatedSpeedup: undefined, memoryBytes: undefined });
    expect(compile(open, { shapes: { x: [7] } }).statistics).to.include({ flopsBefore: 14, flopsAfter: 14, memoryBytes: 28 });
  });

  it('estimate more for what saves more, and 1 for nothing', () => {
    const speedup = (g: Graph) => compile(g).statistics.estimatedSpeedup!;
    const one = graph({ x: input([1000]) }, ({ x }) => ({ y: exp(x) })) as Graph;
    const two = graph({ x: input([1000]) }, ({ x }) => ({ y: neg(exp(x)) })) as Graph;
    const three = graph({ x: input([1000]) }, ({ x }) => ({ y: relu(neg(exp(x))) })) as Graph;
    expect(speedup(one)).to.equal(1);
    expect([speedup(two) > 1, speedup(three) > speedup(two)]).to.deep.equal([true, true]);
  });

  it('estimate what analyze does, by one cost model (F043)', () => {
    const rows = graph({ x: input([64, 512]) }, ({ x }) => ({ y: relu(neg(exp(x))), s: sum(exp(x), { axis: 1 }) })) as Graph;
    for (const level of ['basic', 'standard'] as const) {
      const { estimatedSpeedup, reports } = analyze(rows, { level, minFusionBenefit: 0 });
      expect(compile(rows, { level }).reports.flatMap(({ rewrites }) => rewrites).length).to.equal(reports.flatMap(({ rewrites }) => rewrites).length);
      expect(compile(rows, { level }).statistics.estimatedSpeedup, level).to.equal(estimatedSpeedup);
    }
  }); // prettier-ignore

  it('estimate what kernels of the backend gain: where functions are dear, little', () => {
    const g = graph({ x: input([2 ** 16]) }, ({ x }) => ({ y: neg(exp(x)) })) as Graph;
    const cheap = graph({ x: input([2 ** 16]) }, ({ x }) => ({ y: relu(neg(x)) })) as Graph;
    const speedup = (of: Graph, backend: Backend) => compile(of, { backend }).statistics.estimatedSpeedup!;
    for (const backend of [js(), defaultBackend()]) expect(speedup(g, backend)).to.be.below(speedup(cheap, backend));
    expect(speedup(g, js())).to.be.below(1.5);
  });

  it('measure time by the clock that they are given', () => {
    let now = 100;
    expect(compile(chain, { clock: () => (now += 7) }).statistics.timeMs).to.equal(7);
  });

  it('hold the changes as lists of patches and rewrites (F032)', () => {
    const changed = compile(chain).reports.filter(({ patches }) => patches.length > 0);
    expect(changed.map(({ pass, rewrites }) => [pass, rewrites.length])).to.deep.equal([
      ['eliminateDeadNodes', 1],
      ['fuseElementwise', 1],
    ]);
  });

  it('are a text for people', () => {
    let now = 0;
    expect(
      compile(chain, { clock: () => now++ })
        .summary()
        .split('\n'),
    ).to.deep.equal([
      'level standard: 6 nodes become 2 (−66.7 %) in 1 ms',
      '1 group fused, 2 dead nodes left out',
      'operations 50 → 30',
      'memory traffic 400 bytes → 80 bytes',
      'estimated speed-up 1.82 ×',
      'a frame holds 40 bytes',
      'eliminateDeadNodes: 1 rewrite',
      'fuseElementwise: 1 rewrite',
    ]);
  });
});

describe('measureSpeedup', () => {
  it('runs both in turns and compares medians, the first run of each apart', async () => {
    // Each run takes two readings: 100 and 50 for the first of each, then 10, 30, 20 beside 5, 4, 6.
    const times = [100, 50, 10, 5, 30, 4, 20, 6];
    let [now, reading] = [0, 0];
    const clock = (): number => (reading++ % 2 === 0 ? now : (now += times[(reading - 1) >> 1]));
    const measured = await measureSpeedup(compile(chain), { x: Array<number>(10).fill(1) }, { clock, runs: 3 });
    expect(measured).to.deep.equal({ beforeMs: 20, afterMs: 5, speedup: 4 });
  });

  it('is 1 where no time passes, and takes a compiled graph and a count only', async () => {
    const feeds = { x: Array<number>(10).fill(1) };
    expect((await measureSpeedup(compile(chain), feeds, { clock: () => 0 })).speedup).to.equal(1);
    for (const act of [() => measureSpeedup(chain as never, feeds), () => measureSpeedup(compile(chain), feeds, { runs: 0 })])
      expect(((await act().catch((error: unknown) => error)) as { code: string }).code).to.equal('E_ARGUMENT');
    expect(thrownBy(() => compile(chain, { clock: 3 as never })).code).to.equal('E_ARGUMENT');
  });
});
