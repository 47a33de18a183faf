/** @file Every option of `compile`, at its default and at another value (F030). */
import { expect } from 'chai';
import { of } from 'rxjs';
import {
  add,
  compilationCache,
  compile,
  constant,
  evaluateSync,
  exp,
  graph,
  input,
  isOpNode,
  js,
  liveMemory,
  matmul,
  max,
  mul,
  named,
  neg,
  nodesOf,
  relu,
  run,
  sub,
  tensor,
  transpose,
  type CompileOptions,
  type Graph,
} from '../../../src/index.js';
import type { Pass } from '../../../src/passes/index.js';
import { passesFor } from '../../../src/run/compile/passes.js';
import { counting } from '../../support/countingBackend.js';
import { thrownBy } from '../../support/thrownBy.js';

/** Two branches that do not need one another, joined; and a node that nobody reads. */
const g = graph({ x: input(['n']) }, ({ x }) => {
  named('dead', exp(x));
  const [a, b] = [named('a', exp(x)), named('b', neg(x))];
  return { y: mul(named('c', relu(a)), named('d', relu(b))), z: add(a, b) };
}) as Graph;
const chain = graph({ x: input(['n']) }, ({ x }) => {
  named('dead', exp(x));
  return { y: relu(neg(exp(x))) };
}) as Graph;

const opsAt = (options: CompileOptions, of = chain) =>
  [...nodesOf(compile(of, options).graph)].filter(isOpNode).map(({ op }) => op);

