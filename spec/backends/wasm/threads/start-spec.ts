/** @file Where threads come from, what is said where there are none, and that none is left behind. */
import { expect } from 'chai';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { einsum, evaluateSync, graph, input, type Backend } from '../../../../src/index.js';
import { surroundings, type Helper, type Surroundings } from '../../../../src/backends/wasm/threads/start.js';
import { wasmOn } from '../../../../src/backends/wasm/threads/wasm-on.js';
import { wasmBy } from '../../../../src/backends/wasm/wasm.js';
import { buildWorker, workerText } from '../../../support/builtWorker.js';
import { runBundled } from '../../../support/bundled.js';
import { isLarge } from '../../../support/property.js';
import { projectRoot } from '../../../support/sourceFiles.js';

const g = graph({ x: input([2, 2]) }, ({ x }) => ({ y: einsum('ij,jk->ik', x, x) }));
const expectComputes = (backend: Backend): unknown =>
  expect(evaluateSync(g, { x: [[1, 2], [3, 4]] }, { backend }).y.toArray()).to.deep.equal([[7, 10], [15, 22]]); // prettier-ignore

/** A place of so many workers, which do nothing. */
function place(workers: number, obstacle?: string) {
  const seen = { started: 0, stopped: 0 };
  const helper: Helper = {
    order: () => undefined,
    stop: () => Promise.resolve(void seen.stopped++),
    whenLost: () => undefined,
  };
  const start = (): Promise<Helper> =>
    ++seen.started > workers ? Promise.reject(new Error('there are no more')) : Promise.resolve(helper);
  return { seen, surroundings: { obstacle: () => obstacle, start, mayWait: true } satisfies Surroundings };
}

describe('threads of the wasm backend, where there are none', () => {
  it('are one, and it says why: no shared memory, no isolation, no worker that starts', async () => {
    for (const reason of ['SharedArrayBuffer is missing here', 'the page is not cross-origin isolated']) {
      const { surroundings: here, seen } = place(9, reason);
      const backend = await wasmOn(here, { threads: 4 });
      const { devices, remarks } = backend.capabilities;
      expect([devices.length, ...remarks.slice(0, 2)]).to.deep.equal([
        1,
        'one thread computes',
        `1 of the 4 threads that were asked for, because ${reason}`,
      ]);
      expect(seen.started).to.equal(0);
      expectComputes(backend);
      await backend.close();
    }
    const { surroundings: here } = place(0);
    const backend = await wasmOn(here, { threads: 2 });
    expect(backend.capabilities.remarks[1]).to.equal(
      '1 of the 2 threads that were asked for, because a worker did not start (there are no more)',
    );
    expectComputes(backend);
  });

  it('are one where their code, which is loaded by itself, does not come', async () => {
    const backend = await wasmBy(() => Promise.reject(new Error('the network is down')), { threads: 3 });
    expect(backend.capabilities.remarks.slice(0, 2)).to.deep.equal([
      'one thread computes',
      '1 of the 3 threads that were asked for, because their code cannot be loaded (the network is down)',
    ]);
    expectComputes(backend);
    await backend.close();
  });

  it('are as many as start, and end with the backend', async () => {
    const { surroundings: here, seen } = place(2);
    const backend = await wasmOn(here, { threads: 5 });
    const { devices, remarks } = backend.capabilities;
    expect(devices).to.have.length(3);
    expect(remarks.slice(0, 2)).to.deep.equal([
      '3 threads compute',
      '3 of the 5 threads that were asked for, because a worker did not start (there are no more)',
    ]);
    expectComputes(backend);
    await backend.close();
    expect(seen.stopped).to.equal(2);
  });

  it('are ended at once when there is no memory for them to share', async () => {
    const { surroundings: here, seen } = place(2);
    const { Memory } = WebAssembly;
    try {
      WebAssembly.Memory = class extends Memory {
        constructor(descriptor: WebAssembly.MemoryDescriptor) {
          if (descriptor.shared === true) throw new RangeError('no more memory');
          super(descriptor);
        }
      };
      const code = await wasmOn(here, { threads: 3 }).catch(({ code }: { readonly code: string }) => code);
      expect([code, seen.stopped]).to.deep.equal(['E_OOM', 2]);
    } finally {
      WebAssembly.Memory = Memory;
    }
  });

  it('are told by what the realm has: its isolation, shared memory', () => {
    const scope = globalThis as { crossOriginIsolated?: boolean; SharedArrayBuffer?: unknown };
    const { SharedArrayBuffer: kept } = globalThis;
    expect(surroundings().obstacle()).to.equal(undefined);
    expect(surroundings().mayWait).to.equal(true);
    try {
      scope.crossOriginIsolated = false;
      expect(surroundings().obstacle()).to.equal('the page is not cross-origin isolated');
      delete scope.crossOriginIsolated;
      delete scope.SharedArrayBuffer;
      expect(surroundings().obstacle()).to.equal('SharedArrayBuffer is missing here');
      expect(surroundings().mayWait).to.equal(false);
    } finally {
      scope.SharedArrayBuffer = kept;
      delete scope.crossOriginIsolated;
    }
  });
});

describe("the worker's file", () => {
  before(buildWorker);

  it('lies in dist as its source has it, alone: it imports nothing', () => {
    const path = join(projectRoot, 'dist/backends/wasm/threads/wasm-worker.js');
    expect(existsSync(path)).to.equal(true);
    expect(readFileSync(path, 'utf8')).to.equal(workerText());
    expect(workerText()).to.not.match(/\b(import|require)\s*[('"{*]/);
  });
});

if (isLarge()) {
  describe('threads of a process', function () {
    this.timeout(60_000);
    before(buildWorker);

    it('end with their backend, or when it is garbage, and keep no process alive', () => {
      const said = JSON.parse(runBundled('spec/support/children/threads.ts', [], 'src/backends/wasm/threads/start.ts')) as {
        readonly [name: string]: unknown;
      };
      expect(said).to.deep.include({
        closed: said['before'],
        dropped: said['before'],
        results: [200],
        said: '3 threads compute',
      });
      if (said['before'] !== 0) expect(said['open']).to.be.greaterThan(said['before'] as number);
    });
  });
}
