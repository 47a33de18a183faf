/** @file What `train` refuses, where, and in which words: at the call what can be known there, the rest on the stream. */
import { expect } from 'chai';
import { concat, from, of, throwError, type Observable } from 'rxjs';
import {
  adam, cast, EinstreamError, exp, graph, input, log, mse, mul, momentum, param, parseGraph, serializeGraph, sgd, softmax, square, sum, tensor, train, where,
  greater, mean, add, type Feeds, type Graph, type Optimizer, type TrainOptions, type TrainState,
} from '../../src/index.js'; // prettier-ignore
import { thrownBy } from '../support/thrownBy.js';
import { layers, trained, batchesOf } from './models.js';

const line: Graph = graph({ x: input(['n']), t: input(['n']), w: param(tensor(0)), k: param(tensor(new Int32Array([1]))) }, ({ x, t, w, k }) => {
  const y = mul(x, w);
  return { loss: mse(y, t), y, total: cast(sum(y), { dtype: 'int32' }), k };
}); // prettier-ignore
const right = { loss: 'loss', optimizer: sgd({ rate: 0.1 }) } as const;
const batch: Feeds = { x: [1, 2], t: [2, 4] };
const own = (changes: Partial<Optimizer>): Optimizer => ({ name: 'own', slots: [], scalars: () => ({}), update: ({ param: w }) => ({ param: w, slots: {} }), ...changes }); // prettier-ignore

/** Losses of the steps, then how it ended. */
function taught(options: Partial<TrainOptions>, batches$: Observable<Feeds>, model = line): readonly unknown[] {
  const seen: unknown[] = [];
  batches$.pipe(train(model, { ...right, ...options })).subscribe({
    next: ({ loss, isSkipped }) => seen.push(isSkipped ? 'skipped' : loss),
    error: (error: unknown) => seen.push(error instanceof EinstreamError ? `${error.code} ${error.message}` : error),
    complete: () => seen.push('complete'),
  });
  return seen;
}

