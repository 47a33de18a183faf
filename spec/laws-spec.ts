/** @file Every operator that the package exports keeps the laws of operators, with every combination of its options. */
import { expect } from 'chai';
import { map, pipe, type OperatorFunction } from 'rxjs';
import {
  accumulate,
  add,
  admit,
  backpropagate,
  consume,
  context,
  earlyStop,
  emit,
  graph,
  input,
  jacobian,
  js,
  mse,
  mul,
  param,
  run,
  runScheduled,
  sgd,
  steps,
  sum,
  taping,
  tensor,
  train,
  trainOnline,
  type Outputs,
  type RunOptions,
  type TrainStep,
  recovering,
  recovery,
  retrying,
} from '../src/index.js';
import { operatorLaws, type Law } from '../src/testing.js';
import { probing, memo } from './support/middleware.js';
import { isLarge } from './support/property.js';
import { operatorsOf } from './support/operators.js';
import { streamEntries } from './support/stream-laws.js';

const g = graph({ x: input(['n']) }, ({ x }) => ({ y: add(mul(sum(mul(x, x)), x), 1) }));
type Feed = { readonly x: number[] };
const feed = (index: number): Feed => ({ x: [index, index + 1] });
/** Read at once, as borrowed outputs must be. */
const read = map((outputs: Outputs) => Object.entries(outputs).map(([name, value]) => [name, value.toArray()]));
const boom = (error: unknown) => () => {
  throw error;
};

const laws = (
  make: () => OperatorFunction<Feed, unknown>,
  throwing?: (error: unknown) => OperatorFunction<Feed, unknown>,
): readonly Law[] => operatorLaws(make, { feed, throwing });

/** Every choice from each list. */
const combinations = <T extends Record<string, readonly unknown[]>>(choices: T): { readonly [K in keyof T]: T[K][number] }[] =>
  Object.entries(choices).reduce<Record<string, unknown>[]>(
    (all, [name, values]) => all.flatMap((one) => values.map((value) => ({ ...one, [name]: value }))),
    [{}],
  ) as never;

const options = combinations({
  level: ['none', 'basic', 'standard'],
  compose: ['segments', 'separate'],
  outputs: ['copy', 'borrow'],
  use: [[], [probing(() => undefined), memo(), retrying({ count: 2, delay: () => 0 })]],
} as const);

const nameOf = (given: RunOptions): string =>
  Object.entries({ ...given, use: given.use?.length })
    .map(([name, value]) => `${name} ${String(value)}`)
    .join(', ');

const model = graph({ x: input(['n']), w: param(tensor(1)) }, ({ x, w }) => {
  const y = mul(x, w);
  return { y, loss: mse(y, 1) };
});
const learning = { loss: 'loss', optimizer: sgd({ rate: 0.01 }) } as const;
const seen = map(({ step, loss, params }: TrainStep) => [step, loss, params['w'].toArray()]);

