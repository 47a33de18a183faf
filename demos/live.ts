/**
 * @file Live recomputation: three sources change one by one, and only what lies below a change is computed again.
 *
 *     npm run --silent demo demos/live.ts
 */
import { lastValueFrom, map, queueScheduler, Subject, tap } from 'rxjs';
import { einsum, graph, input, live, sqrt, tensor, type Tensor } from '../src/index.js';

const portfolio = graph(
  { shares: input(['n']), prices: input(['n']), covariance: input(['n', 'n']) },
  ({ shares, prices, covariance }) => ({
    worth: einsum('n,n->', shares, prices),
    risk: sqrt(einsum('i,ij,j->', shares, covariance, shares)),
  }),
);

const shares$ = new Subject<Tensor>();
const prices$ = new Subject<Tensor>();
const covariance$ = new Subject<Tensor>();

let [worth, risk]: (Tensor | undefined)[] = [];
const shown = (name: string, value: Tensor, isNew: boolean): string =>
  `${name} ${(value.data[0] as number).toFixed(2).padStart(7)} ${isNew ? 'new' : 'kept'}`;

// `queueScheduler` answers each change at once; an output that did not change is the same tensor as before.
const lines$ = live(portfolio, { shares: shares$, prices: prices$, covariance: covariance$ }, { scheduler: queueScheduler }).pipe(
  map((now) => {
    const line = `${shown('worth', now.worth, now.worth !== worth).padEnd(20)}${shown('risk', now.risk, now.risk !== risk)}`;
    [worth, risk] = [now.worth, now.risk];
    return line;
  }),
);

const change = (what: string, act: () => void): void => {
  process.stdout.write(`${what.padEnd(24)}`);
  act();
};
const done = lastValueFrom(lines$.pipe(tap((line) => console.log(line))));

change('all three are there', () => {
  shares$.next(tensor([10, 20]));
  prices$.next(tensor([5, 2.5]));
  covariance$.next(
    tensor([
      [0.04, 0.01],
      [0.01, 0.09],
    ]),
  );
});
change('prices move', () => prices$.next(tensor([5.5, 2.75])));
change('covariance is measured', () =>
  covariance$.next(
    tensor([
      [0.09, 0.02],
      [0.02, 0.16],
    ]),
  ),
);
change('shares are sold', () => shares$.next(tensor([5, 20])));

for (const source$ of [shares$, prices$, covariance$]) source$.complete();
await done;