const AT_THE_CALL: readonly (readonly [what: string, options: unknown, says: RegExp])[] = [
  ['a loss that is no scalar', { loss: 'y' }, /E_GRADIENT "y": a loss must be one number; expected shape \[\], got shape \[n\] \(take its mean/],
  ['a loss that nobody knows', { loss: 'z' }, /E_ARGUMENT .*loss must name a value of the graph; expected "x", .*, got "z"/],
  ['a loss of integers', { loss: 'total' }, /E_GRADIENT "total": the loss must be floating-point; .* got int32 \(cast it/],
  ['a loss that is no name', { loss: 1 }, /E_ARGUMENT .*loss names an output of the model; got 1/],
  ['params that nobody knows', { wrt: ['q'] }, /E_ARGUMENT .*floating-point param of the model; expected "w", got "q"/],
  ['params of integers', { wrt: ['k'] }, /E_ARGUMENT .*floating-point param of the model; expected "w", got "k"/],
  ['an input that should learn', { wrt: ['x'] }, /E_ARGUMENT .*floating-point param of the model; expected "w", got "x"/],
  ['nothing that learns', { wrt: [] }, /E_ARGUMENT .*floating-point param of the model; expected "w", got none/],
  ['one name for a list', { wrt: 'w' }, /E_ARGUMENT .*wrt is a list of names; got "w"/],
  ['a prediction that nobody knows', { prediction: 'q' }, /E_ARGUMENT .*prediction must name a value of the graph; .* got "q"/],
  ['what is no optimizer', { optimizer: sgd }, /E_ARGUMENT .*optimizer is one, such as sgd.*; got a function/],
  ['an optimizer of which parts are missing', { optimizer: { update: () => 0 } }, /E_ARGUMENT .*optimizer is one/],
  ['an optimizer that gives no param', { optimizer: own({ update: () => ({}) as never }) }, /E_ARGUMENT "optimizer \\"own\\"": update gives "param" of "w", .* expected float32 \[\], got undefined/],
  ['an optimizer that forgets a slot', { optimizer: own({ slots: ['old'] }) }, /update gives "old" of "w", .* got undefined/],
  ['an optimizer that changes a shape', { optimizer: own({ update: ({ param: w }) => ({ param: add(w, [1, 2] as never), slots: {} }) }) }, /E_ARGUMENT/],
  ['a schedule that gives no rate', { optimizer: sgd({ rate: () => NaN }) }, /E_ARGUMENT "rate of step 1": a schedule gives a number ≥ 0; got NaN/],
  ['a schedule that throws', { optimizer: sgd({ rate: () => { throw new Error('mine'); } }) }, /E_CONSUMER "rate of step 1": a schedule must not throw/],
  ['no batches a step', { accumulate: 0 }, /E_ARGUMENT .*accumulate must be an integer ≥ 1; got 0/],
  ['a clip of nothing', { clip: { norm: 0 } }, /E_ARGUMENT .*norm must be a number above 0; got 0/],
  ['a clip that is misspelt', { clip: { nrom: 1 } }, /E_ARGUMENT .*clip is \{ value, norm \}.*got "nrom"/],
  ['a clip that is a number', { clip: 5 }, /E_ARGUMENT .*clip is \{ value, norm \}.*got 5/],
  ['a policy that nobody knows', { onNaN: 'ignore' }, /E_ARGUMENT .*onNaN is 'error', 'skip' or 'continue'; got "ignore"/],
  ['an option that nobody knows', { rate: 1 }, /E_ARGUMENT .*an option must be known.*got "rate"/],
  ['what is no backend', { backend: {} }, /E_ARGUMENT "backend": a backend has a name/],
  ['a level that nobody knows', { level: 'max' }, /E_ARGUMENT "level"/],
  ['what is no state', { state: null }, /E_ARGUMENT "state": a state is one object; got null/],
]; // prettier-ignore

describe('train refuses at the call', () => {
  for (const [what, options, says] of AT_THE_CALL)
    it(what, () => {
      const { code, message } = thrownBy(() => train(line, { ...right, ...(options as object) }));
      expect(`${code} ${message}`).to.match(says);
    });

  it('what is no graph, is broken, or has nothing to learn', () => {
    for (const none of [null, undefined, '{}', 5, {}])
      expect(thrownBy(() => train(none as never, right)).message).to.match(/"graph": a graph is what/);
    const broken = parseGraph(
      '{"tensors":["x","y"],"nodes":[{"op":{"ElemUnary":{"op":"rleu"}},"inputs":[0],"outputs":[1]}],"inputs":[0],"outputs":[1]}',
    );
    expect(thrownBy(() => train(broken, { ...right, loss: 'y' })).code).to.equal('E_OP');
    const fixed = graph({ x: input([]) }, ({ x }) => ({ loss: x }));
    expect(thrownBy(() => train(fixed, right)).message).to.match(/expected a model with params/);
  });

  it('a state of another optimizer, other params or other shapes', async () => {
    const { state } = (await trained(batchesOf(1)))[0];
    const says = (changed: TrainState, optimizer: Optimizer = adam()) =>
      thrownBy(() => train(layers, { ...right, optimizer, state: changed })).message;
    expect(says(state, sgd({ rate: 1 }))).to.match(/a state goes on with its own optimizer; expected sgd, got adam/);
    const { b1, ...others } = state.params;
    expect(says({ ...state, params: others })).to.match(
      /params must be those of the model: "b1"; expected float32 \[4\], got none/,
    );
    expect(says({ ...state, params: { ...others, b1: tensor([1]) } })).to.match(/"b1"; expected float32 \[4\], got float32 \[1\]/); // prettier-ignore
    expect(says({ ...state, params: { ...state.params, b2: b1 } })).to.match(/params must be those of the model; expected .*, got "b2"/); // prettier-ignore
    expect(says({ ...state, slots: {} })).to.match(/slots must be those of the model: "w1 mean"/);
  });
});

describe('an optimizer refuses at the call', () => {
  for (const [what, make, says] of [
    ['a rate below 0', () => sgd({ rate: -1 }), /"sgd": rate must be a number ≥ 0, or a schedule; got -1/],
    ['a rate that is none', () => adam({ rate: NaN }), /"adam": rate must be .*; got NaN/],
    ['no rate', () => sgd({} as never), /"sgd": rate must be .*; got undefined/],
    ['no options', () => sgd(undefined as never), /"sgd": options are one object; got undefined/],
    ['a momentum of 1', () => momentum({ rate: 0.1, momentum: 1 }), /momentum must be from 0 to below 1; got 1/],
    ['a decay of 1', () => adam({ beta1: 1 }), /"adam": beta1 must be from 0 to below 1; got 1/],
    ['an eps of 0', () => adam({ eps: 0 }), /"adam": eps must be a number above 0; got 0/],
  ] as const)
    it(what, () => {
      const { code, message } = thrownBy(make);
      expect([code, says.test(message)], message).to.deep.equal(['E_ARGUMENT', true]);
    });
});

describe('train refuses on the stream', () => {
  for (const [what, bad, says] of [
    ['a batch of another size', { x: [1, 2, 3], t: [1, 2] }, /E_FEED "t" input: "n" must have one size; expected 3 .*, got 2/],
    ['a batch of another rank', { x: [[1, 2]], t: [1, 2] }, /E_FEED "x" input: .*expected rank 1, \[n\], got rank 2/],
    ['a batch without rows', { x: [], t: [] }, /E_FEED "x" input: a batch must have at least one row.*got shape \[0\]/],
    ['a batch in which a feed is missing', { x: [1, 2] }, /E_FEED "t" input: every input needs a feed; expected "x", "t", got no "t"/],
    ['a batch that feeds what learns', { ...batch, w: 3 }, /E_FEED "w": a batch does not feed a param that learns/],
    ['what is no batch', null, /E_FEED "batch": a batch is an object of values by input name; got null/],
    ['a number that is none', { x: [NaN, 1], t: [1, 1] }, /E_NUMERIC "x" input: losses and gradients must be finite.*got NaN/],
  ] as const) // prettier-ignore
    for (const accumulate of [1, 2])
      it(`${what}, after the steps before it, ${accumulate} at a time`, () => {
        const before = [10];
        const seen = taught({ accumulate }, of(...Array.from({ length: accumulate }, () => batch), batch, bad as never, batch, batch).pipe());
        expect(seen.slice(0, before.length)).to.deep.equal(before);
        expect(seen.at(-1)).to.match(says);
        expect(seen).to.have.length(accumulate === 1 ? 3 : 2);
      }); // prettier-ignore

  it('a schedule that goes wrong later, and passes errors of the source on as they are', () => {
    const optimizer = sgd({ rate: (step) => (step < 2 ? 0.1 : -1) });
    expect(taught({ optimizer }, of(batch, batch))).to.deep.equal([
      10,
      'E_ARGUMENT "rate of step 2": a schedule gives a number ≥ 0; got -1',
    ]);
    const mine = new Error('mine');
    expect(
      taught(
        {},
        concat(
          of(batch),
          throwError(() => mine),
        ),
      ),
    ).to.deep.equal([10, mine]);
  });

  it('a loss of several numbers where its rank was not known before', () => {
    const known = graph({ x: input([]), w: param(tensor(1)) }, ({ x, w }) => ({ loss: mul(x, w) }));
    const open = parseGraph(serializeGraph(known).replace(',"dims":[]', ''));
    expect(taught({}, of({ x: [1, 2] }), open).at(-1)).to.match(
      /E_GRADIENT "loss": a loss must be one number; .*got shape \[2\]/,
    );
  });
});

describe('a loss that is not finite (onNaN)', () => {
  const bad: Feeds = { x: [NaN, 1], t: [1, 1] };

  it("is an error, leaves the step out with 'skip', and spoils the params with 'continue'", () => {
    expect(taught({}, of(batch, bad, batch)).at(-1)).to.match(/^E_NUMERIC/);
    expect(taught({ onNaN: 'skip' }, of(batch, bad, batch))).to.deep.equal([10, 'skipped', 2.5, 'complete']);
    expect(taught({ onNaN: 'continue' }, of(batch, bad, batch))).to.deep.equal([10, NaN, NaN, 'complete']);
  });

  it('names the first node that is to blame, and no infinity that went no further', () => {
    // −∞ hides an entry from the softmax, as it should; the log of 0 behind it is the fault.
    const model = graph({ x: input([3]), w: param(tensor([1, 1, 1])) }, ({ x, w }) => {
      const masked = where(greater(x, 0), mul(x, w), -Infinity);
      const shares = softmax(masked);
      return { loss: mean(square(log(shares))) };
    }) as never;
    const { code, nodeId, diagnostic } = errorOf(model, { x: [1, 2, -1] });
    expect(code).to.equal('E_NUMERIC');
    expect(diagnostic.message).to.match(/^"log_\d+" log: .*got -Infinity, the first such value of the step/);
    expect(nodeId).to.be.a('number');
    const grown = graph({ x: input([]), w: param(tensor(1)) }, ({ x, w }) => ({ loss: exp(exp(mul(x, w))) })) as never;
    expect(errorOf(grown, { x: 50 }).message).to.match(/^"loss" exp: .*got Infinity/);
  });
});

function errorOf(model: Graph, feeds: Feeds): EinstreamError {
  let found: unknown;
  from([feeds]).pipe(train(model, right)).subscribe({ error: (error: unknown) => (found = error) }); // prettier-ignore
  expect(found).to.be.instanceOf(EinstreamError);
  return found as EinstreamError;
}
