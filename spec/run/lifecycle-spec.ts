/** @file One run's life: how much is done, and hooks that throw. */
import { expect } from 'chai';
import { NEVER, of, Subject, throwError } from 'rxjs';
import { EinstreamError } from '../../src/errors/index.js';
import { graph, input } from '../../src/graph/builder.js';
import { einsum } from '../../src/ops/einsum/index.js';
import { exp, relu } from '../../src/ops/unary/index.js';
import { context, evaluateSync, liveMemory, run, type ExecutionHook, type RunOptions } from '../../src/run/index.js';
import { listener, phasesOnly } from '../support/listener.js';
import { watch } from '../support/watch.js';

const g = graph({ x: input(['n']) }, ({ x }) => ({ y: einsum('i->', exp(relu(x))) }));
const feed = { x: [1, 2] };
const codeOf = (error: unknown): string => (error as EinstreamError).code;

describe('progress (F084)', () => {
  it('rises with each node, never falls, and is 1 exactly at the end', () => {
    const { hook, progress } = listener();
    const ctx = context({ hooks: [hook], total: 3 });
    watch(of(feed, feed, feed).pipe(run(g, { level: 'none', context: ctx })));
    expect([...progress].sort((a, b) => a - b)).to.deep.equal(progress);
    expect(new Set(progress).size).to.equal(11); // 0, nine nodes, 1
    expect(progress.filter((each) => each === 1)).to.have.length(2); // the phase and the end
    expect(ctx.progress).to.equal(1);
  });

  it('counts whole frames where nobody asks for nodes, and stays below 1 when there are more than were told', () => {
    const { hook, progress } = listener();
    const feeds$ = new Subject<typeof feed>();
    const ctx = context({ hooks: [phasesOnly(hook)], total: 2 });
    watch(feeds$.pipe(run(g, { context: ctx })));
    const seen: number[] = [];
    for (let i = 0; i < 4; i++) {
      feeds$.next(feed);
      seen.push(ctx.progress);
    }
    expect(seen).to.deep.equal([2 / 5, 4 / 5, 4 / 5, 4 / 5]);
    feeds$.complete();
    expect(ctx.progress).to.equal(1);
    expect([...progress].sort((a, b) => a - b)).to.deep.equal(progress);
  });

  it('stays where it was when a run is cancelled or fails', () => {
    const feeds$ = new Subject<typeof feed>();
    const ctx = context({ total: 4 });
    const subscription = feeds$.pipe(run(g, { context: ctx })).subscribe();
    feeds$.next(feed);
    subscription.unsubscribe();
    expect(ctx.state).to.include({ phase: 'Cancelled', frames: 1, progress: 2 / 9 });
  });
});

describe('a hook that throws (S16)', () => {
  const faulty = (name: keyof ExecutionHook, phase?: string): ExecutionHook => ({
    [name]: (what: unknown) => {
      if (phase === undefined || what === phase) throw new Error('broken hook');
    },
  });
  const uncaught: unknown[] = [];
  const remember = (error: unknown): void => void uncaught.push(error);
  before(() => process.on('uncaughtExceptionMonitor', remember));
  after(() => process.off('uncaughtExceptionMonitor', remember));

  const cases: readonly (readonly [string, ExecutionHook])[] = [
    ...['GraphLoad', 'Preparing', 'Execution', 'Waiting', 'Complete'].map(
      (phase) => [`onPhaseChange(${phase})`, faulty('onPhaseChange', phase)] as const,
    ),
    ...(['onNodeStart', 'onNodeComplete', 'onComplete'] as const).map((name) => [name, faulty(name)] as const),
  ];
  for (const [title, hook] of cases) {
    it(`ends its own subscription with E_CONSUMER: ${title}`, () => {
      const { hook: other, heard } = listener();
      const feeds$ = new Subject<typeof feed>();
      const bad = watch(feeds$.pipe(run(g, { context: context({ hooks: [hook, phasesOnly(other)] }) })));
      const good = watch(feeds$.pipe(run(g)));
      feeds$.next(feed);
      feeds$.complete();
      expect(codeOf(bad.error)).to.equal('E_CONSUMER');
      expect(((bad.error as Error).cause as Error).message).to.equal('broken hook');
      expect(heard.filter((each) => /Complete|Failed/.test(each))).to.have.length(1);
      expect(good).to.deep.include({ isComplete: true, error: undefined });
      expect(good.values).to.have.length(1);
      expect(liveMemory()).to.deep.equal({ frames: 0, bytes: 0 });
    });

    it(`throws E_CONSUMER from evaluateSync: ${title}`, () => {
      expect(() => evaluateSync(g, feed, { context: context({ hooks: [hook] }) }))
        .to.throw(EinstreamError)
        .with.property('code', 'E_CONSUMER');
      expect(liveMemory()).to.deep.equal({ frames: 0, bytes: 0 });
    });
  }

  it('keeps the reason of a failure in `suppressed` when the hook breaks on hearing of it', () => {
    const own = new Error('of the source');
    for (const hook of [faulty('onError'), faulty('onPhaseChange', 'Failed')]) {
      const { error } = watch(throwError(() => own).pipe(run(g, { context: context({ hooks: [hook] }) })));
      expect(codeOf(error)).to.equal('E_CONSUMER');
      expect((error as EinstreamError).suppressed).to.deep.equal([own]);
    }
  });

  it('is told to onDiagnostic when it breaks on hearing of a cancellation: no stream is left', () => {
    const told: string[] = [];
    const options: RunOptions = {
      context: context({ hooks: [faulty('onPhaseChange', 'Cancelled')] }),
      onDiagnostic: ({ message }) => void told.push(message),
    };
    NEVER.pipe(run(g, options)).subscribe().unsubscribe();
    expect(told).to.have.length(1);
    expect(told[0]).to.match(/broken hook/);
    expect(codeOf(options.context!.state.error)).to.equal('E_CONSUMER');
  });

  it('never becomes an uncaught exception', async () => {
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(uncaught).to.deep.equal([]);
  });
});
