/** @file A stream that goes from backend to backend loses no frame, and keeps their order. */
import { expect } from 'chai';
import { from, Subject } from 'rxjs';
import { inOrder } from '../../../demos/page/stream/inOrder.js';
import { relay, type Frame, type Opened } from '../../../demos/page/stream/relay.js';
import { graph, input, js, mul, type Backend, type FeedsOf } from '../../../src/index.js';
import { byHand } from '../../support/byHandBackend.js';
import { marbles } from '../../support/marbles.js';

const doubled = graph({ x: input([]) }, ({ x }) => ({ y: mul(x, 2) }));

/** A stream of numbers on backends that are handed over one by one. */
function relayed() {
  const frames$ = new Subject<Frame<FeedsOf<typeof doubled>>>();
  const backends$ = new Subject<Opened>();
  const [answers, closed]: string[][] = [[], []];
  const subscription = frames$
    .pipe(relay(doubled, backends$, () => 0))
    .subscribe(({ frame, outputs, by }) => answers.push(`${frame.number}: ${outputs.y.toArray()} by ${by}`));
  let number = 0;
  return {
    answers,
    closed,
    frames$,
    subscription,
    feed: (x: number) => frames$.next({ number: number++, feed: { x } }),
    open: (name: string, backend: Backend) => backends$.next({ name, backend, close: () => closed.push(name) }),
  };
}

describe('a relay of backends', () => {
  it('asks for frames when the first backend is there, and goes to another one at once', () => {
    const { open, feed, answers, closed, frames$ } = relayed();
    expect(frames$.observed).to.equal(false);
    open('a', js());
    feed(1);
    feed(2);
    open('b', js());
    feed(3);
    expect(answers).to.deep.equal(['0: 2 by a', '1: 4 by a', '2: 6 by b']);
    expect(closed).to.deep.equal(['a']);
  });

  it('lets frames under way end where they are, then closes that backend; answers keep the order of the frames', async () => {
    const slow = byHand();
    const { open, feed, answers, closed } = relayed();
    open('slow', slow.backend);
    for (const x of [1, 2, 3]) feed(x);
    open('fast', js());
    for (const x of [4, 5]) feed(x);
    expect(answers).to.deep.equal([]);
    expect(closed).to.deep.equal([]);
    await slow.finish();
    expect(answers).to.deep.equal(['0: 2 by slow', '1: 4 by slow', '2: 6 by slow', '3: 8 by fast', '4: 10 by fast']);
    expect(closed).to.deep.equal(['slow']);
  });

  it('unsubscribes from the frames, and closes its backends, when it is unsubscribed from', async () => {
    const slow = byHand();
    const { open, feed, answers, closed, frames$, subscription } = relayed();
    open('slow', slow.backend);
    feed(1);
    open('fast', js());
    subscription.unsubscribe();
    await slow.finish();
    expect(frames$.observed).to.equal(false);
    expect(closed).to.have.members(['slow', 'fast']);
    expect(answers).to.deep.equal([]);
  });
});

describe('inOrder', () => {
  const numbers = () => inOrder<string>(Number);

  // prettier-ignore
  it('holds a value until those before it came', marbles(({ cold, expectObservable, expectSubscriptions }) => {
    const values$ = cold('-1-0---3-2---|');
    const subs = '        ^------------!';
    const expected = '    ---(01)--(23)|';

    expectObservable(values$.pipe(numbers())).toBe(expected);
    expectSubscriptions(values$.subscriptions).toBe(subs);
  }));

  it('counts from 0 for each subscriber', () => {
    const heard: string[] = [];
    const values$ = from(['1', '0']).pipe(numbers());
    for (const name of ['a', 'b']) values$.subscribe((value) => heard.push(name + value));
    expect(heard).to.deep.equal(['a0', 'a1', 'b0', 'b1']);
  });
});
