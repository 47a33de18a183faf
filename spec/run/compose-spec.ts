/** @file Composition: both modes are one life, in any valid order, at every level. */
import { expect } from 'chai';
import fc from 'fast-check';
import { from, of, tap } from 'rxjs';
import { evaluateSync, run, steps, validate, type Frame } from '../../src/index.js';
import { liveMemory } from '../../src/run/arena.js';
import { propertyRuns, propertySeed } from '../support/property.js';
import { plain } from '../support/marbles.js';
import { randomGraph } from '../support/random-graph.js';
import { reordered } from '../support/reordered.js';
import { byHand, composed, lifeOf, scenario } from '../support/scenario.js';

const settings = { seed: propertySeed(), numRuns: propertyRuns(40, 1_000, 20_000) };
const consumed = (log: readonly unknown[]) => log.filter((entry) => (entry as unknown[])[1] === 'consumer');

describe('separate steps and joined segments', () => {
  it('give the same signals, subscriptions and teardown order, in all their random lives', function () {
    this.timeout(600_000);
    fc.assert(
      fc.property(scenario, (scene) => {
        const [separate, segments] = (['separate', 'segments'] as const).map((compose) =>
          lifeOf(scene, (use) => composed(scene, { use, compose })),
        );
        expect(separate).to.deep.equal(segments);
        expect(liveMemory()).to.deep.equal({ frames: 0, bytes: 0 });
      }),
      settings,
    );
  });

  it('are the same pipe as `steps` put together by hand, between `admit` and `emit`', function () {
    this.timeout(600_000);
    fc.assert(
      fc.property(scenario, (scene) => {
        const [pipe, hand] = [lifeOf(scene, (use) => composed(scene, { use })), lifeOf(scene, (use) => byHand(scene, use))];
        expect(consumed(hand)).to.deep.equal(consumed(pipe));
        // Where nothing is handed over, even the order of everything is one.
        const told = hand.filter((entry) => (entry as unknown[])[2] === 'subscribe').length;
        if (told < 7) expect(hand).to.deep.equal(pipe);
      }),
      settings,
    );
  });

  it('show a probe between any two operators each frame once, in order', function () {
    this.timeout(600_000);
    fc.assert(
      fc.property(randomGraph({ maxMoves: 24 }), fc.integer({ min: 0, max: 5 }), (made, count) => {
        const scene = { ...made, level: 'none' as const };
        const seen: number[][] = [];
        const probe = (at: number) => tap<Frame>(({ index }) => (seen[at] ??= []).push(index));
        const feeds = Array.from({ length: count }, () => made.feeds);
        from(feeds)
          .pipe(byHand(scene, [], (at) => probe(at)))
          .subscribe();
        const once = feeds.map((_, index) => index);
        expect(seen).to.deep.equal(
          count === 0 ? [] : Array.from({ length: steps(made.graph, { level: 'none' }).length + 1 }, () => once),
        );
      }),
      settings,
    );
  });

  it('see in random lives all that may happen', () => {
    const kinds = new Map<string, number>();
    const count = (kind: string) => kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
    const lives = propertyRuns(150, 500, 500);
    for (const scene of fc.sample(scenario, { seed: 1, numRuns: lives })) {
      const log = lifeOf(scene, (use) => composed(scene, { use })) as unknown[][];
      for (const kind of new Set(
        log.map(([, who, what]) => (who === 'consumer' ? `consumer ${typeof what === 'string' ? what : 'next'}` : String(what))),
      ))
        count(kind);
      if (log.filter(([, , what]) => what === 'subscribe').length > 8) count('hand-over');
    }
    for (const kind of [
      'consumer next',
      'consumer error',
      'consumer complete',
      'consumer leaves',
      'in',
      'out',
      'finalize',
      'hand-over',
    ])
      expect(kinds.get(kind) ?? 0, kind).to.be.greaterThan(lives / 25);
  });
});

describe('a graph', () => {
  it('gives the same bits at every level', () => {
    fc.assert(
      fc.property(randomGraph({ maxMoves: 20 }), ({ graph, feeds }) => {
        const [none, basic, standard] = (['none', 'basic', 'standard'] as const).map((level) =>
          plain(evaluateSync(graph, feeds, { level })),
        );
        expect(basic).to.deep.equal(none);
        expect(standard).to.deep.equal(none);
      }),
      settings,
    );
  });

  it('gives the same bits composed in any valid order', () => {
    fc.assert(
      fc.property(
        randomGraph({ maxMoves: 20 }),
        fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1 }),
        ({ graph, feeds }, keys) => {
          const shuffled = reordered(graph, keys);
          expect(validate(shuffled).filter(({ severity }) => severity === 'error')).to.deep.equal([]);
          for (const level of ['none', 'standard'] as const)
            expect(plain(evaluateSync(shuffled, feeds, { level }))).to.deep.equal(plain(evaluateSync(graph, feeds, { level })));
        },
      ),
      settings,
    );
  });

  it('gives the same bits on a stream, in both modes, borrowed or copied, as it does at once', () => {
    fc.assert(
      fc.property(
        randomGraph({ maxMoves: 20 }),
        fc.constantFrom('separate' as const, 'segments' as const),
        fc.constantFrom('copy' as const, 'borrow' as const),
        ({ graph, feeds }, compose, outputs) => {
          const expected = plain(evaluateSync(graph, feeds));
          const seen: unknown[] = [];
          of(feeds, feeds, feeds)
            .pipe(run(graph, { compose, outputs }))
            .subscribe((out) => seen.push(plain(out)));
          expect(seen).to.deep.equal([expected, expected, expected]);
        },
      ),
      settings,
    );
  });
});