describe('an option of compile (F030)', () => {
  it("level: 'standard' by default", () => {
    expect(opsAt({})).to.deep.equal(['fused']);
    expect(opsAt({ level: 'none' })).to.deep.equal(['exp', 'exp', 'neg', 'relu']);
    expect(opsAt({ level: 'basic' })).to.deep.equal(['exp', 'neg', 'relu']);
    expect(compile(chain).level).to.equal('standard');
  });

  it('fusion: as the level says by default; true and false override it', () => {
    expect(opsAt({ fusion: false })).to.deep.equal(['exp', 'neg', 'relu']);
    expect(opsAt({ level: 'basic', fusion: true })).to.deep.equal(['fused']);
    expect(opsAt({ level: 'none', fusion: true })).to.have.members(['fused', 'exp']);
  });

  it('constantFolding: as the level says by default; true and false override it', () => {
    const named = (name: string): Pass => ({ name, rewrite: () => undefined });
    const [dead, fold, fuse] = ['eliminateDeadNodes', 'foldConstants', 'fuseElementwise'].map(named);
    const levels = { none: [], basic: [dead], standard: [dead, fuse], aggressive: [dead, fold, dead, fuse] };
    const passes = (options: Parameters<typeof passesFor>[0]) => passesFor(options, levels).map(({ name }) => name);
    expect(passes({ level: 'standard' })).to.deep.equal([dead, fuse].map(({ name }) => name));
    expect(passes({ level: 'standard', constantFolding: true })).to.deep.equal([dead, fold, fuse].map(({ name }) => name));
    expect(passes({ level: 'aggressive' })).to.deep.equal([dead, fold, dead, fuse].map(({ name }) => name));
    expect(passes({ level: 'aggressive', constantFolding: false })).to.deep.equal([dead, dead, fuse].map(({ name }) => name));
    expect(passes({ level: 'none', constantFolding: true, fusion: true })).to.deep.equal([fold, fuse].map(({ name }) => name));
  });

  it('constantFolding and fastMath act on the graph itself', () => {
    const fixed = graph({ x: input([2]), k: constant(tensor([1, 2])) }, ({ x, k }) => ({ y: mul(sub(x, x), exp(k)) })) as Graph;
    const at = (options: CompileOptions) => opsAt({ level: 'basic', ...options }, fixed);
    expect(at({})).to.deep.equal(['sub', 'exp', 'mul']);
    expect(at({ constantFolding: true })).to.deep.equal(['sub', 'mul']);
    expect(at({ level: 'aggressive', fusion: false })).to.include('sub');
    expect(at({ level: 'aggressive', fusion: false, fastMath: true })).to.not.include('sub');
  });

  it('backend: its kernels limit what is fused, and it computes where a run names nobody', () => {
    const { backend, runs } = counting();
    const narrow = { ...backend, capabilities: { ...backend.capabilities, maxFusedNodes: 2 } };
    expect(opsAt({ backend: narrow })).to.have.length(2);
    evaluateSync(compile(chain, { backend: narrow }), { x: [1] });
    expect(runs()).to.equal(2);
    expect(compile(chain).backend).to.equal(undefined);
  });

  it('fastMath: off by default; the passes are told', () => {
    expect([compile(chain).fastMath, compile(chain, { fastMath: true }).fastMath]).to.deep.equal([false, true]);
  });

  it('shapes: as declared by default; given, the compiled graph is for these alone', () => {
    expect(compile(chain).shapes.get('y')).to.deep.equal(['n']);
    expect(compile(chain, { shapes: { x: [5] } }).shapes.get('y')).to.deep.equal([5]);
    expect(thrownBy(() => evaluateSync(compile(chain, { shapes: { x: [5] } }), { x: [1] })).code).to.equal('E_FEED');
  });

  it('keep: nothing beside the outputs by default', () => {
    expect(opsAt({ keep: ['dead'] })).to.deep.equal(['exp', 'fused']);
    expect(thrownBy(() => compile(chain, { keep: ['nobody'] })).code).to.equal('E_ARGUMENT');
  });

  it('shapeInference: shapes and costs by default; neither without', () => {
    const shapes = { x: [5] };
    expect(compile(chain, { shapes }).shapes.size).to.equal(2);
    const without = compile(chain, { shapes, shapeInference: false });
    expect([without.shapes.size, without.statistics.flopsBefore, without.statistics.memoryBytes]).to.deep.equal([
      0,
      undefined,
      20,
    ]);
  });

  it('memoryEstimation: bytes of a frame by default; none without', () => {
    const shapes = { x: [5] };
    // a, b, y and z of 5 float32: c and d are fused away, y may lie nowhere else than anew.
    expect(compile(g, { shapes }).statistics.memoryBytes).to.be.within(2 * 20, 6 * 20);
    expect(compile(g, { shapes, memoryEstimation: false }).statistics.memoryBytes).to.equal(undefined);
  });

  it('memoryBudget: none by default; what is over it is refused with both numbers, when it is compiled', () => {
    const shapes = { x: [1024] };
    const error = thrownBy(() => compile(chain, { shapes, memoryBudget: 4095 }));
    expect([error.code, error.diagnostic.code, error.diagnostic.message]).to.deep.equal([
      'E_OOM',
      'E004',
      'Out of memory at "memoryBudget": 4 KiB requested, 4 KiB available',
    ]);
    expect(error.diagnostic.context.slice(0, 2)).to.deep.equal([
      'Requested: 4 KiB (4096 bytes)',
      'Available: 4 KiB (4095 bytes)',
    ]);
    expect(compile(chain, { shapes, memoryBudget: 4096 }).memoryBudget).to.equal(4096);
  });

  it('memoryBudget: or when a feed comes whose sizes were not known, before a kernel runs', () => {
    const { backend, runs } = counting();
    const compiled = compile(chain, { memoryBudget: 4096, backend });
    expect(thrownBy(() => evaluateSync(compiled, { x: Array<number>(1025).fill(1) })).code).to.equal('E_OOM');
    expect(runs()).to.equal(0);
    evaluateSync(compiled, { x: Array<number>(1024).fill(1) });
    expect(runs()).to.equal(1);
  });

  it('parallelism: groups that may run at the same time by default; one node a group without', () => {
    const level = 'basic';
    const names = (options: CompileOptions) =>
      compile(g, { level, ...options }).schedule.map((group) => group.map((id) => g.chunks[0][id]!.name ?? g.chunks[0][id]!.op));
    expect(names({})).to.deep.equal([['a', 'b'], ['c', 'd', 'z'], ['y']]);
    expect(names({ parallelism: false }).map(({ length }) => length)).to.deep.equal([1, 1, 1, 1, 1, 1]);
  });

  it("order: as written by default; 'minimizeMemory' runs nodes so that less is held, in the plan and in the run, and takes sizes", () => {
    const wide = graph({ x: input([64, 100]) }, ({ x }) => {
      const squares = Array.from({ length: 6 }, (_, k) => matmul(mul(x, k), transpose(x)));
      return { y: squares.map((each) => max(each)).reduce((total, each) => add(total, each)) };
    });
    const [written, frugal] = [compile(wide, { level: 'basic' }), compile(wide, { level: 'basic', order: 'minimizeMemory' })];
    expect([written.order, [...frugal.order!].sort((a, b) => a - b)]).to.deep.equal([
      undefined,
      [...frugal.schedule.flat()].sort((a, b) => a - b),
    ]);
    expect(frugal.statistics.memoryBytes).to.be.below(written.statistics.memoryBytes! / 2);
    const peak = (compiled: typeof frugal) => {
      let most = 0;
      const operator = run(compiled, { backend: js(), outputs: 'borrow' });
      of({ x: Array.from({ length: 64 }, (_, k) => Array<number>(100).fill(k / 64)) }).pipe(operator).subscribe(() => (most = liveMemory().bytes)); // prettier-ignore
      return most;
    };
    expect(peak(frugal)).to.be.below(peak(written) / 2);
    expect(thrownBy(() => compile(chain, { order: 'minimizeMemory' })).code).to.equal('E_SHAPE');
  });

  it('caching: a cache keeps it by default; and neither looks nor keeps without', () => {
    const cache = compilationCache();
    const first = cache.getOrCompile(chain, { caching: false });
    expect(cache.getOrCompile(chain, { caching: false })).to.not.equal(first);
    expect(cache.stats()).to.include({ size: 0, hits: 0, misses: 0, compiles: 2 });
    expect(cache.getOrCompile(chain)).to.equal(cache.getOrCompile(chain));
  });

  it('is refused where it is unknown or of another kind', () => {
    const wrong: readonly object[] = [
      ...[{ lvl: 'none' }, { level: 'most' }, { level: 'toString' }, { fusion: 1 }, { memoryBudget: -1 }, { memoryBudget: NaN }],
      ...[
        { shapes: 3 },
        { keep: 'a' },
        { use: [3] },
        { backend: {} },
        { parallelism: 'yes' },
        { order: 'best' },
        { clock: 0 },
        { caching: null },
      ],
    ];
    for (const options of wrong)
      expect(thrownBy(() => compile(chain, options)).code, JSON.stringify(options)).to.equal('E_ARGUMENT');
    expect(thrownBy(() => compile(chain, null as never)).code).to.equal('E_ARGUMENT');
    expect(compile(chain, { backend: js() }).backend?.name).to.equal('js');
  });
});
