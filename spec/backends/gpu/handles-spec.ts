/**
 * @file Live handles of a gpu backend after many frames: as many as after the first, however the frames end.
 */
import { expect } from 'chai';
import { concatMap, from, lastValueFrom, NEVER, of, startWith } from 'rxjs';
import { evaluate, evaluateSync, exp, graph, input, mul, param, relu, run, tensor, type EinstreamError } from '../../../src/index.js'; // prettier-ignore
import { backendOver } from '../../../src/backends/gpu/gpu.js';
import { gpu, gpuStatistics } from '../../../src/gpu.js';
import { liveMemory } from '../../../src/run/index.js';
import { fakeDevice } from '../../support/fakeLibrary.js';
import { propertyRuns } from '../../support/property.js';

const chain = graph({ x: input([2]), w: param(tensor([2, 3])) }, ({ x, w }) => ({ y: exp(mul(relu(x), w)) }));
const feeds = { x: [0, 1] };
const tick = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('handles of a gpu backend (R6, L14)', function () {
  this.timeout(120_000);
  const count = propertyRuns(300, 10_000, 100_000);
  const device = fakeDevice('webgpu');
  const backend = backendOver(device.make, 'webgpu', { cacheSize: 256, readTimeout: 1_000 });
  const hasty = backendOver(device.make, 'webgpu', { cacheSize: 256, readTimeout: 0.001 });
  const codeOf = (by: typeof backend): Promise<string> =>
    evaluate(chain, feeds, { backend: by, level: 'none' }).then(
      () => 'a value',
      ({ code }: EinstreamError) => code,
    );

  before(async () => {
    expect([await codeOf(backend)]).to.deep.equal(['a value']);
    device.isSlow = true;
    expect(await codeOf(hasty)).to.equal('E_TIMEOUT');
    device.isSlow = false;
    device.answer();
    await tick();
  });
  /** The params of both, and nothing else. */
  afterEach(() => {
    expect([gpuStatistics(backend).handles, gpuStatistics(hasty).handles, device.live()]).to.deep.equal([1, 1, 2]);
    expect(liveMemory()).to.deep.equal({ frames: 0, bytes: 0 });
  });
  after(async () => {
    await Promise.all([backend.close(), hasty.close()]);
    expect([device.live(), device.kernels()]).to.deep.equal([0, 0]);
  });

  it(`do not grow over ${count} frames that end`, async () => {
    let seen = 0;
    await lastValueFrom(
      from(Array.from({ length: count }, () => feeds)).pipe(
        run(chain, { backend }),
        concatMap(() => of(seen++)),
      ),
    );
    expect(seen).to.equal(count);
  });

  it(`do not grow over ${count} frames that nobody waits for any more`, async () => {
    for (let at = 0; at < count; at++) {
      const subscription = NEVER.pipe(startWith(feeds), run(chain, { backend, level: 'none' })).subscribe();
      for (let turn = 0; turn < at % 40; turn++) await Promise.resolve();
      subscription.unsubscribe();
      if (at % 100 === 99) await tick();
    }
    await tick();
  });

  it(`do not grow over ${count / 10} frames that fail, at any kernel`, async () => {
    for (let at = 0; at < count / 10; at++) {
      const failed = codeOf(backend);
      for (let turn = 0; turn < at % 40; turn++) await Promise.resolve();
      device.failure = 'the shader went astray in an unknown way';
      await failed;
      device.failure = undefined;
    }
    expect(await codeOf(backend)).to.equal('a value');
  });

  it(`do not grow over ${count / 10} frames that time out, nor when the device answers at last`, async () => {
    device.isSlow = true;
    for (let at = 0; at < count / 10; at++) expect(await codeOf(hasty)).to.equal('E_TIMEOUT');
    device.isSlow = false;
    device.answer();
    await tick();
  });

  it(`are none in a mode without a device: ${count} frames`, async () => {
    const host = await gpu({ mode: 'cpu' });
    for (let at = 0; at < count; at++) evaluateSync(chain, feeds, { backend: host });
    expect(gpuStatistics(host)).to.include({ handles: 0, handleBytes: 0, kernels: 1 });
    await host.close();
  });
});
