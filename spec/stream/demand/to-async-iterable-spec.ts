/** @file A flow for `for await`: each question is one credit. */
import { expect } from 'chai';
import { pulled, toAsyncIterable } from '../../../src/index.js';
import { scripted, settled } from '../../support/flow-probe.js';
import { expectNothingUncaught } from '../../support/uncaught.js';

function counting() {
  const seen = { pulled: 0, opened: 0, closed: 0 };
  const source = {
    *[Symbol.iterator]() {
      seen.opened++;
      try {
        for (;;) yield ++seen.pulled;
      } finally {
        seen.closed++;
      }
    },
  };
  return { seen, items: toAsyncIterable(pulled(source)) };
}

describe('toAsyncIterable', () => {
  expectNothingUncaught();

  it('asks for nothing before the first `next()`, then for one item each', async () => {
    const { seen, items } = counting();
    const iterator = items[Symbol.asyncIterator]();
    await settled();
    expect(seen.opened).to.equal(0);
    for (let k = 1; k <= 5; k++) {
      expect(await iterator.next()).to.deep.equal({ done: false, value: k });
      expect(seen.pulled).to.equal(k);
    }
    await iterator.return!();
  });

  it('lets go of the flow when its loop is left, or throws', async () => {
    const { seen, items } = counting();
    for await (const item of items) if (item === 3) break;
    expect(seen).to.deep.equal({ pulled: 3, opened: 1, closed: 1 });
    const failure = (async () => {
      for await (const item of items) throw new Error(`mine ${item}`);
    })();
    expect(String(await failure.catch((error: unknown) => error))).to.equal('Error: mine 4');
    expect(seen).to.deep.equal({ pulled: 4, opened: 2, closed: 2 });
  });

  it('answers questions that were asked at once, in their order', async () => {
    const { flow, sink, granted } = scripted<string>();
    const iterator = toAsyncIterable(flow)[Symbol.asyncIterator]();
    const answers = [iterator.next(), iterator.next(), iterator.next(), iterator.next()];
    expect(granted()).to.equal(4);
    sink().next('a');
    sink().next('b');
    sink().complete();
    expect(await Promise.all(answers)).to.deep.equal([
      { done: false, value: 'a' },
      { done: false, value: 'b' },
      { done: true, value: undefined },
      { done: true, value: undefined },
    ]);
  });

  it('rejects one question with an error, also one that is asked later; all others are done', async () => {
    const error = new Error('mine');
    for (const asksFirst of [true, false]) {
      const { flow, sink } = scripted<string>();
      const iterator = toAsyncIterable(flow)[Symbol.asyncIterator]();
      const first = iterator.next();
      sink().next('a');
      await first;
      const early = asksFirst ? iterator.next() : undefined;
      sink().error(error);
      const asked = early ?? iterator.next();
      expect(await asked.catch((cause: unknown) => cause)).to.equal(error);
      expect(await iterator.next()).to.deep.equal({ done: true, value: undefined });
    }
  });

  it('is done after return() and throw(), which settle what was asked', async () => {
    const { flow, calls } = scripted<string>();
    const iterator = toAsyncIterable(flow)[Symbol.asyncIterator]();
    const asked = iterator.next();
    expect(await iterator.return!('end')).to.deep.equal({ done: true, value: 'end' });
    expect([await asked, await iterator.next()]).to.deep.equal([
      { done: true, value: undefined },
      { done: true, value: undefined },
    ]);
    expect(calls).to.deep.equal(['grant 1', 'cancel']);
    const thrown = await toAsyncIterable(flow)[Symbol.asyncIterator]().throw!(new Error('mine')).catch((error: unknown) =>
      String(error),
    );
    expect(thrown).to.equal('Error: mine');
  });
});
