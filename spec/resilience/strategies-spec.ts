/** @file What each strategy does when attempts are used up. */
import { expect } from 'chai';
import { from, lastValueFrom, toArray } from 'rxjs';
import { graph, input, js, recovering, recovery, RetryPolicy, runWithRecovery, sum, tensor } from '../../src/index.js';
import { failingFor, probing } from '../support/middleware.js';
import { g, options, good, resultOf, shown, x } from '../support/recovered.js';
import { scripted, turn } from '../support/scriptedBackend.js';

describe('the strategies of recovering (F066)', () => {
  it('gives what can be computed without the failing nodes, and names those that are left out (P18)', () => {
    const result = resultOf(
      recovery.partialResults(),
      failingFor('left', () => true),
    );

    expect(shown(result)).to.deep.include({
      kind: 'partialSuccess',
      outputs: { right: [1, 1] },
      failedNodes: [
        ['left', 'failed'],
        ['both', 'skipped'],
      ],
    });
  });

  it('puts a number in place of a failing node, and says so (P18)', () => {
    expect(
      shown(
        resultOf(
          { ...recovery.graceful(7), retryPolicy: RetryPolicy.new(0) },
          failingFor('left', () => true),
        ),
      ),
    ).to.deep.equal({
      kind: 'success',
      failures: [['left', 1, 0]],
      retries: 0,
      outputs: { left: 7, right: [1, 1], both: [8, 8] },
      path: 'primary',
      degraded: true,
      substituted: ['left'],
    });
  });

  it('puts an approximation in place of a failing node, made of its operands', () => {
    const strategy = {
      degrade: {
        useApproximation: (_: unknown, [of_]: readonly { toArray(): unknown }[]) => tensor((of_.toArray() as number[])[0] + 5),
      },
    };
    const result = resultOf(
      { strategy, retryPolicy: RetryPolicy.new(0) },
      failingFor('left', () => true),
    );

    expect(shown(result)).to.deep.include({ outputs: { left: 5, right: [1, 1], both: [6, 6] }, degraded: true });
  });

  it('puts the latest good value in place of a failing node; without one it fails', async () => {
    const config = { strategy: { degrade: 'useCached' }, retryPolicy: RetryPolicy.new(0) } as const;
    const use = [failingFor('left', () => bad.has(at++))];
    const bad = new Set([0, 2]);
    let at = 0;
    const results = await lastValueFrom(
      from([{ x: [1, 1] }, { x: [2, 3] }, { x: [9, 9] }]).pipe(recovering(g, config, { ...options, use }), toArray()),
    );

    expect(results.map(({ kind }) => kind)).to.deep.equal(['failure', 'success', 'success']);
    expect(results[2].kind === 'success' && [results[2].degraded, results[2].outputs.left.toArray()]).to.deep.equal([true, 10]);
  });

  it('degrades the named nodes only', () => {
    const strategy = { degrade: { useDefault: 0 }, nodes: ['right'] };
    expect(
      resultOf(
        { strategy, retryPolicy: RetryPolicy.new(0) },
        failingFor('left', () => true),
      ).kind,
    ).to.equal('failure');
    expect(
      resultOf(
        { strategy, retryPolicy: RetryPolicy.new(0) },
        failingFor('right', () => true),
      ).kind,
    ).to.equal('success');
  });

  it('takes another backend, and says which path it took (P18)', async () => {
    const { backend, calls } = scripted();
    const config = { strategy: { fallbackTo: js() }, retryPolicy: RetryPolicy.new(0) } as const;
    const answer = lastValueFrom(runWithRecovery(g, x, config, { ...options, backend, fallback: 'never' }));
    await turn();
    calls[0].failed(new Error('no device'));
    const result = await answer;

    expect(shown(result)).to.deep.include({ kind: 'success', path: 'fallback', degraded: true, outputs: good });
    expect(result.failures.map(({ node }) => node)).to.deep.equal(['shared']);
  });

  it('takes another graph', () => {
    const simple = graph({ x: input([2]) }, ({ x: given }) => ({ left: sum(given), right: given, both: given }));
    const result = resultOf(
      { strategy: { fallbackTo: simple }, retryPolicy: RetryPolicy.new(0) },
      failingFor('right', () => true),
    );

    expect(shown(result)).to.deep.include({
      kind: 'success',
      path: 'fallback',
      degraded: true,
      outputs: { left: 0, right: [0, 0], both: [0, 0] },
    });
  });

  it('starts again from the latest checkpoint: finished nodes before it do not run again (F066)', () => {
    let left = 2;
    const ran: string[] = [];
    const counting = probing(({ name, id }) => ran.push(name ?? `#${id}`));
    // In order: shared, left, neg, right, both. A checkpoint after every two: `shared` and `left`, `neg` and `right`.
    const nodes = [...new Set(['shared', 'left'])];
    const result = resultOf(
      { strategy: 'checkpoint', checkpointEvery: 2 },
      counting,
      failingFor('right', () => left-- > 0),
    );

    expect(shown(result)).to.deep.include({ kind: 'success', retries: 2, outputs: good });
    for (const name of nodes)
      expect(
        ran.filter((each) => each === name),
        name,
      ).to.have.length(1);
    expect(
      ran.filter((each) => each.startsWith('#')).length,
      'what came after the checkpoint ran in each attempt',
    ).to.be.greaterThan(2);
    expect(result.stats.checkpoints).to.equal(2);
  });
});
