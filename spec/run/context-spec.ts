/** @file Runs followed by an execution context: phases and node events, told by the engine or by hand. */
import { expect } from 'chai';
import { EMPTY, NEVER, of, Subject, take, throwError } from 'rxjs';
import { EinstreamError } from '../../src/errors/index.js';
import { graph, input } from '../../src/graph/builder.js';
import { sum } from '../../src/ops/reduce/index.js';
import { exp, relu } from '../../src/ops/unary/index.js';
import { context, evaluate, evaluateSync, logging, run, type ExecutionContext, type ExecutionHook } from '../../src/run/index.js';
import { byHand } from '../support/byHandBackend.js';
import { listener, phasesOnly } from '../support/listener.js';
import { watch } from '../support/watch.js';

const g = graph({ x: input(['n']) }, ({ x }) => ({ y: sum(exp(relu(x))) }));
const feed = { x: [1, 2] };

describe('an execution context (F084, F085)', () => {
  it('E41: sees the phases of one evaluation in their order', async () => {
    const phases = ['GraphLoad', 'Preparing', 'Execution', 'Waiting', 'Complete', 'end'];
    for (const compute of [evaluateSync, evaluate]) {
      const { hook, heard } = listener();
      await compute(g, feed, { context: context({ hooks: [phasesOnly(hook)] }) });
      expect(heard).to.deep.equal(phases);
    }
  });

  it('tells of each node around its step, frame by frame, for every mode of composition', () => {
    for (const compose of ['segments', 'separate'] as const) {
      const { hook, heard } = listener();
      const seen = watch(of(feed, feed).pipe(run(g, { level: 'none', compose, context: context({ hooks: [hook] }) })));
      expect(seen.values).to.have.length(2);
      const nodes = (frame: number): string[] => ['relu', 'exp', 'sum'].flatMap((op) => [`>${op}${frame}`, `<${op}${frame}`]);
      expect(heard).to.deep.equal(
        ['GraphLoad', 'Preparing', 'Execution', nodes(0), 'Waiting', 'Execution', nodes(1), 'Waiting', 'Complete', 'end'].flat(),
      );
    }
  });

  it('tells evaluateSync’s nodes too', () => {
    const { hook, heard } = listener();
    evaluateSync(g, feed, { context: context({ hooks: [hook] }) });
    expect(heard.slice(3, -3)).to.deep.equal(['>fusedFold0', '<fusedFold0']);
  });

  it('goes to Failed once when a feed does not fit, when the source fails, and when the program cannot be made', () => {
    const own = new Error('of the source');
    for (const [feeds$, message] of [
      [of(feed, { x: [[1]] }), /rank/],
      [throwError(() => own), /of the source/],
      [of({}), /every input needs a feed/],
    ] as const) {
      const { hook, heard } = listener();
      const ctx = context({ hooks: [phasesOnly(hook)] });
      const seen = watch((feeds$ as typeof EMPTY).pipe(run(g, { context: ctx })));
      expect((seen.error as Error).message).to.match(message);
      expect(heard.filter((each) => each === 'Failed')).to.have.length(1);
      expect(heard.at(-2)).to.equal('Failed');
      expect(heard.at(-1)).to.match(message);
      expect(ctx.state.error).to.equal(seen.error);
      expect(ctx.progress).to.be.lessThan(1);
    }
    expect(watch(throwError(() => own).pipe(run(g, { context: context() }))).error).to.equal(own);
  });

  it('goes to Cancelled when it is unsubscribed before its end, and not after', () => {
    const { hook, heard } = listener();
    const ctx = context({ hooks: [phasesOnly(hook)] });
    const subscription = NEVER.pipe(run(g, { context: ctx })).subscribe();
    subscription.unsubscribe();
    subscription.unsubscribe();
    expect(heard).to.deep.equal(['GraphLoad', 'Preparing', 'Cancelled']);
    watch(of(feed, feed).pipe(run(g, { context: ctx }), take(1)));
    expect(heard.slice(3)).to.deep.equal(['GraphLoad', 'Preparing', 'Execution', 'Cancelled']);
    watch(of(feed).pipe(run(g, { context: ctx }))).unsubscribe();
    expect(ctx.state.phase).to.equal('Complete');
  });

  it('goes from Preparing to Complete when the source is empty', () => {
    const { hook, heard } = listener();
    const ctx = context({ hooks: [phasesOnly(hook)] });
    expect(watch(EMPTY.pipe(run(g, { context: ctx }))).isComplete).to.equal(true);
    expect(heard).to.deep.equal(['GraphLoad', 'Preparing', 'Complete', 'end']);
    expect(ctx.progress).to.equal(1);
  });

  it('keeps a state for each subscription: the latest is shown, hooks are told which', () => {
    const runs: string[] = [];
    const ctx = context({ hooks: [{ onPhaseChange: (phase, { run: number }) => void runs.push(`${number} ${phase}`) }] });
    const [a, b] = [new Subject<typeof feed>(), new Subject<typeof feed>()];
    watch(a.pipe(run(g, { context: ctx })));
    watch(b.pipe(run(g, { context: ctx })));
    a.next(feed);
    expect(ctx.state).to.include({ run: 2, phase: 'Preparing', frames: 0 });
    b.complete();
    a.complete();
    expect(runs.slice(4)).to.deep.equal(['1 Execution', '1 Waiting', '2 Complete', '1 Complete']);
  });

  it('waits with its phases for a consumer that feeds its own source', () => {
    const { hook, heard } = listener();
    const feeds$ = new Subject<typeof feed>();
    let left = 2;
    feeds$.pipe(run(g, { context: context({ hooks: [phasesOnly(hook)] }) })).subscribe(() => left-- > 0 && feeds$.next(feed));
    feeds$.next(feed);
    const turns = ['Execution', 'Waiting', 'Execution', 'Waiting', 'Execution', 'Waiting'];
    expect(heard.slice(2)).to.deep.equal(turns);
  });

  it('stays in Execution while frames of an asynchronous backend overlap', async () => {
    const { hook, heard } = listener();
    const { backend, finish } = byHand();
    const ctx = context({ hooks: [phasesOnly(hook)], total: 3 });
    const seen = watch(of(feed, feed, feed).pipe(run(g, { backend, context: ctx })));
    expect(ctx.state).to.include({ phase: 'Execution', frames: 0 });
    await finish();
    expect(seen.values).to.have.length(3);
    expect(heard).to.deep.equal(['GraphLoad', 'Preparing', 'Execution', 'Waiting', 'Complete', 'end']);
  });

  it('is made by context() and by nothing else', () => {
    for (const wrong of [{}, null, { state: {}, progress: 0 }, 'x']) {
      expect(() => run(g, { context: wrong as unknown as ExecutionContext })).to.throw(EinstreamError, /made by context\(\)/);
    }
    for (const total of [0, 1.5, -1, NaN, '3' as unknown as number])
      expect(() => context({ total })).to.throw(EinstreamError, /total/);
    expect(() => context({ hooks: [(() => 1) as unknown as ExecutionHook] })).to.throw(EinstreamError, /hook/);
  });
});

