/** @file The protocol between the threads: each part once, nobody waits for a worker that is not there, and what fails is told. */
import { expect } from 'chai';
import type { KernelIR } from '../../../../src/codegen/ir.js';
import type { Helper } from '../../../../src/backends/wasm/threads/start.js';
import type { Places } from '../../../../src/backends/wasm/threads/wasm-worker.js';
import { s } from '../../../../src/ops/scalar.js';
import { Tensor } from '../../../../src/tensor/tensor.js';
import { threadedWasm, type ThreadedOptions, type ThreadedWasm } from '../../../support/threadedWasm.js';
import { thrownBy } from '../../../support/thrownBy.js';

/** One more than what lies there, in place: a part that is computed twice or never shows. */
const increment = (rows = 8, stride = 2): KernelIR => {
  const access = { dtype: 'float32' as const, strides: [stride, 1], offset: 0 };
  const result = s.add(s.operand(0), 1);
  return { kind: 'nest', extents: [rows, 2], outer: 2, inputs: [access], folds: [], result, emits: 'group', output: access };
};

function counter({ backend }: ThreadedWasm, rows = 8) {
  const kernel = backend.compile(increment(rows));
  const x = backend.allocate([rows, 2], 'float32');
  return {
    step: () => void kernel.run([x], [x]),
    expectAll: (value: number) => expect([...new Set(x.data as Float32Array)]).to.deep.equal([value]),
  };
}

/** A worker that takes no part, as one that died. */
const absent = (seen: { places?: Places; stopped?: number; lose?: () => void } = {}): Helper => ({
  order: ({ places }) => void (seen.places = places),
  stop: () => Promise.resolve(void (seen.stopped = (seen.stopped ?? 0) + 1)),
  whenLost: (act) => void (seen.lose = act),
});

describe('threads on one kernel', function () {
  this.timeout(30_000);
  const opened: ThreadedWasm[] = [];
  const open = async (options: ThreadedOptions): Promise<ThreadedWasm> => {
    const kit = await threadedWasm({ limit: 2 ** 22, ...options });
    opened.push(kit);
    return kit;
  };
  afterEach(async () => void (await Promise.all(opened.splice(0).map(({ backend }) => backend.close()))));

  it('compute each part once, over thousands of kernels that follow at once or after a while', async () => {
    const kit = await open({ threads: 3, pause: 0 });
    const [few, many] = [counter(kit), counter(kit, 200)];
    for (let turn = 1; turn <= 3000; turn++) {
      for (const { step } of [few, many]) step();
      if (turn % 300 === 0) await new Promise((resolve) => setTimeout(resolve, 1));
    }
    few.expectAll(3000);
    many.expectAll(3000);
    console.log(`        ${kit.counted.parts} parts, ${kit.counted.own} of them here`);
  });

  it('are done by this one alone where no worker takes a part, and no later where it is told that there is none', async () => {
    const seen: Parameters<typeof absent>[0] = {};
    const kit = await open({ helpers: [absent(seen)], pause: 0 });
    const { step, expectAll } = counter(kit);
    for (let turn = 0; turn < 10; turn++) step();
    seen.lose!();
    for (let turn = 0; turn < 10; turn++) step();
    expectAll(20);
    expect(kit.counted.own).to.equal(kit.counted.parts);
  });

  it('give a worker that died with a part up with E_WORKER_LOST, and go on without it', async () => {
    const seen: Parameters<typeof absent>[0] = {};
    let dies = true;
    const kit = await open({
      helpers: [absent(seen)],
      patience: 30,
      pause: 0,
      own(part, { perform }, words) {
        if (dies) Atomics.sub(words, seen.places!.untaken, 1);
        dies = false;
        return perform(part);
      },
    });
    const { step } = counter(kit);
    expect(thrownBy(step)).to.have.property('code', 'E_WORKER_LOST');
    expect(seen.stopped, 'it is ended, should it live').to.equal(1);
    const later = counter(kit);
    for (let turn = 0; turn < 3; turn++) later.step();
    later.expectAll(3);
  });

  it('need no permission to wait: on the main thread of a page Atomics.wait is never called', async () => {
    const kit = await open({ mayWait: false, pause: 0 });
    const { wait } = Atomics;
    const { step, expectAll } = counter(kit, 200);
    try {
      Atomics.wait = () => expect.fail('it waits');
      for (let turn = 0; turn < 500; turn++) step();
    } finally {
      Atomics.wait = wait;
    }
    expectAll(500);
  });

  it('tell what trapped on a worker, also when nothing did here', async () => {
    const kit = await open({ pause: 20, own: () => 0 });
    const x = kit.backend.allocate([1], 'float32');
    const astray = kit.backend.compile(increment(8, 2 ** 26));
    const far = new Tensor('float32', [], [], 2 ** 25, 1, x.buffer);
    expect(() => void astray.run([far], [far])).to.throw(WebAssembly.RuntimeError, 'memory access out of bounds');
  });

  it('compute here what an engine beside did not take', async () => {
    let isSpoilt = false;
    const kit = await open({
      pause: 20,
      before({ at }, words) {
        // Another number, so that the worker compiles anew, and bytes that are no module.
        if (isSpoilt) [words[at + 1], words[at + 3]] = [1000, 4];
      },
    });
    const { step, expectAll } = counter(kit);
    step();
    const { own, parts } = kit.counted;
    expect(own, 'a worker took some').to.be.lessThan(parts);
    isSpoilt = true;
    for (let turn = 0; turn < 3; turn++) step();
    expectAll(4);
    expect(kit.counted.own - own, 'and none of these').to.equal(3 * parts);
  });
});