const entries: Readonly<Record<string, Readonly<Record<string, () => readonly Law[]>>>> = {
  run: {
    ...Object.fromEntries(options.map((each) => [nameOf(each), () => laws(() => pipe(run(g, each), read))])),
    'with middleware that throws': () =>
      laws(
        () => run(g),
        (error) => run(g, { use: [() => map(boom(error))] }),
      ),
    'with an onDiagnostic that throws': () =>
      laws(
        () => run(g, { onDiagnostic: () => undefined }),
        (error) =>
          pipe(
            map((each: Feed) => ({ ...each, unused: 1 })),
            run(g, { onDiagnostic: boom(error) }) as never,
          ),
      ),
    'with hooks, and one that throws': () =>
      laws(
        () => pipe(run(g, { context: context({ hooks: [{ onNodeStart: () => undefined }] }) }), read),
        (error) => run(g, { context: context({ hooks: [{ onNodeStart: boom(error) }] }) }),
      ),
    'with kernels that are interpreted, and values kept': () =>
      laws(() => pipe(run(g, { backend: js({ kernels: 'interpret' }), keep: ['y'] }), read)),
  },
  admit: {
    alone: () =>
      laws(() =>
        pipe(
          admit(g),
          map((frame) => {
            const seen = [frame.index, frame.values.map((value) => value?.toArray())];
            frame.program.arenas.giveBack(frame.lease);
            return seen;
          }),
        ),
      ),
  },
  steps: Object.fromEntries(
    options.map((each) => [
      nameOf(each),
      () =>
        laws(
          () => (feeds$) =>
            steps(g, each)
              .reduce((frames$, { operator }) => frames$.pipe(operator), feeds$.pipe(admit(g, each)))
              .pipe(emit(g, each), read),
        ),
    ]),
  ),
  backpropagate: {
    'behind a run that is taped': () =>
      laws(() => pipe(run(g, { use: [taping()] }), backpropagate({ of: 'y', seed: 'ones' }), read)),
  },
  jacobian: { alone: () => laws(() => pipe(jacobian(g, { of: 'y', wrt: ['x'] }), read)) },
  train: { alone: () => laws(() => pipe(train(model, learning), seen)) },
  trainOnline: { alone: () => laws(() => pipe(trainOnline(model, { ...learning, prediction: 'y' }), seen)) },
  recovering: Object.fromEntries(
    [
      recovery.failFast(),
      recovery.retry(2),
      recovery.graceful(),
      recovery.partialResults(),
      { strategy: 'checkpoint' } as const,
    ].map((config) => [
      JSON.stringify(config.strategy),
      () =>
        laws(() =>
          pipe(
            recovering(g, config),
            map((result) => (result.kind === 'success' ? [result.kind, result.outputs.y.toArray()] : [result.kind])),
          ),
        ),
    ]),
  ),
  runScheduled: Object.fromEntries(
    [1, 2].map((concurrency) => [
      `${concurrency} at a time`,
      () =>
        laws(() =>
          pipe(runScheduled(g, { over: { run }, shapes: { x: [1] }, concurrency, cost: { perRequest: 0, perByte: 0 } }), read),
        ),
    ]),
  ),
  accumulate: {
    'of one record': () => laws(() => pipe(run(g), accumulate(1), read)),
    'of three': () => operatorLaws(() => pipe(run(g), accumulate(3), read), { feed, outputs: (count) => Math.ceil(count / 3) }),
  },
  earlyStop: {
    'before it is enough': () =>
      laws(() =>
        pipe(
          map(({ x: [loss] }: Feed) => ({ loss: -loss })),
          earlyStop({ patience: 2, below: -1e9 }),
        ),
      ),
  },
  ...streamEntries,
  emit: { 'after admit': () => laws(() => pipe(admit(echo), emit(echo), read)) },
  consume: {
    'with a callback that throws': () =>
      laws(
        () => consume(() => undefined),
        (error) => consume(boom(error)),
      ),
  },
};
const echo = graph({ x: input(['n']) }, ({ x }) => ({ x }));

describe('every exported operator', () => {
  // The compiler reads the whole package, which takes seconds.
  if (isLarge())
    it('has an entry here', function () {
      this.timeout(60_000);
      expect(Object.keys(entries).sort()).to.deep.equal(operatorsOf('src/index.ts'));
    });

  for (const [name, cases] of Object.entries(entries))
    describe(name, () => {
      for (const [how, make] of Object.entries(cases))
        describe(how, () => {
          for (const { title, check } of make()) it(title, check);
        });
    });
});

describe('the search for exported operators', () => {
  it('finds functions that return one, or a list with one, and operators themselves; nothing else', function () {
    this.timeout(60_000);
    const text = `
      import { Observable, OperatorFunction } from 'rxjs';
      export const made = (n: number): OperatorFunction<number, string> => null!;
      export const itself = (feeds$: Observable<1>) => feeds$;
      export const list = () => [{ operator: (feeds$: Observable<1>) => feeds$ }];
      export const source = (n: number) => new Observable<1>();
      export const plain = () => 3;
      export class Thing {}
    `;
    expect(operatorsOf('src/made-up.ts', text)).to.deep.equal(['itself', 'list', 'made']);
  });
});
