/** @file Gradients of first and second order against torch and central differences, as graphs. */
import {
  add,
  backward,
  evaluateSync,
  gradient,
  graph,
  hvp,
  input,
  mul,
  sum,
  variable,
  zeros,
  type ComputedDType,
  type Gradients,
  type Graph,
  type RunOptions,
  type GraphSymbol,
  type Tensor,
  type Variable,
} from '../../src/index.js';
import { compareValues, loadCases, readFamily, tensorOf, titleOf, type Case, type CaseValues } from './corpus.js';
import { gradOutput } from './gradCase.js';
import { tally } from './tally.js';
import { isLarge } from '../support/property.js';
import { onEachWasm, PLAIN_OR_ALL } from '../support/wasmVariants.js';
import { counting } from '../support/countingBackend.js';
import { expect } from 'chai';

/** Throws what is wrong with values by name. */
function judge(c: Case, what: string, got: Readonly<Record<string, Tensor>>, want: Readonly<Record<string, CaseValues>>): void {
  const isSingle = c.inputs.every((each) => each.dtype === 'float32');
  for (const [name, values] of Object.entries(want)) {
    const message = compareValues(got[name], values, c, isSingle);
    if (message !== undefined) throw new Error(`${c.id}, ${what} ${name}: ${message}`);
  }
}

function check(c: Case, options: RunOptions = {}): void {
  const declared = Object.fromEntries(
    c.inputs.map((each) => [each.name!, input(each.shape, { dtype: each.dtype as ComputedDType })]),
  );
  const forward = graph(declared, (symbols) => ({ value: gradOutput(c, symbols) as GraphSymbol })) as Graph;
  const what = { of: 'value', wrt: c.wrt!, seed: 'feed' } as const;
  const feeds = {
    ...Object.fromEntries(c.inputs.map((each) => [each.name!, tensorOf(each)])),
    'value.cotangent': tensorOf(c.cotangent!),
  };
  const { value, grads, hvp: second } = c.expected;
  const first = evaluateSync(gradient(forward, { ...what, value: true }), feeds, options);
  judge(c, 'the', first, { value: value! });
  judge(c, 'the gradient of', first, grads!);
  if (c.direction === undefined) return;
  const directions = Object.entries(c.direction).map(([name, each]) => [`${name}.direction`, tensorOf(each)] as const);
  const bends = evaluateSync(hvp(forward, what), { ...feeds, ...Object.fromEntries(directions) }, options);
  judge(c, 'the second order of', bends, second!);
}

/** The same on variables: values at once, gradients from what was recorded. */
function checkEager(c: Case): void {
  const variables = Object.fromEntries(c.inputs.map((each) => [each.name!, variable(tensorOf(each))]));
  const out = gradOutput(c, variables) as Variable;
  const { value, grads, hvp: second } = c.expected;
  judge(c, 'the', { value: out.value }, { value: value! });
  if (!out.requiresGrad) return judge(c, 'the gradient of', zerosOf(variables), grads!);
  const of = (gradients: Gradients): Record<string, Tensor> =>
    Object.fromEntries(c.wrt!.map((name) => [name, gradients.of(variables[name])]));
  if (c.direction === undefined) return judge(c, 'the gradient of', of(backward(out, tensorOf(c.cotangent!))), grads!);
  const first = backward(out, tensorOf(c.cotangent!), { differentiable: true });
  judge(c, 'the gradient of', Object.fromEntries(c.wrt!.map((name) => [name, first.of(variables[name]).value])), grads!);
  const slopes = Object.entries(c.direction).map(([name, each]) => sum(mul(first.of(variables[name]), tensorOf(each))));
  judge(c, 'the second order of', of(backward(slopes.reduce((a, b) => add(a, b)))), second!);
}

const zerosOf = (variables: Readonly<Record<string, Variable>>): Record<string, Tensor> =>
  Object.fromEntries(Object.entries(variables).map(([name, x]) => [name, zeros(x.shape, { dtype: 'float64' })]));

/**
 * Policy cases that peers decide differently: a gradient of 0 stays 0 however steep the branch is that `where` did not take (bugs 037
 * to 039 ask for it), so where torch's chain rule makes NaN of 0 · Infinity, we give 0.
 */
const OWN: Readonly<Record<string, NonNullable<Case['expected']['grads']>>> = {
  'grad-d-099': { x: { shape: [2], data: [0, 0.0625] } },
};

const withPolicy = (c: Case): Case =>
  c.policy === true && OWN[c.id] !== undefined ? { ...c, expected: { ...c.expected, grads: OWN[c.id] } } : c;

describe('gradients of the corpus, as graphs (F007, F145)', () => {
  const total = tally('grad');
  for (const c of loadCases('grad')) {
    it(titleOf(c), () => {
      check(withPolicy(c));
      total.pass(c.id);
    });
  }
});

describe('gradients of the corpus, on variables (F008, F145)', () => {
  const total = tally('grad');
  for (const c of loadCases('grad')) {
    it(titleOf(c), () => {
      checkEager(withPolicy(c));
      total.pass(c.id);
    });
  }
});

const asGiven = (c: Case): Case => c;
/** The constants of a case are float64, and so is what they meet. */
const hasConstants = ({ graph: made }: Case): boolean => made!.nodes.some(({ op }) => op === 'const');

/** A case whose tensors are float32, to what inputs and steps that were rounded to it leave of the digits. */
const inSingle = (c: Case): Case => ({
  ...c,
  rtol: 1e-4,
  atol: 1e-5,
  inputs: c.inputs.map((each) => ({ ...each, dtype: 'float32' })),
  cotangent: c.cotangent && { ...c.cotangent, dtype: 'float32' },
  direction:
    c.direction && Object.fromEntries(Object.entries(c.direction).map(([name, each]) => [name, { ...each, dtype: 'float32' }])),
});

onEachWasm(
  'gradients of the corpus on wasm (F007)',
  (backend) => {
    for (const [title, precise] of Object.entries({ 'in float64': asGiven, 'in float32': inSingle })) {
      it(`are those of torch within the op's tolerance, natively, ${title}`, () => {
        const { backend: counted, runs } = counting(backend());
        const cases = loadCases('grad').filter((_, at) => isLarge() || at % 4 === 0).map(withPolicy).filter((c) => precise === asGiven || !hasConstants(c)).map(precise); // prettier-ignore
        const wrong = cases.flatMap((c) => {
          try {
            check(c, { backend: counted, fallback: 'never' });
            return [];
          } catch (error) {
            return [String(error)];
          }
        });
        console.log(`        ${cases.length - wrong.length}/${cases.length}, ${runs()} kernels`);
        expect(wrong).to.deep.equal([]);
      });
    }
  },
  PLAIN_OR_ALL,
);

describe('gradients that other engines had wrong', () => {
  const bugs = (readFamily('bugs') as readonly { readonly id: string; readonly symptom: string; readonly case?: Case }[]).filter(
    (bug) => bug.case?.kind === 'grad',
  );
  for (const bug of bugs) {
    it(`${bug.id} as a graph · ${bug.symptom}`, () => check(bug.case!));
    it(`${bug.id} on variables · ${bug.symptom}`, () => checkEager(bug.case!));
  }
});
