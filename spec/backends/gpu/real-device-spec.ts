/**
 * @file Devices that are really there, on a software driver: what lies on them, and what becomes of it when they are lost.
 */
import { expect } from 'chai';
import { concatMap, defer, from, lastValueFrom, mergeMap, NEVER, of, retry, startWith, timer, toArray } from 'rxjs';
import {
  einsum,
  evaluate,
  exp,
  graph,
  input,
  js,
  param,
  relu,
  run,
  take as gather,
  tensor,
  type Backend,
  type EinstreamError,
} from '../../../src/index.js';
import { gpuStatistics } from '../../../src/gpu.js';
import { liveMemory } from '../../../src/run/index.js';
import { DEVICE_WORKS, outcomeOfWork } from '../../support/deviceWork.js';
import { DEVICE_MODES, openGpu, openOrSkip, type Opened } from '../../support/gpuModes.js';
import { namesReachNothing } from '../../support/namesOnDevice.js';
import { isLarge, propertyRuns } from '../../support/property.js';
import { watchDevice, type RealDevice } from '../../support/realDevice.js';

const chain = graph({ x: input(['n']), w: param(tensor([2, 3])) }, ({ x, w }) => ({
  y: exp(einsum('n,w->nw', relu(x), w)),
}));
const failing = graph({ x: input([3]), i: input([1], { dtype: 'int32' }) }, ({ x, i }) => ({ y: exp(gather(relu(x), i)) }));

const isRight = (x: number, y: readonly number[]): boolean =>
  [Math.exp(2 * x), Math.exp(3 * x)].every((want, at) => Math.abs(y[at] - want) <= 1e-5 * want);

