import { expect } from 'chai';
import { EinstreamError, add, evaluateSync, graph, input, js, mul, sum, type Backend } from '../../src/index.js';
import { renderJs } from '../../src/codegen/render/js.js';
import type { KernelIR } from '../../src/codegen/ir.js';
import { s } from '../../src/ops/scalar.js';
import { tensorOver } from '../../src/tensor/tensor.js';
import { liveMemory } from '../../src/run/index.js';
import { counting } from '../support/countingBackend.js';

const codeOf = (act: () => unknown): string => {
  try {
    act();
  } catch (error) {
    return error instanceof EinstreamError ? error.code : String(error);
  }
  return 'nothing was thrown';
};

const copy = (extent: number): KernelIR => {
  const access = { dtype: 'float32', strides: [1], offset: 0 } as const;
  return {
    kind: 'nest',
    extents: [extent],
    outer: 1,
    inputs: [access],
    folds: [],
    result: s.operand(0),
    emits: 'group',
    output: access,
  };
};

describe('the js backend', () => {
  it('generates kernels where that is allowed, and interprets them when asked to', () => {
    expect(js().capabilities.features).to.deep.equal(['CodeGeneration']);
    expect(js().capabilities.remarks).to.deep.equal([]);
    const interpreting = js({ kernels: 'interpret' }).capabilities;
    expect(interpreting.features).to.deep.equal([]);
    expect(interpreting.remarks.join()).to.match(/kernels are interpreted/);
  });

  it('has capabilities of plain data that nobody changes', () => {
    const { capabilities } = js();
    expect(JSON.parse(JSON.stringify(capabilities))).to.deep.equal(capabilities);
    expect(Object.isFrozen(capabilities)).to.equal(true);
    expect([capabilities.asynchronous, capabilities.maxDims]).to.deep.equal([false, 64]);
  });

  it('refuses options that it does not have, or outside their range', () => {
    const wrong: readonly unknown[] = [null, 1, 'x', { kernels: 'compile' }, { kernels: Object.create(null) }, { kernels: Symbol('s') }, { cacheSize: -1 }, { cacheSize: 0.5 }, { cacheSize: '1' }, { cachesize: 1 }]; // prettier-ignore
    for (const options of wrong) expect(codeOf(() => js(options as object))).to.equal('E_ARGUMENT');
    expect(codeOf(() => js({ cacheSize: 0 }))).to.equal('nothing was thrown');
  });

  it('makes one function of equal source, and forgets the least recently used', () => {
    const functionOf = (backend: Backend, extent: number) => backend.compile(copy(extent)).run;
    const backend = js({ cacheSize: 2 });
    const first = functionOf(backend, 1);
    expect(functionOf(backend, 1)).to.equal(first);
    functionOf(backend, 2);
    functionOf(backend, 1);
    functionOf(backend, 3);
    expect(functionOf(backend, 1), 'used lately').to.equal(first);
    functionOf(backend, 4);
    functionOf(backend, 5);
    expect(functionOf(backend, 1)).to.not.equal(first);
    const forgetful = js({ cacheSize: 0 });
    expect(functionOf(forgetful, 1)).to.not.equal(functionOf(forgetful, 1));
  });

  it('reads any tensor where it lies, and allocates zeros', () => {
    const t = tensorOver(Float32Array.of(1, 2), 'float32', [2]);
    expect(js().upload(t)).to.equal(t);
    expect(js().allocate([2], 'int32').toArray()).to.deep.equal([0, 0]);
  });

  it('is closed at once', async () => expect(await js().close()).to.equal(undefined));
});

describe('a kernel', () => {
  it('is a function body that opens its tensors, then loops: nothing of the graph stands in it', () => {
    const made = graph({ secret: input([2, 3]), other: input([3]) }, ({ secret, other }) => ({
      named: mul(add(secret, other), 2),
    }));
    const { backend, compiled } = counting(js());
    evaluateSync(made, { secret: [[1, 2, 3], [4, 5, 6]], other: [1, 1, 1] }, { backend }); // prettier-ignore
    expect(compiled.map((ir) => renderJs(ir))).to.have.length(1);
    expect(renderJs(compiled[0])).to.not.match(/secret|other|named/);
  });
});

describe('memory of a shape that changes with each feed', () => {
  it('is bounded: of 1,000 lengths the latest programs stay, and nothing is in flight (bug-072, bug-070, bug-074)', () => {
    let [made, disposed] = [0, 0];
    const inner = js({ cacheSize: 10 });
    const backend: Backend = {
      ...inner,
      compile(ir) {
        made++;
        const kernel = inner.compile(ir);
        return { run: (inputs, outputs) => kernel.run(inputs, outputs), dispose: () => void disposed++ };
      },
    };
    const total = graph({ x: input(['n']) }, ({ x }) => ({ y: sum(x) }));
    for (let n = 0; n < 1000; n++) {
      expect(evaluateSync(total, { x: new Array<number>(n).fill(1) }, { backend }).y.toArray()).to.equal(n);
      expect(made - disposed).to.be.at.most(64);
    }
    expect(made).to.equal(1000);
    expect(liveMemory()).to.deep.equal({ frames: 0, bytes: 0 });
  });
});
