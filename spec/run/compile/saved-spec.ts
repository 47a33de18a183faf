/** @file Compiled graphs as text: equal when read again, and refused with a typed error when the text is not to be trusted (F028). */
import { expect } from 'chai';
import fc from 'fast-check';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  EinstreamError,
  add,
  compile,
  constant,
  evaluateSync,
  exp,
  graph,
  input,
  js,
  matmul,
  max,
  mul,
  named,
  neg,
  param,
  parseCompiled,
  relu,
  serializeCompiled,
  tensor,
  transpose,
  type CompiledGraph,
  type Graph,
} from '../../../src/index.js';
import { findNode } from '../../../src/graph/graph.js';
import { ENGINE } from '../../../src/run/compile/version.js';
import { HOSTILE_NAMES } from '../../support/hostileNames.js';
import { mutants } from '../../support/mutants.js';
import { plainGraph } from '../../support/plainGraph.js';
import { propertyRuns, propertySeed } from '../../support/property.js';
import { randomGraph } from '../../support/random-graph.js';
import { differentBits } from '../../support/sameBits.js';
import { projectRoot } from '../../support/sourceFiles.js';
import { thrownBy } from '../../support/thrownBy.js';

const model = graph({ x: input(['n', 2]), w: param(tensor([NaN, -0])), k: constant(tensor([1, 2])) }, ({ x, w, k }) => {
  named('dead', exp(x));
  return { y: relu(neg(mul(mul(x, w), k))) };
});

const plain = ({
  source,
  graph: after,
  reports,
  shapes,
  statistics,
  schedule,
  level,
  fastMath,
  memoryBudget,
}: CompiledGraph) => ({
  ...{ level, fastMath, memoryBudget, statistics, schedule },
  source: plainGraph(source),
  graph: plainGraph(after),
  shapes: [...shapes],
  reports: reports.map(({ pass, rewrites }) => ({ pass, rewrites: rewrites.map((each) => ({ ...each })) })),
});