// A software driver takes seconds for it.
for (const mode of isLarge() ? DEVICE_MODES : []) {
  describe(`a device that is there, mode ${mode}`, function () {
    this.timeout(120_000);
    let opened: Opened;
    let backend: Backend;
    let device: RealDevice;
    before(async function () {
      opened = await openOrSkip(this, mode);
      ({ backend } = opened);
      device = watchDevice(mode);
    });
    after(async () => {
      device?.unwatch();
      await opened?.close();
      expect(liveMemory()).to.deep.equal({ frames: 0, bytes: 0 });
    });

    /** Whether a frame gives what it should, or the code of its error. */
    const outcomeOf = (x: number): Promise<string> =>
      evaluate(chain, { x: [x] }, { backend, level: 'none' }).then(
        ({ y }) => (isRight(x, [...(y.data as Float32Array)]) ? 'right' : `wrong: ${y.toArray()}`),
        ({ code }: EinstreamError) => code,
      );

    it('keeps values between nodes: a chain of three reads back once, and brings its params once', async () => {
      const before = gpuStatistics(backend);
      for (const x of [0, 0.5, 1]) expect(await outcomeOf(x)).to.equal('right');
      const after = gpuStatistics(backend);
      expect([after.readbacks - before.readbacks, after.uploads - before.uploads, after.launches - before.launches]).to.deep.equal([3, 1, 9]); // prettier-ignore
      expect(after.handles).to.equal(1);
    });

    it('holds no more after many frames than after the first, whether they end, fail or are unsubscribed from', async function () {
      this.timeout(600_000);
      const count = propertyRuns(200, 1_000, 10_000);
      await outcomeOf(1);
      const before = gpuStatistics(backend);
      let seen = 0;
      await lastValueFrom(
        from(Array.from({ length: count }, (_, at) => ({ x: [at % 2] }))).pipe(
          run(chain, { backend }),
          concatMap(() => of(seen++)),
        ),
      );
      expect(seen).to.equal(count);
      for (let at = 0; at < count / 10; at++) {
        const code = await evaluate(failing, { x: [1, 2, 3], i: [9] }, { backend }).catch(
          ({ code: each }: EinstreamError) => each,
        );
        expect(code).to.equal('E_SHAPE');
        const subscription = NEVER.pipe(startWith({ x: [1] }), run(chain, { backend })).subscribe();
        await new Promise((resolve) => setTimeout(resolve, at % 3));
        subscription.unsubscribe();
      }
      // What was in flight ends by itself.
      await outcomeOf(1);
      await new Promise((resolve) => setTimeout(resolve, 200));
      const after = gpuStatistics(backend);
      console.log(
        `      ${mode}: ${count} frames, ${after.launches - before.launches} launches, ${after.handles - before.handles} more handles`,
      );
      expect([after.handles, after.handleBytes]).to.deep.equal([before.handles, before.handleBytes]);
    });

    it('that is lost between frames fails one, and the next ones run on another (R1, R2)', async () => {
      expect(await outcomeOf(1)).to.equal('right');
      device.lose();
      await timerOf(20);
      expect(await outcomeOf(1)).to.equal('E_BACKEND_LOST');
      expect(gpuStatistics(backend)).to.include({ handles: 0, handleBytes: 0 });
      const { uploads } = gpuStatistics(backend);
      expect(await outcomeOf(0.5)).to.equal('right');
      expect(gpuStatistics(backend)).to.include({ handles: 1, uploads: uploads + 1 });
    });

    it('that is lost at any moment fails frames in flight, and no frame is wrong (R1, R2)', async () => {
      const outcomes: string[] = [];
      for (let moment = 0; moment < 15; moment++) {
        const inFlight = [0.25, 0.5, 0.75, 1].map(outcomeOf);
        if (moment < 5) for (let at = 0; at < 4 * moment; at++) await Promise.resolve();
        else await timerOf(moment - 5);
        device.lose();
        outcomes.push(...(await Promise.all(inFlight)));
        if ((await outcomeOf(1)) !== 'right') expect(await outcomeOf(1)).to.equal('right');
      }
      const count = (outcome: string): number => outcomes.filter((each) => each === outcome).length;
      console.log(`      ${mode}: ${count('right')} right, ${count('E_BACKEND_LOST')} lost, of ${outcomes.length}`);
      expect(outcomes.filter((each) => each !== 'right' && each !== 'E_BACKEND_LOST')).to.deep.equal([]);
      expect(count('E_BACKEND_LOST')).to.be.greaterThan(0);
    });

    for (const work of DEVICE_WORKS) {
      it(`that is lost at any moment never gives zeros for ${work.title} that lay there (R1, R2)`, async () => {
        const outcomes: string[] = [];
        for (let moment = 0; moment < 12; moment++) {
          const inFlight = [work, work].map((each) => outcomeOfWork(each, backend));
          if (moment < 6) for (let at = 0; at < 5 * moment; at++) await Promise.resolve();
          else await timerOf(3 ** (moment - 6));
          device.lose();
          outcomes.push(...(await Promise.all(inFlight)));
          if ((await outcomeOfWork(work, backend)) !== 'right') expect(await outcomeOfWork(work, backend)).to.equal('right');
        }
        const lost = outcomes.filter((each) => each === 'E_BACKEND_LOST').length;
        console.log(`      ${mode}, ${work.title}: ${outcomes.length - lost} right, ${lost} lost`);
        expect(outcomes.filter((each) => each !== 'right' && each !== 'E_BACKEND_LOST')).to.deep.equal([]);
        expect(lost).to.be.greaterThan(0);
      });
    }

    it('loses no frame that is tried again, there or on js (R1, R2)', async () => {
      const frames = Array.from({ length: 20 }, (_, at) => at / 20);
      const results = await lastValueFrom(
        from(frames).pipe(
          mergeMap((x, at) => {
            let attempt = 0;
            return defer(() => {
              if (attempt++ === 0 && at % 5 === 2) device.lose();
              return evaluate(chain, { x: [x] }, { backend: attempt < 4 ? backend : js(), level: 'none' });
            }).pipe(
              retry({ count: 4, delay: () => timer(1) }),
              concatMap(({ y }) => of({ x, y: [...(y.data as Float32Array)] })),
            );
          }, 3),
          toArray(),
        ),
      );
      expect(results).to.have.length(frames.length);
      for (const { x, y } of results) expect(isRight(x, y), String(x)).to.equal(true);
    });

    it('is given nothing to compile that is new, whatever the names of a graph are (J2)', async () => {
      await namesReachNothing(backend, device);
    });

    if (mode === 'webgpu') {
      it('that refuses a command gives no result of it: E_KERNEL with its words (R2)', async () => {
        expect(await outcomeOf(1)).to.equal('right');
        device.confuse();
        const error = await evaluate(chain, { x: [1] }, { backend }).catch((each: unknown) => each as EinstreamError);
        expect(error).to.have.property('code', 'E_KERNEL');
        expect((error as EinstreamError).message).to.match(/invalid/);
        expect(await outcomeOf(1)).to.equal('right');
      });
    } else {
      it('is not taken away by others that were made and closed: a page has sixteen contexts to give', async () => {
        for (let at = 0; at < 20; at++) {
          const other = (await openGpu(mode)) as Opened;
          await evaluate(chain, { x: [1] }, { backend: other.backend });
          await other.close();
        }
        expect(await outcomeOf(1)).to.equal('right');
      });
    }
  });
}

const timerOf = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));
