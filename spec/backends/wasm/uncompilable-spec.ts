/** @file An engine that does not take a module: js computes instead and it is said, or it is an error; and nothing is left behind. */
import { expect } from 'chai';
import { evaluateSync, exp, graph, input, mul, sum, type Diagnostic } from '../../../src/index.js';
import { liveMemory } from '../../../src/run/index.js';
import { moduleCounter } from '../../support/modulesMade.js';
import { thrownBy } from '../../support/thrownBy.js';
import { wasmKit } from '../../support/wasmKit.js';

const modulesMade = moduleCounter();

const g = graph({ x: input([null]) }, ({ x }) => ({ y: mul(exp(x), 2), s: sum(x) }));
const x = [0, 0, 0];
const refusing = (): (() => number) =>
  modulesMade(() => {
    throw new WebAssembly.CompileError('not this one');
  });

describe('an engine that takes no module (F037, J8)', () => {
  it('makes the node run on js, says so, and is asked once for each kernel, however often the graph runs', () => {
    const { backend, memory } = wasmKit();
    const told: Diagnostic[] = [];
    const made = refusing();
    const first = evaluateSync(g, { x }, { backend, onDiagnostic: (each) => void told.push(each) });
    expect([first.y.toArray(), first.s.toArray()]).to.deep.equal([[2, 2, 2], 0]);
    expect(told.map(({ code }) => code)).to.include('W_FALLBACK');
    expect(told[0].message).to.match(/backend wasm cannot run this node: js does/);
    const [asked, used] = [made(), memory.used()];
    expect(asked).to.be.greaterThan(0);
    for (let k = 0; k < 10; k++) expect(evaluateSync(g, { x }, { backend }).y.toArray()).to.deep.equal([2, 2, 2]);
    expect(made()).to.equal(asked);
    expect(memory.used()).to.equal(used);
    expect(liveMemory()).to.deep.equal({ frames: 0, bytes: 0 });
  });

  it('is E_CODEGEN with its own words where nothing may fall back, and another graph runs afterwards', () => {
    const { backend, memory } = wasmKit();
    const before = WebAssembly.Module;
    refusing();
    let used: number | undefined; // the first run leaves the constant 2 behind, for later ones
    for (let k = 0; k < 5; k++) {
      const error = thrownBy(() => evaluateSync(g, { x }, { backend, fallback: 'never' }));
      expect(error.code).to.equal('E_CODEGEN');
      expect(error.message).to.match(/the engine must take the kernel/);
      expect(memory.used()).to.equal((used ??= memory.used()));
    }
    WebAssembly.Module = before;
    expect(evaluateSync(g, { x }, { backend, fallback: 'never' }).y.toArray()).to.deep.equal([2, 2, 2]);
  });
});