describe('a saved compilation', () => {
  it('is read as it was, to the last bit, fused nodes too: random graphs, every level (F028)', () => {
    fc.assert(
      fc.property(randomGraph(), fc.constantFrom('none', 'basic', 'standard', 'aggressive'), ({ graph: g, feeds }, level) => {
        const compiled = compile(g, { level });
        const text = serializeCompiled(compiled);
        const loaded = parseCompiled(text);
        expect(plain(loaded)).to.deep.equal(plain(compiled));
        expect(serializeCompiled(loaded)).to.equal(text);
        const [got, want] = [loaded, compiled].map((each) => evaluateSync(each, feeds, { backend: js() }));
        for (const [key, value] of Object.entries(want)) expect(differentBits(got[key], value), key).to.equal(undefined);
      }),
      { seed: propertySeed(), numRuns: propertyRuns(12, 500, 10_000) },
    );
  });

  it('keeps budget, flags, specialised shapes and the manner of the schedule', () => {
    const options = { shapes: { x: [3, 2] }, memoryBudget: 1e6, fastMath: true, parallelism: false, shapeInference: false };
    const compiled = compile(model, options) as CompiledGraph;
    const loaded = parseCompiled(serializeCompiled(compiled));
    expect(plain(loaded)).to.deep.equal(plain(compiled));
    expect(thrownBy(() => evaluateSync(loaded, { x: [[1, 2]] })).code).to.equal('E_FEED');
    expect(loaded.summary()).to.equal(compiled.summary());
  });

  it('keeps the order of its nodes', () => {
    const wide = graph({ x: input([8, 100]) }, ({ x }) => {
      const tables = [1, 2, 3, 4].map((k) => matmul(mul(transpose(x), k), x));
      return { y: add(add(max(tables[0]), max(tables[1])), add(max(tables[2]), max(tables[3]))) };
    });
    const compiled = compile(wide, { level: 'basic', order: 'minimizeMemory' }) as CompiledGraph;
    expect(compiled.order).to.not.equal(undefined);
    expect(parseCompiled(serializeCompiled(compiled)).order).to.deep.equal(compiled.order);
  });

  it('runs on the backend that is named when it is loaded', () => {
    const backend = js();
    expect(parseCompiled(serializeCompiled(compile(model)), { backend }).backend).to.equal(backend);
    expect(thrownBy(() => parseCompiled('{}', { backend: {} as never })).code).to.equal('E_ARGUMENT');
  });

  it('holds what both graphs have once, in the text and in memory', () => {
    const weights = tensor(new Float32Array(10_000).fill(0.1));
    const large = graph({ x: input([10_000]), w: param(weights) }, ({ x, w }) => ({ y: relu(neg(mul(x, w))) })) as Graph;
    const text = serializeCompiled(compile(large));
    expect(text.length).to.be.below((1.1 * (40_000 * 4)) / 3);
    const { source, graph: after } = parseCompiled(text);
    expect(findNode(after, large.inputs[1])).to.equal(findNode(source, large.inputs[1]));
  });

  it('keeps hostile names as names (J2)', () => {
    for (const name of HOSTILE_NAMES.filter((each) => each !== '')) {
      const g = graph(Object.fromEntries([[name, input([1])]]), (symbols) => ({
        y: relu(neg(Object.values(symbols)[0])),
      })) as Graph;
      const feeds = Object.fromEntries([[name, tensor([-1])]]);
      expect(evaluateSync(parseCompiled(serializeCompiled(compile(g))), feeds).y.toArray()).to.deep.equal([1]);
    }
  });

  it('is refused where it is cut off, changed or of another version, with a typed error', () => {
    const text = serializeCompiled(compile(model));
    for (let at = 0; at < text.length - 1; at += 7)
      expect(thrownBy(() => parseCompiled(text.slice(0, at))).code).to.equal('E_PARSE');
    const of = (from: string | RegExp, to: string) => thrownBy(() => parseCompiled(text.replace(from, to)));
    expect(of('"einstream-compiled":1', '"einstream-compiled":2').diagnostic).to.include({
      code: 'E_PARSE',
      actual: '2 at byte 22',
    });
    expect(of('{"einstream-compiled":1,', '{').code).to.equal('E_PARSE');
    expect(of('"level":"standard"', '"level":"toString"').code).to.equal('E_PARSE');
    expect(of('"nodesBefore":', '"nodesBefore":-').code).to.equal('E_PARSE');
    expect(of('"fastMath":false', '"fastMath":"no"').code).to.equal('E_PARSE');
    expect(of(/"removed":\[\d+/, '"removed":[0').code).to.equal('E_GRAPH');
    expect(of(/"reports":\[\{/, '"reports":[{"rewrites":3,').code).to.equal('E_PARSE');
    // Another graph under the same names is a graph, and no compilation of this source.
    const other = serializeCompiled(compile(graph({ x: input(['n', 2]) }, ({ x }) => ({ z: relu(neg(x)) }))));
    const mixed = text.slice(0, text.indexOf('"removed"')) + other.slice(other.indexOf('"removed"'));
    expect(thrownBy(() => parseCompiled(mixed)).code).to.equal('E_GRAPH');
  });

  it('never throws anything but typed errors, and never hangs: mutants of texts', () => {
    const bases = [serializeCompiled(compile(model)), serializeCompiled(compile(model, { level: 'none' }))];
    const mutant = mutants(bases, propertySeed());
    let [refused, taken] = [0, 0];
    for (let at = 0; at < propertyRuns(300, 5_000, 100_000); at++) {
      try {
        parseCompiled(mutant(at), { nodes: 1_000, tensors: 1_000 });
        taken++;
      } catch (error) {
        if (!(error instanceof EinstreamError)) throw new Error(`mutant ${at}: ${String(error)}`, { cause: error });
        refused++;
      }
    }
    expect(refused).to.be.greaterThan(taken / 10);
  });

  it('is held to limits, and to what compile made', () => {
    const text = serializeCompiled(compile(model));
    for (const limits of [{ nodes: 2 }, { tensors: 2 }, { tensorBytes: 8 }, { bytes: 100 }])
      expect(thrownBy(() => parseCompiled(text, limits)).code, JSON.stringify(limits)).to.equal('E_LIMIT');
    expect(thrownBy(() => serializeCompiled(model as never)).code).to.equal('E_ARGUMENT');
  });

  it('names the engine that wrote it', () => {
    const { version } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8')) as { version: string };
    expect(ENGINE).to.equal(version);
    expect(serializeCompiled(compile(model))).to.include(`"engine":"${version}"`);
  });
});
