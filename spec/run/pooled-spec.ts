/** @file Frames whose intermediate values lie in a pool: the same bits, memory that goes home, and other programs that have it next. */
import { expect } from 'chai';
import fc from 'fast-check';
import { from, map, NEVER, of, concat, take, throwError } from 'rxjs';
import { evaluateSync, exp, graph, input, js, liveMemory, memoryPool, run, softmax, sum, type Graph } from '../../src/index.js';
import { propertyRuns, propertySeed } from '../support/property.js';
import { randomGraph } from '../support/random-graph.js';
import { differentBits } from '../support/sameBits.js';
import { thrownBy } from '../support/thrownBy.js';
import { watch } from '../support/watch.js';

const rowsOf = (size: number): Graph => graph({ x: input([size]) }, ({ x }) => ({ y: sum(softmax(exp(softmax(x)))) }));
const feed = (size: number, n = 1) => ({ x: new Float32Array(size).fill(n) });

describe('js with a pool (F073)', () => {
  it('gives the bits that it gives without, on random graphs, copied and borrowed, and keeps nothing', () => {
    const pool = memoryPool();
    const backend = js({ pool });
    const options = fc.record({
      outputs: fc.constantFrom('copy', 'borrow'),
      level: fc.constantFrom('none', 'standard', 'aggressive'),
    });
    fc.assert(
      fc.property(randomGraph({ maxMoves: 20 }), options, ({ graph: g, feeds }, { outputs, level }) => {
        const want = evaluateSync(g, feeds, { backend: js(), level });
        let seen = 0;
        of(feeds, feeds)
          .pipe(run(g, { backend, level, outputs }))
          .subscribe((got) => {
            seen++;
            for (const [name, value] of Object.entries(want)) expect(differentBits(got[name], value), name).to.equal(undefined);
          });
        expect(seen).to.equal(2);
        expect(pool.stats()).to.include({ live: 0, liveBytes: 0 });
      }),
      { seed: propertySeed(), numRuns: propertyRuns(20, 1_000, 20_000) },
    );
    expect(pool.stats().allocations).to.equal(pool.stats().releases);
  });

  it('takes one piece a frame, as large as the plan says, which the next frame and other graphs have after it', () => {
    const pool = memoryPool();
    const backend = js({ pool });
    watch(from([1, 2, 3]).pipe(map((n) => feed(4096, n)), run(rowsOf(4096), { backend }))); // prettier-ignore
    expect(pool.stats()).to.include({ allocations: 3, reuses: 2, peak: 16384 });
    watch(of(feed(4000)).pipe(run(rowsOf(4000), { backend })));
    expect(pool.stats()).to.include({ allocations: 4, reuses: 3, live: 0 });
  });

  it('has it back after an error, and where a consumer leaves in the middle of a frame', () => {
    const pool = memoryPool();
    const frames$ = concat(
      of(feed(4096)),
      throwError(() => new Error('theirs')),
    );
    watch(frames$.pipe(run(rowsOf(4096), { backend: js({ pool }) })));
    const lent: boolean[] = [];
    concat(of(feed(4096)), NEVER)
      .pipe(run(rowsOf(4096), { backend: js({ pool }), outputs: 'borrow' }), take(1))
      .subscribe(() => lent.push(pool.stats().live === 1));
    expect(lent).to.deep.equal([true]);
    expect(pool.stats()).to.include({ live: 0, liveBytes: 0 });
    expect(liveMemory()).to.deep.equal({ frames: 0, bytes: 0 });
  });

  it('refuses what is no pool', () => {
    for (const pool of [null, {}, 'pool']) {
      const { code, message } = thrownBy(() => js({ pool } as object));
      expect(code).to.equal('E_ARGUMENT');
      expect(message).to.contain('memoryPool()');
    }
  });
});
