/** @file Runs followed by an execution context: phases, node events, progress, hooks that throw. */
import { expect } from 'chai';
import { EMPTY, NEVER, of, Subject, take, throwError } from 'rxjs';
import { EinstreamError } from '../../src/errors/index.js';
import { graph, input } from '../../src/graph/builder.js';
import { exp, relu } from '../../src/ops/unary/index.js';
import { sum } from '../../src/ops/reduce/index.js';
import { context, type ExecutionContext } from '../../src/run/context.js';
import { evaluate, evaluateSync, liveMemory, logging, run, type ExecutionHook, type RunOptions } from '../../src/run/index.js';
import { watch } from '../support/watch.js';

const g = graph({ x: input(['n']) }, ({ x }) => ({ y: sum(exp(relu(x))) }));
const feed = { x: [1, 2] };

/** A hook that lists all it hears, and the progress at each moment. */
function listener() {
  const heard: string[] = [];
  const progress: number[] = [];
  const note = (text: string, at: number): void => {
    heard.push(text);
    progress.push(at);
  };
  const hook: Required<ExecutionHook> = {
    onPhaseChange: (phase, state) => note(phase, state.progress),
    onNodeStart: ({ op }, frame, state) => note(`>${op}${frame}`, state.progress),
    onNodeComplete: ({ op }, frame, state) => note(`<${op}${frame}`, state.progress),
    onError: (error, state) => note(`error ${(error as Error).message}`, state.progress),
    onComplete: (state) => note('end', state.progress),
  };
  return { hook, heard, progress };
}

const phasesOnly = ({ onPhaseChange, onError, onComplete }: ExecutionHook): ExecutionHook => ({
  onPhaseChange,
  onError,
  onComplete,
});
const codeOf = (error: unknown): string => (error as EinstreamError).code;

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
    expect(heard.slice(3, -3)).to.deep.equal(['>fused0', '<fused0', '>sum0', '<sum0']);
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

  it('is made by context() and by nothing else', () => {
    for (const wrong of [{}, null, { state: {}, progress: 0 }, 'x']) {
      expect(() => run(g, { context: wrong as unknown as ExecutionContext })).to.throw(EinstreamError, /made by context\(\)/);
    }
    for (const total of [0, 1.5, -1, NaN, '3' as unknown as number])
      expect(() => context({ total })).to.throw(EinstreamError, /total/);
    expect(() => context({ hooks: [(() => 1) as unknown as ExecutionHook] })).to.throw(EinstreamError, /hook/);
  });
});

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

describe('logging', () => {
  it('writes phases by default and nodes when asked, with names that cannot start a line', () => {
    const lines: string[] = [];
    const named = graph({ 'x\nrun 9: fake': input([1]) }, (symbols) => ({ 'y\nz': relu(symbols['x\nrun 9: fake']) }));
    const hooks = [logging((line) => void lines.push(line), { events: 'nodes' })];
    evaluateSync(named, { 'x\nrun 9: fake': [1] }, { context: context({ hooks }) });
    expect(lines).to.have.length(8);
    expect(lines.every((line) => /^run 1: [^\n]+$/.test(line))).to.equal(true);
    expect(lines[3]).to.match(/^run 1: start y.*z \(relu\) in frame 0$/);
  });

  it('says why a run failed', () => {
    const lines: string[] = [];
    watch(of({} as typeof feed).pipe(run(g, { context: context({ hooks: [logging((line) => void lines.push(line))] }) })));
    expect(lines.at(-1)).to.match(/^run 1: error .*every input needs a feed/);
  });
});
