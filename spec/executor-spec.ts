/** @file The facade with the seed's method names is the operators under other names. */
import { expect } from 'chai';
import { js } from '../src/backends/index.js';
import { EinstreamError } from '../src/errors/index.js';
import { executor } from '../src/executor.js';
import { graph, input, param } from '../src/graph/builder.js';
import { inferShapes } from '../src/graph/shapes.js';
import { add } from '../src/ops/binary/index.js';
import { sum } from '../src/ops/reduce/index.js';
import { relu } from '../src/ops/unary/index.js';
import { context, evaluateSync, type ExecutionPhase } from '../src/run/index.js';
import { tensor } from '../src/tensor/create.js';
import { nullBackend } from '../src/testing/null-backend.js';
import { byHand } from './support/byHandBackend.js';

const g = graph({ x: input(['n']), b: param(tensor([1])) }, ({ x, b }) => {
  const y = add(relu(x), b);
  return { y, total: sum(y), x };
});

describe('executor (F001)', () => {
  it('gives all outputs in their order, and by name', () => {
    const outputs = executor().execute(g, { x: [-1, 2] });
    expect(outputs.map((output) => output.toArray())).to.deep.equal([[1, 3], 4, [-1, 2]]);
    expect(Object.keys(outputs.byName)).to.deep.equal(['y', 'total', 'x']);
    expect(outputs.byName.total).to.equal(outputs[1]);
    const [y] = outputs;
    expect(y.toArray()).to.deep.equal(evaluateSync(g, { x: [-1, 2] }).y.toArray());
  });

  it('gives them as a promise from an asynchronous backend, whose answer at once is refused', async () => {
    const { backend, finish } = byHand();
    const slow = executor({ backend });
    expect(() => slow.execute(g, { x: [1] })).to.throw(EinstreamError, /cannot answer at once/);
    const promised = slow.executeAsync(g, { x: [1] });
    await finish();
    expect((await promised).map((output) => output.toArray())).to.deep.equal([[2], 2, [1]]);
  });

  it('uses its options: the level, what is kept, and what is not allowed', () => {
    expect(Object.keys(executor({ keep: ['relu_2'], level: 'none' }).execute(g, { x: [1] }).byName)).to.include('relu_2');
    const narrow = {
      ...js(),
      name: 'narrow',
      capabilities: { ...js().capabilities, name: 'narrow', excludes: [{ op: 'relu' }] },
    };
    expect(executor({ backend: narrow }).supports(g).isFull).to.equal(false);
    expect(() => executor({ backend: narrow, fallback: 'never' }).execute(g, { x: [1] })).to.throw(EinstreamError, /narrow/);
    expect(
      executor({ backend: narrow })
        .execute(g, { x: [1] })[1]
        .toArray(),
    ).to.equal(2);
  });

  it('validates and infers shapes', () => {
    expect(executor().validate(g)).to.deep.include({ isValid: true, errors: [], warnings: [] });
    expect(executor().validate(graph({ x: input([1]) }, () => ({}))).isValid).to.equal(false);
    expect(executor().inferShapes(g, { x: [3] })).to.deep.equal(inferShapes(g, { x: [3] }));
    expect(executor().inferShapes(g).get('y')).to.deep.equal(['n']);
  });

  it('tells hooks of each execution, and shows how the latest stands', () => {
    const heard: ExecutionPhase[] = [];
    const own = context();
    const engine = executor({ context: own }).addHook({ onPhaseChange: (phase) => void heard.push(phase) });
    engine.execute(g, { x: [1] });
    expect(() => engine.execute(g, { x: [[1]] })).to.throw(EinstreamError);
    expect(heard).to.deep.equal([
      'GraphLoad',
      'Preparing',
      'Execution',
      'Waiting',
      'Complete',
      'GraphLoad',
      'Preparing',
      'Execution',
      'Failed',
    ]);
    expect(engine.context).to.equal(own);
    expect(own.state).to.include({ run: 2, phase: 'Failed' });
  });

  it('closes its backend, and takes nothing else for one', async () => {
    let closed = 0;
    const backend = { ...nullBackend(), close: () => Promise.resolve(void closed++) };
    await executor({ backend }).close();
    expect(closed).to.equal(1);
    expect(() => executor({ backend: {} as never })).to.throw(EinstreamError, /a backend has/);
  });
});
