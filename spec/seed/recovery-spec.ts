/**
 * @file The seed's chapter on recovery, translated and executed.
 */
import { expect } from 'chai';
import { from } from 'rxjs';
import {
  add,
  div,
  graph,
  input,
  named,
  recovering,
  RetryPolicy,
  sum,
  valueOf,
  type Frame,
  type RecoveryResult,
} from '../../src/index.js';
import { virtually } from '../support/marbles.js';
import { failingFor } from '../support/middleware.js';

const model = graph({ x: input([2]) }, ({ x }) => {
  const total = named('total', sum(x));
  return { total, share: div(x, total), more: named('more', add(x, 1)) };
});

describe('the recovery examples of the seed', () => {
  it('E15: exponential(3, 100) in virtual time; all three kinds of results occur', () => {
    const feeds = [{ x: [1, 3] }, { x: [2, 1] }, { x: [3, 2] }];
    // The first feed fails twice at `total`, the second whenever it is tried, the third at `more`, too.
    const left = [2, Infinity, Infinity];
    const feedOf = (frame: Frame): number => (valueOf(frame, model.inputs[0]).toArray() as number[])[0] - 1;
    const use = [failingFor('total', (frame) => left[feedOf(frame)]-- > 0), failingFor('more', (frame) => feedOf(frame) === 2)];
    const config = { strategy: 'partialResults', retryPolicy: RetryPolicy.exponential(3, 100) } as const;

    const results: RecoveryResult[] = [];
    virtually(({ flush }) => {
      from(feeds)
        .pipe(recovering(model, config, { use, level: 'none' }))
        .subscribe((result) => results.push(result));
      flush();
    });

    expect(results.map(({ kind, stats }) => [kind, stats.retries, stats.executionMs])).to.deep.equal([
      ['success', 2, 300],
      ['partialSuccess', 3, 700],
      ['failure', 4, 800],
    ]);
    const [, some] = results;
    if (some.kind !== 'partialSuccess') throw new Error('the second feed gives part of its outputs');
    expect(some.outputs.more?.toArray()).to.deep.equal([3, 2]);
    expect(some.failedNodes.map(({ node, reason }) => [node, reason])).to.deep.equal([
      ['total', 'failed'],
      ['share', 'skipped'],
    ]);
  });
});
