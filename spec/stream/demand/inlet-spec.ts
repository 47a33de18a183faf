/** @file The consumer's half of an edge. */
import { expect } from 'chai';
import { EinstreamError } from '../../../src/index.js';
import { inlet, openInto } from '../../../src/stream/demand/inlet.js';
import { scripted } from '../../support/flow-probe.js';

function opened(opens: 'at once' | 'later' = 'at once') {
  const log: unknown[] = [];
  const from = inlet<number>({
    next: (value) => log.push(value),
    error: (error) => log.push(error instanceof EinstreamError ? error.code : error),
    complete: () => log.push('complete'),
  });
  return { from, log, source: scripted<number>(opens) };
}

describe('an inlet', () => {
  it('keeps what is granted until its edge is there, and gives it at once then', () => {
    const { from, source } = opened('later');
    from.grant(2);
    from.grant(3);
    openInto(source.flow, from);
    expect(source.calls).to.deep.equal([]);
    source.sink().open(source.edge);
    from.grant(1);
    expect(source.calls).to.deep.equal(['grant 5', 'grant 1']);
  });

  it('hears no more than it has asked for: one more is E_DEMAND, and cancels', () => {
    const { from, log, source } = opened();
    from.grant(2);
    openInto(source.flow, from);
    for (let k = 0; k < 4; k++) source.sink().next(k);
    expect([log, source.calls]).to.deep.equal([
      [0, 1, 'E_DEMAND'],
      ['grant 2', 'cancel'],
    ]);
  });

  it('takes as many as come when it has asked for everything', () => {
    const { from, log, source } = opened();
    from.grant(Infinity);
    openInto(source.flow, from);
    for (let k = 0; k < 1_000; k++) source.sink().next(k);
    source.sink().complete();
    expect([log.length, log.at(-1), source.calls]).to.deep.equal([1_001, 'complete', ['grant Infinity']]);
  });

  it('hears one end, and nothing after it', () => {
    const { from, log, source } = opened();
    openInto(source.flow, from);
    source.sink().error('mine');
    source.sink().complete();
    source.sink().error('again');
    from.grant(1);
    from.cancel();
    expect([log, source.calls]).to.deep.equal([['mine'], []]);
  });
});
