/** @file `compile`: once optimised, a graph runs everywhere as it is, and gives what it gave before. */
import { expect } from 'chai';
import { firstValueFrom, lastValueFrom, of, toArray } from 'rxjs';
import fc from 'fast-check';
import {
  backpropagate,
  compile,
  constant,
  equivalent,
  exp,
  graph,
  gradient,
  input,
  isOpNode,
  js,
  live,
  matmul,
  mul,
  named,
  neg,
  nodeCount,
  nodesOf,
  ones,
  param,
  relu,
  run,
  runBatch,
  sum,
  taping,
  validate,
  type CompiledGraph,
  type Graph,
  type Level,
  type Outputs,
} from '../../../src/index.js';
import { evaluate, evaluateSync } from '../../../src/run/evaluate.js';
import { preparedFor } from '../../../src/run/run.js';
import { readSettings } from '../../../src/run/options.js';
import { plainGraph } from '../../support/plainGraph.js';
import { propertyRuns, propertySeed } from '../../support/property.js';
import { randomGraph } from '../../support/random-graph.js';
import { differentBits } from '../../support/sameBits.js';
import { thrownBy } from '../../support/thrownBy.js';

const model = graph({ x: input(['n', 3]), w: param(ones([3, 2])) }, ({ x, w }) => {
  named('dead', exp(x));
  return { y: relu(named('h', neg(matmul(x, w)))) };
});
const feeds = { x: [[1, -2, 3], [0, 1, -4]] }; // prettier-ignore
const LEVELS: readonly Level[] = ['none', 'basic', 'standard', 'aggressive'];

const expectSame = (got: Outputs, want: Outputs): void => {
  expect(Object.keys(got)).to.deep.equal(Object.keys(want));
  for (const [key, value] of Object.entries(want)) expect(differentBits(got[key], value), key).to.equal(undefined);
};