describe('a context notified by hand', () => {
  it('E41: is the seed’s manual form', () => {
    const lines: string[] = [];
    const ctx = context();
    ctx.addHook(logging((line) => void lines.push(line)));
    ctx.notify('GraphLoad');
    ctx.notify('Execution');
    ctx.notify('Complete');
    expect(lines).to.deep.equal(['run 1: GraphLoad', 'run 1: Execution', 'run 1: Complete', 'run 1: 0 feeds answered']);
    expect(ctx.state).to.include({ run: 1, phase: 'Complete', progress: 1 });
  });

  it('takes phases in their order only, and ends once', () => {
    const ctx = context();
    const refused = (phase: string): void =>
      void expect(() => ctx.notify(phase as 'Complete'), phase).to.throw(EinstreamError, /phases follow one another/);
    ['Execution', 'Complete', '__proto__', 'Nonsense'].forEach(refused);
    ctx.notify('GraphLoad');
    ctx.notify('Execution');
    ['GraphLoad', 'Preparing', 'Execution'].forEach(refused);
    ctx.notify('Waiting');
    ctx.notify('Execution');
    ctx.notify('Failed');
    ['Complete', 'Failed', 'Cancelled', 'Waiting'].forEach(refused);
    ctx.notify('GraphLoad');
    expect(ctx.state.run).to.equal(2);
  });

  it('throws what a hook throws', () => {
    const ctx = context({ hooks: [{ onPhaseChange: () => expect.fail('no') }] });
    for (const phase of ['GraphLoad', 'Execution', 'Failed'] as const)
      expect(() => ctx.notify(phase)).to.throw(EinstreamError, /no/);
  });
});
