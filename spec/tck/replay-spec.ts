/** @file Replay: the same feeds in the same virtual time make the same log, on every run (S17, B08). */
import { expect } from 'chai';
import fc from 'fast-check';
import { asyncScheduler, timer } from 'rxjs';
import { add, graph, input, live, mul, named, run, einsum, retrying, exponentialBackoff } from '../../src/index.js';
import { plain, virtually } from '../support/marbles.js';
import { failing, probing, waiting } from '../support/middleware.js';
import { propertyRuns, propertySeed } from '../support/property.js';
import { composed, lifeOf, scenario } from '../support/scenario.js';

const g = graph({ x: input([2]), w: input([2]) }, ({ x, w }) => ({ y: add(named('s', einsum('i->', mul(x, w))), 1) }));

/** How many different logs many runs of one thing write. */
const distinct = (times: number, make: () => readonly unknown[]): number =>
  new Set(Array.from({ length: times }, () => JSON.stringify(make()))).size;

describe('a replay', () => {
  it('of a random life writes the same log again (S17)', function () {
    this.timeout(60_000);
    fc.assert(
      fc.property(scenario, (scene) => {
        expect(distinct(3, () => lifeOf(scene, (use) => composed(scene, { use })))).to.equal(1);
      }),
      { seed: propertySeed(), numRuns: propertyRuns(20, 1_000, 10_000) },
    );
  });

  it('of retries with backoff, waits and several frames on their way writes the same log again (S17, B08)', () => {
    let last: unknown[] = [];
    const play = (): readonly unknown[] => {
      const log: unknown[] = (last = []);
      virtually(({ cold, flush }) => {
        const tell = (...what: unknown[]): void => void log.push([asyncScheduler.now(), ...what]);
        const use = [
          probing((node, { index }) => tell(node.op, index)),
          retrying({ count: 4, delay: exponentialBackoff(2) }),
          waiting(({ index }) => (index * 7) % 5),
          failing('s', 3),
          failing('y', 2),
        ];
        cold('ab-c----(de)|', Object.fromEntries([...'abcde'].map((name, k) => [name, { x: [k, 1], w: [1, k] }])))
          .pipe(run(g, { level: 'none', use }))
          .subscribe({
            next: (out) => tell(plain(out)),
            error: (error: unknown) => tell('error', plain(error)),
            complete: () => tell('complete'),
          });
        flush();
      });
      return log;
    };
    expect(distinct(20, play)).to.equal(1);
    expect(last).to.have.length(5 * 3 + 5 + 1);
  });

  it('of changes from several sources writes the same log again (S17, B10)', () => {
    const play = (): readonly unknown[] => {
      const log: unknown[] = [];
      virtually(({ cold, flush }) => {
        const values = { a: [1, 2], b: [3, 4], c: [5, 6], d: [5, 6] };
        live(g, { x: cold('a-b-(cd)-a|', values), w: cold('-a-b-c|', values) }).subscribe({
          next: (out) => log.push([asyncScheduler.now(), plain(out)]),
          complete: () => log.push([asyncScheduler.now(), 'complete']),
        });
        timer(3).subscribe(() => log.push('a timer'));
        flush();
      });
      expect(log).to.have.length.greaterThan(5);
      return log;
    };
    expect(distinct(20, play)).to.equal(1);
  });
});
