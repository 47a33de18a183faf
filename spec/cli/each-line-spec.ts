import { expect } from 'chai';
import { concatMap, delay, map, mergeMap, of, throwError, timer, type OperatorFunction } from 'rxjs';
import { eachLine } from '../../src/cli/each-line.js';
import type { Answer, Unit } from '../../src/cli/units.js';
import { fault } from '../../src/errors/index.js';
import type { Feeds, Outputs } from '../../src/index.js';
import { virtually } from '../support/marbles.js';

const BAD = fault('E_KERNEL', { rule: 'no kernel may fail' });
const unit = (k: number): Unit => ({ first: k, last: k, feeds: { k } });
const error = (k: number): Unit => ({ first: k, last: k, error: 'read' });
const outputsOf = (feeds: Feeds): Outputs => ({ k: feeds['k'] }) as unknown as Outputs;
const failing = (k: number): boolean => k % 3 === 0;

/** Answers in order, at once or later, and ends at the first feed that fails. */
const OPERATORS: Readonly<Record<string, OperatorFunction<Feeds, Outputs>>> = {
  'at once': map((feeds) => {
    if (failing(Number(feeds['k']))) throw BAD;
    return outputsOf(feeds);
  }),
  later: (feeds$) =>
    feeds$.pipe(concatMap((feeds) => timer(3).pipe(mergeMap(() => (failing(Number(feeds['k'])) ? throwError(() => BAD) : of(outputsOf(feeds))))))), // prettier-ignore
};

describe('a graph on each line', () => {
  for (const [title, operator] of Object.entries(OPERATORS)) {
    it(`gives each unit its outputs or its error, in order, when the operator answers ${title}`, () => {
      virtually(({ flush }) => {
        const answers: Answer[] = [];
        let isOver = false;
        const units = [1, 2, 3, 6, 7].map(unit).flatMap((each, k) => (k === 2 ? [error(90), each] : [each]));
        const all = [error(80), ...units, unit(9), error(70)];
        of(...all)
          .pipe(
            concatMap((each) => of(each).pipe(delay(1))),
            eachLine(operator),
          )
          .subscribe({ next: (answer) => answers.push(answer), complete: () => (isOver = true) });
        flush();
        expect(answers.map((answer) => answer.unit.first)).to.deep.equal(all.map(({ first }) => first));
        for (const {
          unit: { first, feeds },
          outputs,
          error: wrong,
        } of answers) {
          if (feeds === undefined) expect([outputs, wrong]).to.deep.equal([undefined, undefined]);
          else if (failing(first)) expect(wrong).to.equal(BAD);
          else expect(outputs).to.deep.equal({ k: first });
        }
        expect(isOver).to.equal(true);
      });
    });
  }

  it('passes on what is no error of the engine', () => {
    const boom = new Error('boom');
    let seen: unknown;
    const throwing = map((): Outputs => {
      throw boom;
    });
    of(unit(1)).pipe(eachLine(throwing)).subscribe({ error: (thrown: unknown) => (seen = thrown) }); // prettier-ignore
    expect(seen).to.equal(boom);
  });
});
