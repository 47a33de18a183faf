/**
 * @file The examples of the seed's chapters on executors, capabilities, hooks and the dummy, translated and executed.
 */
import { expect } from 'chai';
import { js, type Backend } from '../../src/backends/index.js';
import { executor } from '../../src/executor.js';
import { graph, input } from '../../src/graph/builder.js';
import { einsum, exp, matmul, relu } from '../../src/ops/index.js';
import { allOps } from '../../src/ops/registry.js';
import { context, evaluateSync, logging, run } from '../../src/run/index.js';
import { defaultBackend } from '../../src/run/default-backend.js';
import { tensor } from '../../src/tensor/create.js';
import { allocateTensor } from '../../src/tensor/tensor.js';
import { dummyExecutor } from '../../src/testing/dummy-executor.js';
import { exampleCases } from '../../src/testing/conformance/cases.js';
import { of } from 'rxjs';

const model = graph({ x: input(['n', 2]), w: input([2, 2]) }, ({ x, w }) => ({
  y: relu(matmul(x, w)),
  trace: einsum('ii->', w),
}));
const inputs = { x: tensor([[1, -2]]), w: tensor([[1, 0], [0, 1]]) }; // prettier-ignore

describe('the executor examples of the seed', () => {
  it('E02: a custom backend object satisfies the contract, and runs', () => {
    let kernels = 0;
    const reference = js({ kernels: 'interpret' });
    const mine: Backend = {
      name: 'mine',
      capabilities: { ...reference.capabilities, name: 'mine', devices: [{ type: 'Custom', index: 7 }] },
      compile(ir) {
        kernels++;
        return reference.compile(ir);
      },
      allocate: allocateTensor,
      upload: (given) => given,
      close: () => Promise.resolve(),
    };
    const outputs = executor({ backend: mine, fallback: 'never' }).execute(model, inputs);
    expect(outputs.map((output) => output.toArray())).to.deep.equal([[[1, 0]], 2]);
    expect(kernels).to.be.greaterThan(0);
  });

  it('E07: capabilities print devices, dtypes and features, and each claimed op runs', () => {
    const caps = executor().capabilities();
    const printed = [
      `Devices: ${caps.devices.map(({ type, index }) => `${type}(${index})`).join(', ')}`,
      `DTypes: ${caps.dtypes.join(', ')}`,
      `Features: ${caps.features.join(', ')}`,
    ];
    expect(printed).to.deep.equal([
      'Devices: CPU(0)',
      'DTypes: bool, int32, float32, float64',
      'Features: CodeGeneration, SIMDAcceleration',
    ]);
    let ran = 0;
    for (const op of allOps()) {
      for (const { graph: g, feeds } of exampleCases(op, 'float32')) {
        expect(executor().supports(g).isFull, op.name).to.equal(true);
        executor({ fallback: 'never' }).execute(g, feeds);
        ran++;
      }
    }
    expect(ran).to.be.greaterThan(allOps().length);
  });

  it('E41: a context with a logging hook sees the phases in their order, of a real run', () => {
    const lines: string[] = [];
    const ctx = context();
    ctx.addHook(logging((line) => void lines.push(line)));
    of(inputs)
      .pipe(run(model, { context: ctx }))
      .subscribe();
    const phases = ['GraphLoad', 'Preparing', 'Execution', 'Waiting', 'Complete', '1 feed answered'];
    expect(lines).to.deep.equal(phases.map((phase) => `run 1: ${phase}`));
    expect(ctx.progress).to.equal(1);
  });

  it('E52: the dummy executor returns empty outputs', () => {
    expect(dummyExecutor().execute(model, inputs)).to.have.length(0);
  });

  it('E53: basic execution feeds by name', () => {
    const feeds: Record<string, unknown> = {};
    feeds['x'] = tensor([[1, -2]]);
    feeds['w'] = tensor([[0, 1], [1, 0]]); // prettier-ignore
    const outputs = executor().execute(model, feeds as typeof inputs);
    expect(outputs[0].toArray()).to.deep.equal([[0, 1]]);
    expect(outputs.byName.trace.toArray()).to.equal(0);
  });

  it('E57: the reference backend of the seed is our default backend, in one line', () => {
    const engine = executor();
    expect(engine.backend).to.equal(defaultBackend());
    const g = graph({ x: input([2]) }, ({ x }) => ({ y: exp(x) }));
    expect(engine.execute(g, { x: [0, 1] })[0].toArray()).to.deep.equal(evaluateSync(g, { x: [0, 1] }).y.toArray());
  });
});
