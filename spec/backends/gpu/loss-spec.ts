/**
 * @file Devices that are lost, run full or refuse a command: on a stand-in that does so in silence, as gpu.js does.
 */
import { expect } from 'chai';
import { defer, from, lastValueFrom, map, mergeMap, retry, timer, toArray } from 'rxjs';
import {
  einsum,
  evaluate,
  exp,
  graph,
  input,
  mul,
  param,
  relu,
  tensor,
  type Backend,
  type EinstreamError,
  type Graph,
} from '../../../src/index.js';
import { backendOver } from '../../../src/backends/gpu/gpu.js';
import { gpuStatistics } from '../../../src/gpu.js';
import { liveMemory } from '../../../src/run/index.js';
import { DEVICE_WORKS, outcomeOfWork } from '../../support/deviceWork.js';
import { fakeDevice, type FakeDevice } from '../../support/fakeLibrary.js';
import { propertyRuns } from '../../support/property.js';

const chain = graph({ x: input(['n']), w: param(tensor([2, 3])) }, ({ x, w }) => ({
  y: exp(einsum('n,w->nw', relu(x), w)),
}));

const rightFor = (x: number): string => JSON.stringify([[Math.exp(2 * x), Math.exp(3 * x)].map(Math.fround)]);

/** After so many turns of the microtask queue. */
const turns = async (count: number): Promise<void> => {
  for (let at = 0; at < count; at++) await Promise.resolve();
};

for (const [row, mode] of [
  ['R1', 'webgl2'],
  ['R2', 'webgpu'],
] as const) {
  describe(`a device of mode ${mode}`, () => {
    let device: FakeDevice;
    let backend: Backend;
    beforeEach(() => {
      device = fakeDevice(mode);
      backend = backendOver(device.make, mode, { cacheSize: 256, readTimeout: 1_000 });
    });
    afterEach(async () => {
      await backend.close();
      expect(device.live(), 'handles after close').to.equal(0);
      expect(device.kernels(), 'kernels after close').to.equal(0);
      expect(liveMemory()).to.deep.equal({ frames: 0, bytes: 0 });
    });

    /** What a frame gives, or the code of its error. */
    const outcomeOf = (x: number): Promise<string> =>
      evaluate(chain, { x: [x] }, { backend, level: 'none' }).then(
        ({ y }) => JSON.stringify(y.toArray()),
        ({ code }: EinstreamError) => code,
      );

    it(`that is lost between frames fails one of them, its handles are forgotten, and params are brought to the next (${row})`, async () => {
      expect(await outcomeOf(1)).to.equal(rightFor(1));
      device.lose();
      expect(await outcomeOf(1)).to.equal('E_BACKEND_LOST');
      expect(gpuStatistics(backend)).to.include({ handles: 0, handleBytes: 0, kernels: 0, uploads: 1 });
      expect(await outcomeOf(0.5)).to.equal(rightFor(0.5));
      expect(gpuStatistics(backend)).to.include({ handles: 1, uploads: 2 });
    });

    it(`that is lost at any moment fails frames in flight, and never gives zeros for what went with it (${row})`, async () => {
      const codes = new Map<string, number>();
      for (let moment = propertyRuns(3, 0, 0); moment < propertyRuns(40, 300, 300); moment += propertyRuns(4, 1, 1)) {
        const xs = [0.25, 0.5, 0.75, 1];
        const inFlight = xs.map(outcomeOf);
        await turns(moment);
        device.lose();
        for (const [at, outcome] of (await Promise.all(inFlight)).entries()) {
          const isRight = outcome === rightFor(xs[at]);
          if (!isRight) expect(outcome, `lost after ${moment} turns`).to.equal('E_BACKEND_LOST');
          const key = isRight ? 'right' : outcome;
          codes.set(key, (codes.get(key) ?? 0) + 1);
        }
        // The frame that finds out may be this one.
        const next = await outcomeOf(0.5);
        if (next !== rightFor(0.5)) expect(next).to.equal('E_BACKEND_LOST');
        expect(await outcomeOf(0.5), `after ${moment} turns`).to.equal(rightFor(0.5));
      }
      console.log(`      ${mode}: ${[...codes].map(([outcome, count]) => `${count} ${outcome}`).join(', ')}`);
      expect([...codes.keys()].sort()).to.deep.equal(['E_BACKEND_LOST', 'right']);
    });

    for (const work of DEVICE_WORKS) {
      it(`that is lost at any moment never gives zeros for ${work.title} that lay there (${row})`, async () => {
        const outcomes: string[] = [];
        const count = propertyRuns(6, 120, 480);
        for (let at = 0; at < count; at++) {
          const moment = Math.floor((at * 120) / count);
          // Some find out while others are between two kernels.
          const inFlight = [0, 9, 23].map(async (late) => {
            await turns(late);
            return outcomeOfWork(work, backend);
          });
          await turns(moment);
          device.lose();
          outcomes.push(...(await Promise.all(inFlight)));
          await outcomeOfWork(work, backend);
          expect(await outcomeOfWork(work, backend), `after ${moment} turns`).to.equal('right');
        }
        expect([...new Set(outcomes)].sort()).to.deep.equal(['E_BACKEND_LOST', 'right']);
      });
    }

    it(`that is lost while params are on their way keeps none that arrive late (${row})`, async () => {
      const plain = graph({ x: input([1]) }, ({ x }) => ({ y: exp(relu(x)) }));
      for (let late = 0; late < 20; late += propertyRuns(4, 1, 1)) {
        for (let moment = 0; moment < propertyRuns(6, 20, 20); moment++) {
          const scaled = graph({ x: input([1]), w: param(tensor([3])) }, ({ x, w }) => ({ y: mul(x, w) }));
          const outcome = (work: Graph): Promise<unknown> =>
            evaluate(work, { x: [2] }, { backend, level: 'none' }).then(
              ({ y }) => y.data[0],
              ({ code }: EinstreamError) => code,
            );
          // The first finds out while the param of the second is on its way.
          const inFlight = [outcome(plain)];
          await turns(late);
          inFlight.push(outcome(scaled));
          await turns(moment);
          device.lose();
          await Promise.all(inFlight);
          expect(await outcome(scaled), `after ${late} and ${moment} turns`).to.be.oneOf([6, 'E_BACKEND_LOST']);
          expect(await outcome(scaled), `after ${late} and ${moment} turns`).to.equal(6);
        }
      }
    });

    it(`that is lost again and again loses no frame that is tried again (${row}, lost = 0)`, async () => {
      const xs = Array.from({ length: 40 }, (_, at) => at / 40);
      const outcomes = await lastValueFrom(
        from(xs).pipe(
          mergeMap((x, at) => {
            let isFirst = at % 10 === 5;
            return defer(() => {
              if (isFirst) device.lose();
              isFirst = false;
              return evaluate(chain, { x: [x] }, { backend, level: 'none' });
            }).pipe(
              retry({ count: 5, delay: () => timer(0) }),
              map(({ y }) => [2, 3].every((w, k) => Math.abs(Number(y.data[k]) - Math.exp(w * x)) <= 1e-5 * Math.exp(w * x))),
            );
          }, 4),
          toArray(),
        ),
      );
      expect(outcomes).to.deep.equal(xs.map(() => true));
    });

    it(`that runs out of memory in silence is E_OOM, once: nobody tries again (R3)`, async () => {
      expect(await outcomeOf(1)).to.equal(rightFor(1));
      device.silence = 'memory';
      const { launches } = gpuStatistics(backend);
      expect(await outcomeOf(1)).to.equal('E_OOM');
      expect(gpuStatistics(backend).launches - launches).to.be.at.most(3);
      expect(await outcomeOf(1)).to.equal(rightFor(1));
    });

    it('whose textures or buffers are too small for a value is E_OOM (R3)', async () => {
      for (const failure of [
        'Texture size [9000, 9000] larger than supported [8192, 8192]',
        'WebGPU backend: output [9] needs 36 bytes but this device allows 8 per storage buffer',
      ]) {
        device.failure = failure;
        const { launches } = gpuStatistics(backend);
        expect(await outcomeOf(1)).to.equal('E_OOM');
        expect(gpuStatistics(backend).launches - launches).to.be.at.most(1);
      }
      device.failure = undefined;
      expect(await outcomeOf(1)).to.equal(rightFor(1));
    });
  });
}

