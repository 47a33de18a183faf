/** @file A queue from which the least comes first. */
import { expect } from 'chai';
import fc from 'fast-check';
import { heap } from '../../src/plan/heap.js';
import { propertyRuns, propertySeed } from '../support/property.js';

describe('heap', () => {
  it('gives the least of what it holds, whatever came and went before', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.integer({ min: 0, max: 30 }), fc.constant('pop' as const))), (moves) => {
        const queue = heap<number>((a, b) => a < b);
        let held: number[] = [];
        for (const move of moves) {
          if (move === 'pop') {
            const least = held.length === 0 ? undefined : Math.min(...held);
            expect([queue.peek(), queue.pop()]).to.deep.equal([least, least]);
            held = [...held].sort((a, b) => a - b).slice(1);
          } else {
            queue.push(move);
            held.push(move);
          }
        }
      }),
      { seed: propertySeed(), numRuns: propertyRuns(100, 1000, 10_000) },
    );
  });
});
