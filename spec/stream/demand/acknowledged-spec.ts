/** @file Consumers whose work ends later than `next` give credit back when it has ended. */
import { expect } from 'chai';
import { delay, finalize, mergeMap, of } from 'rxjs';
import { acknowledged, EinstreamError, pulled, type Acknowledged } from '../../../src/index.js';
import { marbles } from '../../support/marbles.js';
import { expectNothingUncaught } from '../../support/uncaught.js';
import { watch } from '../../support/watch.js';

function opened(bounds: Parameters<typeof acknowledged<number>>[1]) {
  let pulls = 0;
  const source = {
    *[Symbol.iterator]() {
      while (pulls < 30) yield ++pulls;
    },
  };
  const seen = watch(acknowledged(pulled(source), bounds));
  return { seen, pulls: () => pulls };
}

describe('acknowledged', () => {
  expectNothingUncaught();

  it('refuses bounds that bound nothing, at the call', () => {
    for (const bounds of [undefined, {}, { credits: 0 }, { credits: Infinity }, { credits: 2, bytes: NaN }])
      expect(() => acknowledged(pulled([1]), bounds as never))
        .to.throw(EinstreamError)
        .with.property('code', 'E_ARGUMENT');
  });

  it('gives as many as there are credits, and another one for each that is acknowledged, in any order', () => {
    const { seen, pulls } = opened({ credits: 3 });
    const values = () => seen.values.map(({ value }: Acknowledged<number>) => value);
    expect([values(), pulls()]).to.deep.equal([[1, 2, 3], 3]);
    seen.values[2].ack();
    seen.values[0].ack();
    expect([values(), pulls()]).to.deep.equal([[1, 2, 3, 4, 5], 5]);
  });

  it('counts an acknowledgement once, and none after the end', () => {
    const { seen, pulls } = opened({ credits: 1 });
    for (let times = 0; times < 3; times++) seen.values[0].ack();
    expect(pulls()).to.equal(2);
    seen.unsubscribe();
    seen.values[1].ack();
    expect([seen.values.length, pulls()]).to.deep.equal([2, 2]);
  });

  it('holds no more than its bytes and one item', () => {
    const { seen } = opened({ credits: 20, bytes: 10, sizeOf: (item) => item });
    const values = () => seen.values.map(({ value }) => value);
    expect(values()).to.deep.equal([1, 2, 3, 4]); // 10 bytes
    seen.values[0].ack();
    expect(values()).to.deep.equal([1, 2, 3, 4, 5]); // 14
    seen.values[1].ack();
    expect(values()).to.have.length(5); // 12
    seen.values[3].ack();
    expect(values()).to.have.length(6); // 8, then 14
  });

  it(
    'keeps an operator that buffers from filling',
    marbles(({ expectObservable }) => {
      const takes: Record<string, number> = { a: 3, b: 4, c: 3, d: 4 };
      const expected = '---ab-c-(d|)';

      const working$ = acknowledged(pulled('abcd'), { credits: 2 }).pipe(
        mergeMap(({ value, ack }) => of(value).pipe(delay(takes[value]), finalize(ack))),
      );
      expectObservable(working$).toBe(expected);
    }),
  );

  it('completes when the source does, whatever is not acknowledged', () => {
    const seen = watch(acknowledged(pulled([1, 2]), { credits: 5 }));
    expect([seen.values.length, seen.isComplete]).to.deep.equal([2, true]);
  });
});
