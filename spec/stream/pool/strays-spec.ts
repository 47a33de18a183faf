/** @file Answers that come after the end of the worker that gave them, in virtual time. */
import { expect } from 'chai';
import type { PoolOptions } from '../../../src/index.js';
import { expectBalanced, settled, type Followed } from '../../support/poolLedger.js';
import { setUp, type Asking } from '../../support/scriptedRequests.js';

/** The first run takes 100 ms, and its worker says the answer whatever has become of it; those after it take one. */
const lingering = (options: PoolOptions): Asking & { readonly said: () => number } => {
  let said = 0;
  const asking = setUp(
    {
      lingers: true,
      act: ({ life, nth }) => (life + nth === 0 ? { ms: 100, how: (reply) => (said++, reply) } : { ms: 1 }),
    },
    { workers: 1, retry: { delayMs: 0 }, ...options },
  );
  return { ...asking, said: () => said };
};

const ends: Readonly<Record<string, readonly [PoolOptions, (asking: Asking, request: Followed) => void]>> = {
  'replaced after a grace': [{ graceMs: 50 }, (_, request) => request.cancel()],
  'replaced at the end of an attempt': [{ attemptTimeoutMs: 40, graceMs: 50 }, () => undefined],
  'replaced after a deadline': [{ timeoutMs: 40, graceMs: 50 }, () => undefined],
  lost: [{}, ({ lives }) => lives[0].die()],
  'replaced for nonsense': [{}, ({ lives }) => lives[0].say('hello')],
  'ended with its pool': [{}, ({ pool }) => void pool.close({ mode: 'abort' })],
};

describe('the answer of a worker that was', () => {
  for (const [how, [options, end]] of Object.entries(ends))
    it(`${how} is heard by nobody, and is no stray (S7) (P6)`, async () => {
      const asking = lingering(options);
      const { pool, pass, ask, lives, said } = asking;
      const request = ask(1);
      pass(30);
      end(asking, request);
      pass();
      await settled();
      expect([said(), lives[0].isEnded, request.endings]).to.deep.equal([1, true, 1]);
      expectBalanced(pool);
      expect(pool.stats()).to.include({ strays: 0, running: 0, inFlight: 0, submitted: 1 });
    });

  it('whose run was cancelled at any moment is no stray, on whichever side of the grace it comes (S7)', async () => {
    for (let at = 0; at <= 100; at++) {
      const { pool, pass, ask, said } = lingering({ graceMs: 50 });
      const request = ask(1);
      pass(at);
      request.cancel();
      pass();
      const next = ask(2);
      pass();
      await settled();
      expect([said(), request.endings, next.ended?.outputs?.['y'].toArray()], `at ${at}`).to.deep.equal([1, 1, 4]);
      const isOver = at === 100;
      const isReplaced = at < 50;
      expect(pool.stats(), `at ${at}`).to.include({
        strays: 0,
        running: 0,
        replaced: Number(isReplaced),
        cancelled: Number(!isOver),
      });
    }
  });
});