describe('compile', () => {
  it('gives what the graph gives: random graphs at every level, bit for bit on js up to standard (F028)', () => {
    fc.assert(
      fc.property(randomGraph(), fc.constantFrom(...LEVELS.slice(0, 3)), ({ graph: g, feeds: fed }, level) => {
        const backend = js();
        const shapes = Object.fromEntries(Object.entries(fed).map(([name, { shape }]) => [name, shape]));
        const want = evaluateSync(g, fed, { level: 'none', backend });
        expectSame(evaluateSync(compile(g, { level }), fed, { backend }), want);
        expectSame(evaluateSync(compile(g, { level, shapes }), fed, { backend }), want);
      }),
      { seed: propertySeed(), numRuns: propertyRuns(30, 500, 10_000) },
    );
  });

  it('finds nothing more in what it made: random graphs, every level (F029)', () => {
    fc.assert(
      fc.property(randomGraph(), fc.constantFrom(...LEVELS), ({ graph: g }, level) => {
        const once = compile(g, { level });
        const twice = compile(once.graph, { level });
        expect(twice.reports.filter(({ patches }) => patches.length > 0)).to.deep.equal([]);
        expect(twice.graph).to.equal(once.graph);
        expect(compile(once, { level }).graph, 'of the compiled one').to.equal(once.graph);
      }),
      { seed: propertySeed(), numRuns: propertyRuns(30, 500, 10_000) },
    );
  });

  it('leaves the graph that it is given, and returns another where there was something to do (F029)', () => {
    const before = plainGraph(model);
    const compiled = compile(model);
    expect(plainGraph(model)).to.deep.equal(before);
    expect(compiled.source).to.equal(model);
    expect(compiled.graph).to.not.equal(model);
    expect(compile(model, { level: 'none' }).graph).to.equal(model);
  });

  it('is frozen, with all that it holds (F028)', () => {
    const compiled = compile(model);
    const { statistics, reports, schedule, graph: optimised } = compiled;
    for (const each of [compiled, statistics, reports, schedule, schedule[0], optimised, optimised.outputs])
      expect(Object.isFrozen(each)).to.equal(true);
  });

  it('is a graph itself, for whatever takes one: the nodes are those that run', async () => {
    const compiled = compile(model);
    const want = evaluateSync(model, feeds);
    expect(nodeCount(compiled)).to.equal(compiled.statistics.nodesAfter);
    expect(validate(compiled).filter(({ severity }) => severity === 'error')).to.deep.equal([]);
    expect(equivalent(compiled, compiled.graph)).to.equal(true);
    expectSame(await evaluate(compiled, feeds), want);
    expectSame(await firstValueFrom(of(feeds).pipe(run(compiled))), want);
    expectSame((await runBatch(compiled, [feeds])).outputs[0]!, want);
    expectSame(await firstValueFrom(live(compiled, { x: of(feeds.x) })), want);
    const back = gradient(compiled as Graph, { of: 'y', wrt: ['w'], seed: 'ones' });
    expectSame(evaluateSync(back, feeds), evaluateSync(gradient(model, { of: 'y', wrt: ['w'], seed: 'ones' }), feeds));
  });

  it('is not optimised again: the nodes that run are the very objects (F028)', () => {
    const compiled = compile(model, { level: 'aggressive' });
    const prepared = preparedFor(compiled, {}, readSettings({}), false);
    expect(prepared.source).to.equal(model);
    expect(prepared.nodes).to.deep.equal([...nodesOf(compiled.graph)].filter(isOpNode));
    prepared.nodes.forEach((node) => expect([...nodesOf(compiled.graph)]).to.include(node));
  });

  it('serves feeds of other shapes with the same compilation, and those of a specialised one alone with that', () => {
    const other = { x: [[1, 2, 3]] };
    expectSame(evaluateSync(compile(model), other), evaluateSync(model, other));
    const special = compile(model, { shapes: { x: [2, 3] } });
    expectSame(evaluateSync(special, feeds), evaluateSync(model, feeds));
    const error = thrownBy(() => evaluateSync(special, other));
    expect(error.code).to.equal('E_FEED');
    expect([error.diagnostic.expected, error.diagnostic.actual]).to.deep.equal([
      '2 (declared [2, 3])',
      '1 (axis 0 of "x", shape [1, 3])',
    ]);
  });

  it('gives a symbol of one input its size in all of them', () => {
    const two = graph({ a: input(['n']), b: input(['n']) }, ({ a, b }) => ({ y: mul(a, b) }));
    expect(compile(two, { shapes: { a: [3] } }).shapes.get('b')).to.deep.equal([3]);
    expect(thrownBy(() => compile(two, { shapes: { a: [3], b: [4] } })).code).to.equal('E_SHAPE');
    expect(thrownBy(() => compile(two, { shapes: { c: [3] } })).code).to.equal('E_ARGUMENT');
  });

  it('keeps what it is told to, by name and for middleware; what went is refused with a way out', async () => {
    const kept = compile(model, { keep: ['h'] });
    expectSame(evaluateSync(kept, feeds, { keep: ['h'] }), evaluateSync(model, feeds, { keep: ['h'] }));
    const error = thrownBy(() => evaluateSync(compile(model), feeds, { keep: ['h'] }));
    expect([error.code, error.diagnostic.suggestions[0]]).to.deep.equal([
      'E_ARGUMENT',
      'compile(graph, { keep: [name] }), or { use: [middleware] } for what middleware reads',
    ]);
    const scalar = graph({ x: input([3]) }, ({ x }) => ({ y: sum(exp(exp(x))) }));
    const use = [taping()];
    const slopes = (g: Graph) =>
      lastValueFrom(of({ x: [1, 2, 3] }).pipe(run(g, { use }), backpropagate({ of: 'y' }), toArray())) as Promise<
        readonly Outputs[]
      >;
    expectSame((await slopes(compile(scalar, { use })))[0], (await slopes(scalar))[0]);
    expect(thrownBy(() => run(compile(scalar), { use })).code).to.equal('E_ARGUMENT');
  });

  it('keeps the level that it was compiled at, and its backend', () => {
    const mine = { ...js(), name: 'mine' };
    const compiled = compile(model, { level: 'basic', backend: mine });
    expect(preparedFor(compiled, {}, readSettings({}), false).backend).to.equal(mine);
    expect(thrownBy(() => evaluateSync(compiled, feeds, { level: 'none' })).code).to.equal('E_ARGUMENT');
    expectSame(evaluateSync(compiled, feeds, { level: 'basic' }), evaluateSync(model, feeds));
    const narrow = { ...mine, capabilities: { ...mine.capabilities, maxFusedNodes: 2 } };
    expect(thrownBy(() => evaluateSync(compiled, feeds, { backend: narrow })).diagnostic.place).to.equal('backend');
    const later = { ...mine, capabilities: { ...mine.capabilities, asynchronous: true } };
    expect(thrownBy(() => evaluateSync(compile(model, { backend: later }), feeds)).code).to.equal('E_ARGUMENT');
  });

  it('throws the first fault of a broken graph at the call, with all of them', () => {
    const broken = { ...model, outputs: [{ name: 'y', id: 99 }] } as Graph;
    expect(thrownBy(() => compile(broken)).code).to.equal(thrownBy(() => run(broken)).code);
  });

  it('is known by the object: a copy of its fields is a graph like any other', () => {
    const copy = { ...(compile(model) as CompiledGraph) } as Graph;
    expectSame(evaluateSync(copy, feeds, { level: 'none' }), evaluateSync(model, feeds));
  });

  it('takes a graph of constants alone', () => {
    const fixed = graph({ k: constant(ones([2])) }, ({ k }) => ({ y: neg(k) }));
    expect(evaluateSync(compile(fixed), {}).y.toArray()).to.deep.equal([-1, -1]);
  });
});
