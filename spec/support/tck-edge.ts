/**
 * @file Rules of Reactive Streams 1.0.4 for the edges of flows: granting, cancelling, and sinks that throw.
 */
import { expect } from 'chai';
import { EinstreamError } from '../../src/index.js';
import { probed } from './flow-probe.js';
import { patienceFor, times, type FlowUse, type MakeFlow } from './tck-flow.js';
import type { Rule } from './tck.js';

const MAX = Number.MAX_SAFE_INTEGER;
const codeOf = (error: unknown): unknown => (error instanceof EinstreamError ? error.code : error);

export function verifyEdge<T>(make: MakeFlow<T>, { answers }: FlowUse): readonly Rule[] {
  const later = answers === 'later';
  const { wait, quiet } = patienceFor(answers);
  return [
    {
      rules: '2.13, 3.15, 3.16',
      title: 'granting and cancelling never throw; a sink that throws ends its edge with one E_CONSUMER',
      async check() {
        const { log, error } = probed(make(5, 'complete'), (kind, edge) => {
          if (kind === 'open') edge.grant(4);
          if (kind === 'next') throw new Error('mine');
        });
        await quiet(log);
        expect([log, codeOf(error()), (error() as Error).cause]).to.deep.equal([
          times(1, 'error'),
          'E_CONSUMER',
          (error() as Error).cause,
        ]);
        expect((error() as Error).cause).to.have.property('message', 'mine');
        const opening = probed(make(5, 'complete'), (kind) => {
          if (kind === 'open') throw new Error('mine');
        });
        await quiet(opening.log);
        expect([opening.log, codeOf(opening.error())]).to.deep.equal([['open', 'error'], 'E_CONSUMER']);
      },
    },
    {
      rules: '3.5, 3.6, 3.7',
      title: 'cancelling is done when it returns; again, and granting after it, do nothing',
      async check() {
        const { edge, log } = probed(make(5, 'complete'));
        edge().cancel();
        for (let k = 0; k < 10_000; k++) {
          edge().cancel();
          edge().grant(k % 2 === 0 ? 1 : -1);
        }
        await quiet(log);
        expect(log).to.deep.equal(['open']);
      },
    },
    {
      rules: '3.9',
      title: 'a grant that is no integer ≥ 1 is E_DEMAND, once, and stops it',
      async check() {
        for (const wrong of [0, -1, -Infinity, NaN, 1.5, 2 ** 53, '3', 3n, null, undefined, {}]) {
          for (const moment of ['open', 'next', 'after'] as const) {
            const { log, error, edge, depth } = probed(make(9, 'complete'), (kind, edge) => {
              if (kind === moment) edge.grant(wrong as number);
              if (kind === 'open') edge.grant(4);
            });
            if (moment === 'after') {
              await wait(1);
              edge().grant(wrong as number);
            }
            edge().grant(2);
            await quiet(log);
            const end = log.slice(moment === 'open' ? 1 : moment === 'next' ? 2 : -1);
            expect([end, codeOf(error()), depth()], `${String(wrong)} in ${moment}`).to.deep.equal([['error'], 'E_DEMAND', 1]);
            if (later) break;
          }
        }
      },
    },
    {
      rules: '3.17',
      title: 'grants saturate at 2⁵³ − 1, and Infinity is everything',
      async check() {
        for (const grants of [[MAX, MAX], [MAX, 1, MAX], [Infinity], [Infinity, 3], [2, Infinity, MAX]]) {
          const { log, edge } = probed(make(12, 'complete'));
          for (const credits of grants) edge().grant(credits);
          await quiet(log);
          expect(log).to.deep.equal(times(12, 'complete'));
        }
      },
    },
  ];
}
