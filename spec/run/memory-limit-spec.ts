/** @file A ceiling of memory: what is more is refused at planning, before any of it is allocated. */
import { expect } from 'chai';
import { of } from 'rxjs';
import {
  broadcastTo,
  estimateMemory,
  evaluate,
  evaluateSync,
  exp,
  graph,
  input,
  js,
  live,
  outer,
  pad,
  run,
  sum,
  tensor,
  tile,
  type Backend,
  type Graph,
  type GraphSymbol,
} from '../../src/index.js';
import { runBundled } from '../support/bundled.js';
import { isLarge } from '../support/property.js';
import { thrownBy } from '../support/thrownBy.js';
import { watch } from '../support/watch.js';
import { weighed } from '../support/weighed.js';

const x = new Float32Array(1000);

describe('memoryLimit', function () {
  this.timeout(60_000);
  const g = graph({ x: input([1000]) }, ({ x: given }) => ({ y: sum(exp(outer(given, given))) }));
  const needed = estimateMemory(g, {}, { backend: js(), level: 'none' }).peakBytes;

  it('lets through what fits to the byte, and refuses a byte more with E_OOM and both numbers', () => {
    const options = { backend: js(), level: 'none', memoryLimit: needed } as const;
    expect(evaluateSync(g, { x }, options)['y'].toArray()).to.equal(1e6);
    const { code, message, nodeId } = thrownBy(() => evaluateSync(g, { x }, { ...options, memoryLimit: needed - 1 }));
    expect({ code, nodeId }).to.deep.equal({ code: 'E_OOM', nodeId: undefined });
    expect(message)
      .to.include(`(${needed - 1} bytes)`)
      .and.to.include(`${needed} bytes`)
      .and.to.include('rematerialise');
    expect(thrownBy(() => estimateMemory(g, {}, { ...options, memoryLimit: needed - 1 })).code).to.equal('E_OOM');
  });

  it('allocates nothing of what it refuses, on a stream too, and goes on with what fits elsewhere', async () => {
    const { backend, taken } = weighed();
    const options = { backend, memoryLimit: 10_000 } as const;
    const { values, error } = watch(of({ x }).pipe(run(g, options)));
    expect(values).to.deep.equal([]);
    expect(error).to.include({ code: 'E_OOM' });
    expect(watch(live(g, { x: of(x) }, options)).error ?? (await evaluate(g, { x }, options).catch((e: unknown) => e))).to.include({ code: 'E_OOM' }); // prettier-ignore
    expect(taken()).to.equal(0);
    const sized = graph({ x: input(['n']) }, ({ x: given }) => ({ y: sum(exp(given)) }));
    const feeds = [10, 5000, 10].map((length) => ({ x: new Float32Array(length) }));
    const fits = feeds.map((feed) => watch(of({ x: [...feed.x] }).pipe(run(sized, options))).error === undefined);
    expect(fits).to.deep.equal([true, false, true]);
  });

  it('is an integer of bytes', () => {
    for (const memoryLimit of [0, -1, 1.5, NaN, Infinity, '1 GB' as unknown as number])
      expect(thrownBy(() => run(g, { memoryLimit })).code).to.equal('E_ARGUMENT');
    expect(thrownBy(() => run(g, { placement: 'worstFit' as 'auto' })).code).to.equal('E_ARGUMENT');
  });

  if (isLarge())
    it('keeps a process below it: twice as much is E_OOM, and what is made to fit runs within 64 MB more (R9)', () => {
      const told = JSON.parse(runBundled('spec/support/children/ceiling.ts')) as Record<string, number | string | boolean>;
      const {
        ceiling,
        needed: asked,
        refused,
        whenRefused,
        whenRun,
        right,
      } = told as Record<string, number> & { refused: string };
      expect({ refused, right }).to.deep.equal({ refused: 'E_OOM', right: true });
      expect(asked).to.be.at.least(2 * ceiling);
      expect(whenRefused).to.be.at.most(64e6);
      expect(whenRun).to.be.at.most(ceiling + 64e6);
      const mib = (bytes: number): string => `${(bytes / 2 ** 20).toFixed(0)} MiB`;
      console.log(
        `      ceiling ${mib(ceiling)}, needed ${mib(asked)}: ${mib(whenRefused)} when refused, ${mib(whenRun)} when run`,
      );
    });
});

describe('amplification (G5)', () => {
  /** Each some thousand million elements, under the limit of one tensor, and together more than a run may hold. */
  const many = (make: (x: GraphSymbol, at: number) => GraphSymbol): Graph =>
    graph({ x: input([1000]) }, ({ x: given }) =>
      Object.fromEntries(Array.from({ length: 8 }, (_, at) => [`y${at}`, make(given, at)])),
    );
  const bombs: Readonly<Record<string, () => Graph>> = {
    tile: () => many((given, at) => tile(given, { reps: [1_000_000 + at] })),
    broadcast: () => many((given, at) => exp(broadcastTo(given, { shape: [1_000_000 + at, 1000] }))),
    pad: () => many((given, at) => pad(given, { pads: [[0, 1_000_000_000 + at]] })),
    outer: () => many((given, at) => outer(given, tile(given, { reps: [1000 + at] }))),
  };
  for (const [name, make] of Object.entries(bombs))
    for (const level of ['none', 'standard'] as const)
      it(`refuses ${name} from a thousand elements to thousands of millions at planning, at ${level}`, () => {
        const g = make();
        const { backend, taken } = weighed();
        const before = process.memoryUsage().arrayBuffers;
        for (const on of [backend, undefined] as readonly (Backend | undefined)[]) {
          const { code, message } = thrownBy(() => evaluateSync(g, { x }, { backend: on, level }));
          expect(code).to.equal('E_LIMIT');
          expect(message).to.match(/at most 16 GiB.*memoryLimit/s);
        }
        expect(thrownBy(() => estimateMemory(g, {}, { backend, level })).code).to.equal('E_LIMIT');
        expect(taken()).to.equal(0);
        expect(process.memoryUsage().arrayBuffers - before).to.be.below(2 ** 20);
        // Whoever has the memory may say so, and learns how much it would be.
        const { outputBytes } = estimateMemory(g, {}, { backend, level, memoryLimit: 2 ** 40 });
        expect(outputBytes).to.be.within(8 * 4e9 - 1e9, 8 * 4.1e9);
      });

  it('refuses what is too large by itself before that, at the shape', () => {
    const g = graph({ x: input(['n']) }, ({ x: given }) => ({ y: tile(given, { reps: [1_000_000_000] }) }));
    const thrown = thrownBy(() => evaluateSync(g, { x: tensor(x) }));
    expect(thrown.code).to.equal('E_LIMIT');
    expect(thrown.message).to.include('tile').and.to.include('2147483647 elements');
  });
});
