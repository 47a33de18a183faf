/** @file Batches by the facade: the operators' numbers, with the executor's options (F013–F015). */
import { expect } from 'chai';
import { context, evaluateSync, executor, graph, input, js, sum, type Runner, type RunOptions } from '../../src/index.js';
import { run } from '../../src/run/run.js';

const g = graph({ x: input(['n', 2]) }, ({ x }) => ({ y: sum(x, { axis: 1 }) }));
const batch = [1, 2, 3].map((k) => ({ x: [[k, 1], [k, 2]] })); // prettier-ignore
const wanted = batch.map((feeds) => evaluateSync(g, feeds).y.toArray());

describe('executor.executeBatch and executeBatchParallel (F013) (F014)', () => {
  it('give what single runs give, in order, with times', async () => {
    const engine = executor();
    for (const result of [
      await engine.executeBatch(g, batch),
      await engine.executeBatchParallel(g, batch),
      await engine.executeBatchParallel(g, batch, { concurrency: 2 }),
    ]) {
      expect(result.outputs.map((each) => each!.y.toArray())).to.deep.equal(wanted);
      expect([result.length, result.itemTimesMs.length, result.failures]).to.deep.equal([3, 3, []]);
    }
    expect((await engine.executeBatch(g, [])).isEmpty).to.equal(true);
  });

  it('let a feed that does not fit fail alone, or all with failFast', async () => {
    const engine = executor();
    const some = [batch[0], { x: [[1]] }, batch[2]];
    const { outputs, failures } = await engine.executeBatch(g, some);
    expect(outputs.map((each) => each?.y.toArray())).to.deep.equal([wanted[0], undefined, wanted[2]]);
    expect(failures.map(({ index }) => index)).to.deep.equal([1]);
    const failed = await engine.executeBatch(g, some, { failFast: true }).then(
      () => 'none',
      (error: { readonly code: string }) => error.code,
    );
    expect(failed).to.equal('E_FEED');
  });

  it('run on the executor’s backend, tell its hooks, and go over a pool instead when there is one', async () => {
    let kernels = 0;
    const reference = js();
    const backend = {
      ...reference,
      compile: (ir: Parameters<typeof reference.compile>[0]) => (kernels++, reference.compile(ir)),
    };
    let runs = 0;
    const own = context({ hooks: [{ onComplete: () => void runs++ }] });
    const engine = executor({ backend, context: own });
    await engine.executeBatch(g, batch);
    expect([kernels > 0, runs]).to.deep.equal([true, 3]);
    let asked = 0;
    const over: Runner = { run: (given) => (asked++, run(given, {} satisfies RunOptions)) };
    const { outputs } = await engine.executeBatchParallel(g, batch, { over });
    expect([asked, runs, outputs.map((each) => each!.y.toArray())]).to.deep.equal([1, 3, wanted]);
  });
});

describe('executor.optimalBatchSize (F014)', () => {
  it('is measured with the executor’s backend, grows with the budget, and tells no hook', async () => {
    let heard = 0;
    const engine = executor({ backend: js(), context: context({ hooks: [{ onPhaseChange: () => void heard++ }] }) });
    const sizes = [];
    for (const memoryBudget of [1, 100, 1e6]) sizes.push(await engine.optimalBatchSize(g, { memoryBudget, most: 64 }));
    expect(sizes[0]).to.equal(1);
    expect([...sizes].sort((a, b) => a - b)).to.deep.equal(sizes);
    expect(heard).to.equal(0);
  });
});