describe('a device of mode webgpu', () => {
  const device = fakeDevice('webgpu');
  const backend = backendOver(device.make, 'webgpu', { cacheSize: 256, readTimeout: 1_000 });
  const failing = (): Promise<EinstreamError> =>
    evaluate(chain, { x: [1] }, { backend }).then(
      ({ y }) => expect.fail(`it gave ${y.toArray()}`),
      (error: unknown) => error as EinstreamError,
    );
  after(() => backend.close());

  it('that refuses a command is E_KERNEL with its words: the result that it did not compute is not believed (R2)', async () => {
    await evaluate(chain, { x: [1] }, { backend });
    device.silence = 'validation';
    const error = await failing();
    expect(error.code).to.equal('E_KERNEL');
    expect(error.message).to.match(/the command is invalid/);
    expect(JSON.stringify((await evaluate(chain, { x: [1] }, { backend })).y.toArray())).to.equal(rightFor(1));
  });

  it('whose buffer is not mapped is an error, and the frame is let go of (R2)', async () => {
    device.isSlow = true;
    const late = failing();
    await new Promise((resolve) => setTimeout(resolve, 10));
    device.failure = 'OperationError: the buffer could not be mapped';
    device.isSlow = false;
    device.answer();
    expect((await late).code).to.equal('E_KERNEL');
    device.failure = undefined;
    expect(liveMemory()).to.deep.equal({ frames: 0, bytes: 0 });
    expect(device.live(), 'the params alone').to.equal(1);
  });
});
